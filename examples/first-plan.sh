#!/usr/bin/env bash
# A session with Spur, from an empty cluster to a finished job. Every step checks its answer; the first that is not as
# expected ends the session with status 1. Names, speeds and prices are synthetic. Node and jobs are gone at the end; type, pool and
# tenant stay.
#
# usage: examples/first-plan.sh [ADDRESS]; default: SPUR_URL; SPUR_TOKEN has the token if the service requires one
set -euo pipefail

address=${1:-${SPUR_URL:-http://127.0.0.1:8080}}
api=$address/api/v1
token=(${SPUR_TOKEN:+-H "Authorization: Bearer $SPUR_TOKEN"})
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
answer=$(mktemp -d)
node=/nodes/example-1
jobs=()
trap leave EXIT

step() { printf '\n== %s\n' "$*"; }
say() { printf '   %s\n' "$*"; }
fail() {
  printf '   FAILED: %s\n' "$*" >&2
  [[ ! -s $answer/body ]] || { head -c 2000 "$answer/body" && echo; } >&2
  exit 1
}

# call METHOD PATH [curl options]: prints the request, keeps status, headers and body.
call() {
  local method=$1 path=$2
  shift 2
  : >"$answer/body"
  status=$(curl -sS "${token[@]}" -X "$method" -D "$answer/headers" -o "$answer/body" -w '%{http_code}' \
    -H 'Content-Type: application/json' "$@" "$api$path") || fail "the service at $address does not respond; start ./spur serve"
  say "$method $path -> $status"
}

# expect STATUS...: one of these was the status.
expect() {
  local wanted
  for wanted in "$@"; do
    [[ $status != "$wanted" ]] || return 0
  done
  fail "expected status $*, got $status"
}

header() { sed -n "s/^$1: *\(.*\)\r$/\1/Ip" "$answer/headers"; }

# text NAME: the first member of that name in the body, if it is a string; number NAME: the same for a number.
text() { grep -o "\"$1\":\"[^\"]*\"" "$answer/body" | head -n 1 | cut -d '"' -f 4; }
number() { grep -o "\"$1\":-\?[0-9.E-]*" "$answer/body" | head -n 1 | cut -d : -f 2; }

# register PATH [curl options]: what is there already stays as it is.
register() {
  status=$(curl -sS "${token[@]}" -o "$answer/body" -w '%{http_code}' "$api$1")
  if [[ $status == 200 ]]; then
    say "$1 is there already"
  else
    call PUT "$@"
    expect 201
  fi
}

# Leaves no job and no node behind, also after a failed step: nothing would run jobs on that node.
leave() {
  local job
  for job in "${jobs[@]}"; do
    curl -sS "${token[@]}" -o /dev/null -X POST "$api/jobs/$job/cancel" || true
  done
  curl -sS "${token[@]}" -o /dev/null -X DELETE "$api$node" || true
  rm -rf "$answer"
}

# await_state JOB STATE: waits for a round to bring the job there.
await_state() {
  local try
  for try in {1..120}; do
    status=$(curl -sS "${token[@]}" -o "$answer/body" -w '%{http_code}' "$api/jobs/$1")
    [[ $(text state) != "$2" ]] || return 0
    sleep 0.5
  done
  fail "job $1 is $(text state), not $2, after $try tries"
}

step "The cluster: a type of accelerator, a pool, a node with four of them"
register /accelerator-types/H100 -d '{"memoryGiB": 80}'
register /pools/example -d '{}'
register "$node" -d @"$here/node.json"

step "A tenant"
register /tenants/root -d '{}'
register /tenants/example -d '{"parent": "root", "quotas": {"H100": {"nominal": 8}}}'

step "A job, submitted once however often it is sent"
key="first-plan-$(date +%s)-$$"
call POST /jobs -H "Idempotency-Key: $key" -d @"$here/job.json"
expect 201
job=$(text id)
jobs+=("$job")
call POST /jobs -H "Idempotency-Key: $key" -d @"$here/job.json"
expect 201
[[ $(text id) == "$job" && $(header Idempotent-Replayed) == true ]] || fail "the second answer is not a replay of the first"
say "job $job, and the second submission is a replay of the first"

step "A submission with mistakes: each is named"
call POST /jobs -d '{"owner": "ann@example.org", "spec": {"work": {"unit": "HOURS", "amount": -1}}}'
expect 400
say "$(grep -o '"pointer":"[^"]*"' "$answer/body" | cut -d '"' -f 4 | tr '\n' ' ')"

step "A second job, for which there will be no room"
call POST /jobs -H "Idempotency-Key: $key-second" -d @"$here/second-job.json"
expect 201
second=$(text id)
jobs+=("$second")

step "A round, now"
call POST /rounds
expect 202 409
await_state "$job" RUNNING
await_state "$second" WAITING
say "job $job runs, job $second waits"

step "The plan, and polls that cost nothing while it stands"
call GET /plans/current
expect 200
etag=$(header ETag)
revision=$(number revision)
say "revision $revision, $(grep -o '"quality":{[^}]*}' "$answer/body")"
call GET /plans/current -H "If-None-Match: $etag"
# A round in between may have published again.
expect 304 200
call GET "$node/assignments"
expect 200
grep -q "$job" "$answer/body" || fail "the node has no assignment of job $job"

step "Why does the second job wait?"
call GET "/jobs/$second/explanation?unblock=true"
expect 200
[[ -n $(text reason) ]] || fail "there is no reason"
say "$(text reason): $(text message)"
say "$(grep -o '"unblock":.*' "$answer/body" | grep -o '"message":"[^"]*"' | head -n 1 | cut -d '"' -f 4)"

step "What if there were a second node? (nothing is touched)"
call POST /what-if -d @"$here/what-if.json"
expect 200
grep -q "\"jobId\":\"$second\",\"change\":\"START\"" "$answer/body" || fail "the second job would not start"
say "the second job would start: $(grep -o "\"jobId\":\"$second\",\"change\":\"START\".*" "$answer/body" |
  grep -o '"message":"[^"]*"' | head -n 1 | cut -d '"' -f 4)"

step "Progress, as an executor reports it"
call GET "/jobs/$job"
generation=$(number generation)
# Reports of a generation are numbered upwards; milliseconds will do.
seq=$(($(date +%s) * 1000 + 1000))
call POST "/jobs/$job/progress" -d "{\"generation\": $generation, \"seq\": $seq, \"samplesTotal\": 300000, \"state\": \"RUNNING\"}"
expect 200
say "directive: $(text directive)"
call POST "/jobs/$job/progress" -d "{\"generation\": $generation, \"seq\": $((seq + 1000)), \"samplesTotal\": 700000, \"state\": \"COMPLETED\"}"
expect 200
await_state "$job" DONE
say "job $job is done"

step "The next plan, awaited with a long poll"
call GET "/plans/current?after=$revision&wait=30"
expect 200
await_state "$second" RUNNING
say "job $second runs"

step "The end"
call POST "/jobs/$second/cancel"
expect 200
call DELETE "$node"
expect 204
jobs=()
say "All steps went as expected."
