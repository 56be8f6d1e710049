#!/bin/sh
# Runs one process of a job so that it does not depend on the agent: notes which process this is and how the job ended, and
# ends the job when the lease of the node has lapsed, also while the agent is dead or stopped.
#
# usage: guard.sh FOLDER LEASE GRACE CGROUP COMMAND [ARGUMENT...]
#   FOLDER   gets the files "pid" (process id, start time), "exit" (status) and, if it comes to that, "lapsed"
#   LEASE    file whose first word is the uptime of the machine, in whole seconds, up to which jobs may run
#   GRACE    seconds from SIGTERM to SIGKILL
#   CGROUP   folder of the control group to enter; empty for none
#
# It must lead a session of its own: the signals go to its whole process group.
folder=$1 lease=$2 grace=$3 cgroup=$4
shift 4

note() { echo "$2" >"$folder/$1.new" && mv "$folder/$1.new" "$folder/$1"; }

# The 22nd field of stat; the name in the second has no blanks, it is that of a shell.
start_time() {
  # shellcheck disable=SC2046
  set -- $(cat "/proc/$$/stat")
  echo "${22}"
}

# Without its folder nobody finds the process again, so that nobody else would ever end it.
has_lapsed() {
  [ -d "$folder" ] || return 0
  read -r until rest <"$lease" || return 1
  read -r uptime rest </proc/uptime || return 1
  [ "${uptime%.*}" -ge "$until" ]
}

# Sleeps are without the environment of the job, by which the agent finds what is left of it.
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
# Signals to the group are for the job. What is trapped here, unlike what is ignored, has its default in the job.
trap : TERM INT HUP
"$@" &
job=$!
# The log is the job's: what a shell says of sleeps that were ended does not belong there.
(trap : TERM INT HUP; watch_lease) 2>/dev/null &
watch=$!
# A signal ends a wait early; what has been waited for to the end is no longer there.
while :; do
  wait "$job"
  status=$?
  kill -s 0 "$job" 2>/dev/null || break
done
kill -s KILL "$watch"
note exit "$status"
