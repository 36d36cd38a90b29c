#!/bin/sh
# Writes every parity fixture anew into library/test/parity/fixtures. Takes about a minute.
# The oracles are Debian's packages; missing ones are installed when that is possible (root, apt-get).
set -eu
cd "$(dirname "$0")"

missing=""
python=/usr/bin/python3
$python -c "import sklearn, scipy, numpy" 2>/dev/null || missing="$missing python3-sklearn python3-scipy python3-numpy"
command -v liblinear-train >/dev/null || missing="$missing liblinear-tools"
command -v svm-train >/dev/null || missing="$missing libsvm-tools"
command -v Rscript >/dev/null || missing="$missing r-base-core"
for package in glmnet MASS nnet e1071 kernlab rpart mclust; do
  Rscript -e "quit(status = !requireNamespace('$package', quietly = TRUE))" >/dev/null 2>&1 ||
    missing="$missing r-cran-$(echo $package | tr '[:upper:]' '[:lower:]')"
done
if [ -n "$missing" ]; then
  echo "installing$missing" >&2
  apt-get install -y --no-install-recommends $missing
fi

# What scripts share (shapes.py, certify.py, r.py, liblinear.py) is beside this file.
export PYTHONPATH="$PWD"

# The certificates of certify.py replace the solvers' own warnings about convergence.
for script in shapes linear/least_squares linear/lasso linear/linear_cv linear/positive linear/logistic linear/linear_svm \
  linear/huber_poisson linear/sgd probabilistic/bayes probabilistic/discriminant probabilistic/neighbors \
  probabilistic/clustering probabilistic/mixture probabilistic/decomposition neural/neural kernels/support_vectors \
  kernels/svc_probabilities kernels/kernel_machines kernels/libsvm_models kernels/kernel_methods trees/trees \
  trees/ada_boost trees/ada_boost_regressor trees/bagging trees/hist_boosting preparing/encoders preparing/preprocessing \
  judging/metrics judging/evaluation preparing/text linear/several_targets judging/splitters judging/cross_validate \
  preparing/imputers preparing/compose judging/inspection preparing/scalers preparing/feature_selection \
  made_of_others/meta preparing/column_maps made_of_others/isotonic made_of_others/multiclass \
  made_of_others/model_selectors made_of_others/multi_output judging/searches; do
  OPENBLAS_NUM_THREADS=1 $python -B -W ignore $script.py
done
# PyTorch is large and not needed for anything else: its fixture is written anew where it is installed (python3-torch).
if $python -c "import torch" 2>/dev/null; then
  $python -B -W ignore neural/torch_layers.py
else
  echo "torch-layers.json: left as it is, since PyTorch is not installed" >&2
fi
du -sh ../../library/test/parity/fixtures
