#!/usr/bin/env bash
# Python-MIP finds no HiGHS if highspy 1.16 is installed, and asks for the installation of highspy.
#
# Seen with mip 2.0.0 and highspy 1.16.0, and 1.15.0 for comparison (CPython 3.11, Linux x86-64), 2026-11-29.
#
# Behavior: `pip install mip[highs]` accepts highspy 1.16.0 (requirement: highspy>=1.9.0). Python-MIP takes the C functions of
# HiGHS from the extension module of highspy. Those of 1.9.0 to 1.15.0 export them; that of 1.16.0 does not. The error is a
# FileNotFoundError with the advice "Please install the `highspy` package".
#
# The packages are installed into temporary folders.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
solve() {
  python3 -m venv "$folder/$1"
  "$folder/$1/bin/pip" install -q "mip[highs]==2.0.0" "highspy==$1"
  "$folder/$1/bin/python" - 2>&1 <<'PROGRAM'
import mip
try:
    model = mip.Model(sense=mip.MAXIMIZE, solver_name="HIGHS")
    model.verbose = 0
    x = model.add_var(var_type=mip.INTEGER, ub=2.5, obj=1)
    print(model.optimize().name, model.objective_value)
except FileNotFoundError as error:
    print("FileNotFoundError", error)
PROGRAM
}
solve 1.15.0 | tail -1 | tee "$folder/old"
solve 1.16.0 | tail -1 | tee "$folder/new"
grep -qx "OPTIMAL 2.0" "$folder/old"
grep -q "FileNotFoundError HiGHS not found. Please install the .highspy. package" "$folder/new"
