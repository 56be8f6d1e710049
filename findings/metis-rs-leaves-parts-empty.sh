#!/usr/bin/env bash
# metis-rs: of eight parts of a regular graph three are empty, and one holds 98 % of the vertices.
#
# Seen with metis-rs 0.1.0, pymetis 2025.2.2 and networkx 3.6.1 (CPython 3.11, Linux x86-64), 2026-12-01.
#
# Documentation: "a pure-Rust multilevel k-way graph partitioner inspired by METIS". The default of METIS (ufactor)
# allows k-way parts 3 % above their mean. partition() of metis-rs has no argument for the balance.
#
# Behavior: 1,200 vertices of degree 4 without weights are divided into eight parts. metis-rs puts 1,182 vertices into
# the first one and leaves three empty, without an error. METIS itself gives 150 vertices to each part. The parts of a
# path are unequal as well: three of them have 640, 320 and 240 vertices. A scheduler that assigns the workers of a job
# to nodes in this way loads one node with nearly all of them. No report was found.
#
# The packages are installed into a temporary folder.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/env"
"$folder/env/bin/pip" install -q metis-rs==0.1.0 pymetis==2025.2.2 networkx==3.6.1
cat >"$folder/program.py" <<'PROGRAM'
import metis_rs, networkx, pymetis

def show(name, graph, number):
    neighbors = [sorted(graph[vertex]) for vertex in range(len(graph))]
    offsets = [0]
    for adjacent in neighbors:
        offsets.append(offsets[-1] + len(adjacent))
    _, parts = metis_rs.partition(metis_rs.Graph(len(graph), offsets, sum(neighbors, [])), number)
    _, metis = pymetis.part_graph(number, adjacency=neighbors)
    sizes = [list(metis).count(part) for part in range(number)]
    print(name, [parts.count(part) for part in range(number)],
          "METIS at most", max(sizes), "at least", min(sizes))

show("regular", networkx.random_regular_graph(4, 1200, seed=1), 8)
show("path", networkx.path_graph(1200), 3)
PROGRAM
"$folder/env/bin/python" "$folder/program.py" | tee "$folder/output"
diff "$folder/output" - <<'EXPECTED'
regular [1182, 0, 0, 0, 4, 5, 4, 5] METIS at most 150 at least 150
path [640, 320, 240] METIS at most 400 at least 400
EXPECTED
