#!/usr/bin/env bash
# javascript-lp-solver: the objective of the result is 0, while the variables of the same result cost 10.
#
# Seen with javascript-lp-solver 1.0.3, and yalps 0.6.4 for comparison (Node.js 20.20, Linux x86-64), 2026-12-01.
#
# Documentation (README): "result" is the value of the objective, as in "{ feasible: true, result: 50, x: 10 }".
#
# Behavior: at most two nodes have 3 GPUs each, and the balance of GPUs must be -6 at most, so both are needed. The
# result has both nodes, but states the cost 0 instead of 10, for a minimum and a maximum. With a third node available
# the cost is right. If the same row is written as a minimum of 6, it is right, too. Of 3,000 random models, the script
# counts those whose stated objective differs from the one of the stated variables; the variables are the same as
# YALPS finds, or as good. A planner that compares two such plans by their result takes the expensive one. No report
# was found; reports 9, 53 and 111 of jsLPSolver are about other results.
#
# Node.js and npm are required. The packages are installed into a temporary folder.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
npm install --silent --no-audit --no-fund --prefix "$folder" javascript-lp-solver@1.0.3 yalps@0.6.4 >"$folder/log"
cat >"$folder/program.mjs" <<'PROGRAM'
import solver from "javascript-lp-solver";
import { solve } from "yalps";

function run(constraints, variables, opType) {
  const plan = solver.Solve({ optimize: "cost", opType, constraints: structuredClone(constraints), variables });
  let cost = 0;
  for (const name in variables) cost += variables[name].cost * (plan[name] || 0);
  const yalps = solve({ direction: `${opType}imize`, objective: "cost", constraints, variables });
  return [plan, cost, yalps.status === "optimal" ? yalps.result : yalps.status];
}

function show(name, constraints, node, opType) {
  const [plan, cost, yalps] = run(constraints, { nodes: node }, opType);
  console.log(`${name}, ${opType}: nodes ${plan.nodes}, result ${plan.result}, cost of nodes ${cost}, YALPS ${yalps}`);
}

for (const opType of ["min", "max"]) {
  show("balance -6, 2 nodes", { balance: { max: -6 }, limit: { max: 2 } }, { cost: 5, balance: -3, limit: 1 }, opType);
  show("GPUs 6, 2 nodes", { gpus: { min: 6 }, limit: { max: 2 } }, { cost: 5, gpus: 3, limit: 1 }, opType);
}
show("balance -6, 3 nodes", { balance: { max: -6 }, limit: { max: 3 } }, { cost: 5, balance: -3, limit: 1 }, "min");

let seed = 1;
function draw(least, most) {
  seed = (seed * 1103515245 + 12345) & 0x7fffffff;
  return least + (seed >> 8) % (most - least + 1);
}
const counts = { models: 0, result: 0, variables: 0 };
while (counts.models < 3000) {
  const variables = {};
  const constraints = {};
  for (let node = 0; node < draw(1, 3); node++) {
    variables[`nodes-${node}`] = { cost: draw(1, 9), [`limit-${node}`]: 1 };
    constraints[`limit-${node}`] = { max: draw(1, 5) };
  }
  for (let row = 0; row < draw(1, 3); row++) {
    constraints[`row-${row}`] = { [["max", "min", "equal"][draw(0, 2)]]: draw(-9, 9) };
    for (const name in variables) variables[name][`row-${row}`] = draw(-4, 4);
  }
  const [plan, cost, yalps] = run(constraints, variables, "min");
  if (!plan.feasible || typeof yalps !== "number") continue;
  counts.models++;
  counts.result += Math.abs(plan.result - cost) > 1e-6;
  counts.variables += Math.abs(cost - yalps) > 1e-6;
}
console.log(`of ${counts.models} models, wrong result ${counts.result}, wrong variables ${counts.variables}`);
PROGRAM
node "$folder/program.mjs" | tee "$folder/output"
diff "$folder/output" - <<'EXPECTED'
balance -6, 2 nodes, min: nodes 2, result 0, cost of nodes 10, YALPS 10
GPUs 6, 2 nodes, min: nodes 2, result 10, cost of nodes 10, YALPS 10
balance -6, 2 nodes, max: nodes 2, result 0, cost of nodes 10, YALPS 10
GPUs 6, 2 nodes, max: nodes 2, result 10, cost of nodes 10, YALPS 10
balance -6, 3 nodes, min: nodes 2, result 10, cost of nodes 10, YALPS 10
of 3000 models, wrong result 24, wrong variables 0
EXPECTED
