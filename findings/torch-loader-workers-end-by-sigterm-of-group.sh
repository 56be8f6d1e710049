#!/usr/bin/env bash
# A SIGTERM to the process group kills the workers of a PyTorch DataLoader, although the training handles the signal.
#
# Seen with torch 2.15.0 (CPython 3.11, Linux x86-64, CPU), 2026-11-29.
#
# Behavior: batch systems signal the whole group of a job. The main process has a handler, so that it can save a checkpoint.
# The workers of its loader end by the signal. A later batch raises an error in the main process, within its grace period:
# a RuntimeError (the worker exited unexpectedly, or was killed by a signal) or a ConnectionResetError.
#
# The packages are installed into a temporary folder (about 3 GB).
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/env"
"$folder/env/bin/pip" install -q torch==2.15.0 numpy==2.4.6
cat >"$folder/program.py" <<'PROGRAM'
import os, signal, torch
received = []
signal.signal(signal.SIGTERM, lambda *_: received.append(1))
loader = torch.utils.data.DataLoader(torch.arange(400), batch_size=1, num_workers=1, prefetch_factor=2)
seen = 0
try:
    for batch in loader:
        seen += 1
        if seen == 5:
            os.killpg(0, signal.SIGTERM)
    print("end after", seen, "handler calls", len(received))
except (RuntimeError, OSError) as error:
    print("handler calls", len(received), "|", type(error).__name__, error)
PROGRAM
setsid -w "$folder/env/bin/python" "$folder/program.py" | tee "$folder/output"
grep -Eq '^handler calls 1 \| (RuntimeError|ConnectionResetError)' "$folder/output"
