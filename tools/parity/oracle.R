# R's side of the parity fixtures. Called by r.py with the name of a method and a folder that holds
#   X.csv (no header), y.csv (one column: numbers or labels), weight.csv, and options.R (a list named `options`).
# Writes out.csv: one row a coefficient vector, the intercept first. Numbers travel with 17 digits, so exactly.
suppressMessages({ library(glmnet); library(MASS); library(nnet) })

arguments <- commandArgs(trailingOnly = TRUE)
method <- arguments[1]
folder <- arguments[2]
at <- function(name) file.path(folder, name)

X <- unname(as.matrix(read.csv(at("X.csv"), header = FALSE)))
y <- read.csv(at("y.csv"), header = FALSE, stringsAsFactors = FALSE)[[1]]
weight <- read.csv(at("weight.csv"), header = FALSE)[[1]]
source(at("options.R"))

# glmnet rescales weights to a sum of n, as scikit-learn's Lasso does.
path <- function(family, alpha) {
  fit <- glmnet(X, y, weights = weight, family = family, alpha = alpha, lambda = options$lambda,
                intercept = options$intercept, standardize = FALSE, thresh = 1e-16, maxit = 1e8)
  t(as.matrix(coef(fit)))
}

rows <- switch(method,
  lm = t(coef(lm(y ~ X, weights = weight))),
  # lm.ridge divides columns by their population deviation; the caller passes standardised ones, so nothing changes.
  lm.ridge = t(coef(lm.ridge(y ~ X, lambda = options$lambda))),
  glm.binomial = t(coef(glm(factor(y) ~ X, family = binomial, weights = weight,
                            control = glm.control(epsilon = 1e-15, maxit = 200)))),
  glm.poisson = t(coef(glm(y ~ X, family = poisson, weights = weight,
                           control = glm.control(epsilon = 1e-15, maxit = 200)))),
  # Posteriors of all rows instead of coefficients; leave-one-out ones with CV.
  lda = predict(lda(X, factor(y)))$posterior,
  qda = predict(qda(X, factor(y)))$posterior,
  lda.loo = lda(X, factor(y), CV = TRUE)$posterior,
  qda.loo = qda(X, factor(y), CV = TRUE)$posterior,
  glmnet.gaussian = path("gaussian", options$alpha),
  glmnet.binomial = path("binomial", options$alpha),
  # The first class in alphabetical order is the reference; one row for each other class.
  multinom = coef(multinom(factor(y) ~ X, weights = weight, decay = options$decay, trace = FALSE,
                           maxit = 20000, reltol = 1e-16, abstol = 1e-16, MaxNWts = 20000)))

write.table(format(rows, digits = 17), at("out.csv"), sep = ",", row.names = FALSE, col.names = FALSE, quote = FALSE)
