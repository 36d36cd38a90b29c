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

# The certificates of certify.py replace the solvers' own warnings about convergence.
for script in shapes least_squares lasso linear_cv positive logistic linear_svm huber_poisson sgd bayes discriminant neighbors clustering mixture decomposition neural support_vectors svc_probabilities kernel_machines libsvm_models kernel_methods trees ada_boost ada_boost_regressor bagging hist_boosting encoders preprocessing metrics evaluation text several_targets splitters cross_validate imputers compose inspection scalers feature_selection meta column_maps isotonic multiclass model_selectors multi_output searches; do
  OPENBLAS_NUM_THREADS=1 $python -B -W ignore $script.py
done
# PyTorch is large and not needed for anything else: its fixture is written anew where it is installed (python3-torch).
if $python -c "import torch" 2>/dev/null; then
  $python -B -W ignore torch_layers.py
else
  echo "torch-layers.json: left as it is, since PyTorch is not installed" >&2
fi
du -sh ../../library/test/parity/fixtures
