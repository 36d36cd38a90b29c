# e1071's side of bayes.py: Rscript naive_bayes.R folder, which holds X.csv and y.csv. Writes out.csv: one row a class, the
# means of all columns, then their deviations (divisor n − 1).
suppressMessages(library(e1071))
at <- function(name) file.path(commandArgs(trailingOnly = TRUE)[1], name)
X <- unname(as.matrix(read.csv(at("X.csv"), header = FALSE)))
y <- factor(read.csv(at("y.csv"), header = FALSE, stringsAsFactors = FALSE)[[1]])
tables <- naiveBayes(X, y)$tables
rows <- cbind(sapply(tables, function(table) table[, 1]), sapply(tables, function(table) table[, 2]))
write.table(format(rows, digits = 17), at("out.csv"), sep = ",", row.names = FALSE, col.names = FALSE, quote = FALSE)
