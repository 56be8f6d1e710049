#!/bin/sh
# Runs one process of a job independently of the agent. Records the identity of the guard and the exit status of the job.
# Ends the job when the lease of the node has expired, even if the agent is dead or stopped.
#
# usage: guard.sh FOLDER LEASE GRACE CGROUP COMMAND [ARGUMENT...]
#   FOLDER   receives the files "pid" (process id, start time), "exit" (status) and, after an expired lease, "lapsed".
#   LEASE    file whose first word is the expiry of the lease in seconds of machine uptime.
#   GRACE    seconds from SIGTERM to SIGKILL.
#   CGROUP   folder of the control group to enter; empty for none.
#
# The guard must be a session leader, because its signals go to its whole process group.
folder=$1 lease=$2 grace=$3 cgroup=$4
shift 4

note() { echo "$2" >"$folder/$1.new" && mv "$folder/$1.new" "$folder/$1"; }

# The 22nd field of stat. The second field is the name of the shell, which has no blanks.
start_time() {
  # shellcheck disable=SC2046
  set -- $(cat "/proc/$$/stat")
  echo "${22}"
}

# Without its folder the agent cannot find the process and would never end it.
has_lapsed() {
  [ -d "$folder" ] || return 0
  read -r until rest <"$lease" || return 1
  read -r uptime rest </proc/uptime || return 1
  [ "${uptime%.*}" -ge "$until" ]
}

# The sleep runs without the job's environment, because the agent finds the job's remaining processes by it.
watch_lease() {
  while ! has_lapsed; do env -i sleep 1; done
  note lapsed "$until"
  kill -s TERM -- "-$$"
  while [ "$grace" -gt 0 ]; do
    env -i sleep 1
    grace=$((grace - 1))
  done
  kill -s KILL -- "-$$"
}

note pid "$$ $(start_time)"
if has_lapsed; then
  note lapsed "$until"
  note exit 143
  exit
fi
if [ -n "$cgroup" ]; then echo "$$" >"$cgroup/cgroup.procs"; fi
# Signals to the group are for the job. The job inherits the default action of a trapped signal, but not of an ignored one.
trap : TERM INT HUP
"$@" &
job=$!
# The log belongs to the job; messages of the shell about killed sleeps are discarded.
(trap : TERM INT HUP; watch_lease) 2>/dev/null &
watch=$!
# A signal interrupts wait. The loop ends when the job no longer exists.
while :; do
  wait "$job"
  status=$?
  kill -s 0 "$job" 2>/dev/null || break
done
kill -s KILL "$watch"
note exit "$status"
