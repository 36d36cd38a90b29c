# One tree by rpart, as a table in preorder: variable (0: leaf), rows, threshold, side of what is at least the threshold (1: left), class.
# Rscript rpart.R <folder> <split>   reads X.csv, y.csv, weight.csv and options.csv (minsplit, minbucket, maxdepth), writes out.csv
library(rpart)
arguments <- commandArgs(TRUE)
folder <- arguments[1]
split <- arguments[2]
path <- function(name) file.path(folder, name)
X <- as.matrix(read.csv(path("X.csv"), header = FALSE))
y <- read.csv(path("y.csv"), header = FALSE)[[1]]
w <- read.csv(path("weight.csv"), header = FALSE)[[1]]
o <- read.csv(path("options.csv"), header = FALSE)[[1]]
data <- data.frame(X)
names(data) <- paste0("x", seq_len(ncol(X)))
# cp < 0: with 0, splits that lower the impurity but misclassify as many rows are dropped again.
control <- rpart.control(cp = -1, minsplit = o[1], minbucket = o[2], maxdepth = o[3], xval = 0, maxcompete = 0, maxsurrogate = 0)
if (split == "anova") {
  data$y <- y
  tree <- rpart(y ~ ., data, weights = w, method = "anova", control = control)
} else {
  data$y <- factor(y)
  tree <- rpart(y ~ ., data, weights = w, method = "class", parms = list(split = split), control = control)
}
frame <- tree$frame
variable <- match(as.character(frame$var), names(data), nomatch = 0)
threshold <- side <- rep(0, nrow(frame))
inner <- which(variable > 0)
threshold[inner] <- tree$splits[, "index"]
side[inner] <- tree$splits[, "ncat"]
write.table(cbind(variable, frame$n, threshold, side, frame$yval), path("out.csv"), sep = ",", row.names = FALSE, col.names = FALSE)
