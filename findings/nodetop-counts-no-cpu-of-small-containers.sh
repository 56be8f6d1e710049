#!/usr/bin/env bash
# nodetop: containers of less than one CPU count as none, so a full Kubernetes node has 16 free CPUs for a new job.
#
# Seen with nodetop 0.7.0, and kubernetes 37.0.2 for comparison (CPython 3.11, Linux x86-64), 2026-12-01.
#
# Documentation: "free is what you can have, not what is advertised". The code for pods states "What the scheduler
# actually reserves for a pod".
#
# Behavior: the CPUs of each container are rounded down to a whole number before the sum. So 16 containers of 900m
# count as 0 CPUs, and 8 of 1900m as 8. On a node of 16 CPUs, 16 and 8 are free instead of 1.6 and 0.8. Memory with the
# suffix k or m counts as 0; both are valid quantities. "nodetop where" reports that a job of 16 CPUs starts now, but
# it does not fit. Whole CPUs and memory in Gi are right. The sums by the kubernetes package are the comparison. No report
# was found.
#
# kubectl is a short script, which prints the node and the pods. The packages are installed into a temporary folder.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/env"
"$folder/env/bin/pip" install -q nodetop==0.7.0 kubernetes==37.0.2
cat >"$folder/kubectl" <<'KUBECTL'
#!/bin/sh
case "$*" in
  "get nodes"*) cat "$folder/nodes.json" ;;
  "get pods"*) cat "$folder/pods.json" ;;
  "get namespaces"*) echo '{"items": [{"metadata": {"name": "training"}, "status": {"phase": "Active"}}]}' ;;
  "get resourcequota"*) echo '{"items": []}' ;;
  *whoami*) echo '{"status": {"userInfo": {"username": "user", "groups": []}}}' ;;
  *can-i*) echo yes ;;
  *) echo pod/probe ;;
esac
KUBECTL
chmod +x "$folder/kubectl"
cat >"$folder/program.py" <<'PROGRAM'
import json, os, pathlib, subprocess, sys
from kubernetes.utils.quantity import parse_quantity

folder = pathlib.Path(os.environ["folder"])

def nodetop(*arguments):
    command = [folder / "env/bin/nodetop", "--backend", "kubernetes", "--json", *arguments]
    return json.loads(subprocess.run(command, check=True, capture_output=True).stdout)[0]

def show(pods, **requests):
    containers = [{"name": "main", "resources": {"requests": requests}}]
    allocatable = {"cpu": "16", "memory": "64Gi"}
    condition = {"type": "Ready", "status": "True"}
    node = {"metadata": {"name": "node"}, "spec": {}, "status": {"allocatable": allocatable, "conditions": [condition]}}
    pod = {"metadata": {"name": "pod"}, "spec": {"nodeName": "node", "containers": containers},
           "status": {"phase": "Running"}}
    folder.joinpath("nodes.json").write_text(json.dumps({"items": [node]}))
    folder.joinpath("pods.json").write_text(json.dumps({"items": pods * [pod]}))
    free = {name: parse_quantity(total) - pods * parse_quantity(requests[name]) for name, total in allocatable.items()}
    seen = nodetop("nodes")
    where = nodetop("where", "--cpus", "16")
    print(pods, "pods of", *requests.values(), "| free CPUs", seen["cpus"][0], "instead of", float(free["cpu"]),
          "| free GiB", seen["memory_gb"][0], "instead of", round(float(free["memory"]) / 2**30, 1),
          "| 16 CPUs start now", where["starts_now"])

show(14, cpu="1", memory="4Gi")
show(16, cpu="900m", memory="2Gi")
show(8, cpu="1900m", memory="4Gi")
show(16, cpu="500m", memory="4000000k")
show(16, cpu="0.5", memory="4000000000000m")
PROGRAM
folder=$folder XDG_CACHE_HOME=$folder PATH=$folder:$PATH "$folder/env/bin/python" "$folder/program.py" |
  tee "$folder/output"
diff "$folder/output" - <<'EXPECTED'
14 pods of 1 4Gi | free CPUs 2 instead of 2.0 | free GiB 8 instead of 8.0 | 16 CPUs start now False
16 pods of 900m 2Gi | free CPUs 16 instead of 1.6 | free GiB 32 instead of 32.0 | 16 CPUs start now True
8 pods of 1900m 4Gi | free CPUs 8 instead of 0.8 | free GiB 32 instead of 32.0 | 16 CPUs start now False
16 pods of 500m 4000000k | free CPUs 16 instead of 8.0 | free GiB 64 instead of 4.4 | 16 CPUs start now True
16 pods of 0.5 4000000000000m | free CPUs 16 instead of 8.0 | free GiB 64 instead of 4.4 | 16 CPUs start now True
EXPECTED
