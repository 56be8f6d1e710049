#!/usr/bin/env bash
# Grain: the shards of an ElasticIterator end after different numbers of batches, which depend on the number of hosts.
#
# Seen with grain 0.2.18 (CPython 3.11, Linux x86-64, CPU), 2026-11-30.
#
# Behavior: the iterator batches and shards itself, so that a training can resume with another number of hosts. Each
# shard drops its own remainder, not that of the global batch. 30 samples with a global batch of 8 are 3 whole batches.
# 1 and 2 hosts give 3 each. With 4 hosts, two give 4 batches and two give 3, so two hosts have no batch for step 4, and
# the collective operation of that step is incomplete. A training on 2 hosts meets this only after a resize. It occurs
# if the samples after the last whole batch are more than the global batch less the number of hosts.
#
# The package is installed into a temporary folder.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/env"
"$folder/env/bin/pip" install -q grain==0.2.18
cat >"$folder/program.py" <<'PROGRAM'
import grain
from grain.experimental import ElasticIterator

def shards(hosts, step):
    iterators = [ElasticIterator(grain.MapDataset.range(30), 8, grain.sharding.ShardOptions(host, hosts))
                 for host in range(hosts)]
    for iterator in iterators:
        iterator.set_state({"global_next_index": 8 * step})
    return [len(list(iterator)) for iterator in iterators]

for hosts in 1, 2, 4, 8:
    print("hosts", hosts, "batches", shards(hosts, 0), "after a resume at step 1", shards(hosts, 1))
PROGRAM
"$folder/env/bin/python" "$folder/program.py" 2>"$folder/errors" | tee "$folder/output"
diff "$folder/output" - <<'EXPECTED'
hosts 1 batches [3] after a resume at step 1 [2]
hosts 2 batches [3, 3] after a resume at step 1 [2, 2]
hosts 4 batches [4, 4, 3, 3] after a resume at step 1 [3, 3, 2, 2]
hosts 8 batches [4, 4, 4, 4, 4, 4, 3, 3] after a resume at step 1 [3, 3, 3, 3, 3, 3, 2, 2]
EXPECTED
