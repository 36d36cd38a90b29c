# kernlab's side of kernel_machines.py: Rscript kernlab.R folder, which holds X.csv, y.csv and options.R (type, kernel, par, C,
# epsilon, tol). Writes out.csv: b, then the coefficient of every row. ksvm scales columns unless told not to, and its shrinking
# stops far from the minimum on some of these.
suppressMessages(library(kernlab))
at <- function(name) file.path(commandArgs(trailingOnly = TRUE)[1], name)
X <- unname(as.matrix(read.csv(at("X.csv"), header = FALSE)))
y <- read.csv(at("y.csv"), header = FALSE, stringsAsFactors = FALSE)[[1]]
source(at("options.R"))
if (options$type == "C-svc") y <- factor(y)

r2 <- function(x, y) sum((x - y)^2)
own <- list(
  exponential = function(x, y) exp(-options$par * sqrt(r2(x, y))),
  inverseMultiquadric = function(x, y) 1 / sqrt(r2(x, y) + options$par^2),
  rationalQuadratic = function(x, y) 1 - r2(x, y) / (r2(x, y) + options$par)
)
fit <- function(...) {
  ksvm(..., type = options$type, C = options$C, epsilon = options$epsilon, tol = options$tol, fit = FALSE, cache = 200, shrinking = FALSE)
}
if (options$kernel == "laplacian") {
  model <- fit(X, y, scaled = FALSE, kernel = "laplacedot", kpar = list(sigma = options$par))
} else {
  k <- own[[options$kernel]]
  class(k) <- "kernel"
  model <- fit(as.kernelMatrix(kernelMatrix(k, X)), y)
}

coef <- numeric(nrow(X))
coef[if (options$type == "C-svc") alphaindex(model)[[1]] else alphaindex(model)] <-
  if (options$type == "C-svc") coef(model)[[1]] else coef(model)
write.table(format(t(c(b(model), coef)), digits = 17), at("out.csv"), sep = ",",
            row.names = FALSE, col.names = FALSE, quote = FALSE)
