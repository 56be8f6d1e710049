#!/bin/sh
# Runs one process of a job independently of the agent. Records the identity of the guard and the exit status of the job.
# Ends the job when the lease of the node has expired, even if the agent is dead or stopped.
#
# usage: guard.sh FOLDER LEASE GRACE CGROUP LOG BYTES USER COMMAND [ARGUMENT...]
#   FOLDER   receives the files "pid" (process id, start time), "exit" (status) and, after an expired lease, "lapsed".
#   LEASE    file whose two words are the expiry of the lease in seconds of machine uptime; they differ during a renewal.
#   GRACE    seconds from SIGTERM to SIGKILL.
#   CGROUP   folder of the control group to enter; empty for none.
#   LOG      file that receives the output of the job.
#   BYTES    size at which LOG is renamed to LOG.1 and continued in a new file.
#   USER     user id and group id of the job, with a colon between them; empty for the user of the guard. FOLDER then has
#            a file "environment" with commands that set the variables and the working directory of the job.
#
# The guard must be a session leader, because its signals go to its whole process group.
folder=$1 lease=$2 grace=$3 cgroup=$4 log=$5 bytes=$6 user=$7
shift 7

# Overwrites an existing temporary file in place, so that a file that was prepared is also written on a full disk.
note() { echo "$2" 1<>"$folder/$1.new" && mv "$folder/$1.new" "$folder/$1"; }

# The 22nd field of stat. The second field is the name of the shell, which has no blanks.
start_time() {
  # shellcheck disable=SC2046
  set -- $(cat "/proc/$$/stat")
  echo "${22}"
}

# Without its folder the agent cannot find the process and would never end it.
has_lapsed() {
  [ -d "$folder" ] || return 0
  read -r until again <"$lease" || return 1
  [ "$until" = "$again" ] || return 1
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

# Writes the output of the job to its log until no process writes any more. On a full disk it discards output, because a
# job that waits for its output would not train.
write_log() {
  while :; do
    : >>"$log"
    before=$(wc -c <"$log")
    # counts each read as a block, so it may end early
    env -i dd bs=4096 count="$((bytes - before))" iflag=count_bytes oflag=append conv=notrunc of="$log" || {
      env -i timeout --foreground 1 cat >/dev/null
      continue
    }
    after=$(wc -c <"$log")
    [ "$after" -gt "$before" ] || break
    if [ "$after" -ge "$bytes" ]; then mv "$log" "$log.1"; fi
  done
}

# The job reads its variables after the change of its user, so that they have no effect on a process of the guard's user.
start_as_user() {
  # shellcheck disable=SC2016
  exec setpriv --reuid="${user%:*}" --regid="${user#*:}" --init-groups --no-new-privs -- \
    sh -c 'eval "$(cat <&3)" && exec 3<&- && exec "$@"' sh "$@" 3<"$folder/environment"
}

# The files are written at the end, when the disk may be full.
echo "   " >"$folder/exit.new" && echo "            " >"$folder/lapsed.new" && mkfifo -m 600 "$folder/output" || exit 1
# A job may open its output by name, as /dev/stderr.
if [ -n "$user" ]; then chown -h "$user" "$folder/output" || exit 1; fi
(umask 022; note pid "$$ $(start_time)") || exit 1
if has_lapsed; then
  note lapsed "$until"
  note exit 143
  exit
fi
if [ -n "$cgroup" ]; then echo "$$" >"$cgroup/cgroup.procs"; fi
# Signals to the group are for the job. The job inherits the default action of a trapped signal, but not of an ignored one.
trap : TERM INT HUP
(trap '' TERM INT HUP; write_log) <"$folder/output" 2>/dev/null &
writer=$!
if [ -n "$user" ]; then start_as_user "$@" >"$folder/output" 2>&1 & else "$@" >"$folder/output" 2>&1 & fi
job=$!
(trap : TERM INT HUP; watch_lease) &
watch=$!
# A signal interrupts wait. The loop ends when the job no longer exists.
while :; do
  wait "$job"
  status=$?
  kill -s 0 "$job" 2>/dev/null || break
done
kill -s KILL "$watch"
# The log is complete before the end is recorded, unless a process that the job has left behind still writes.
tries=20
while [ "$tries" -gt 0 ] && kill -s 0 "$writer" 2>/dev/null; do
  env -i sleep 0.1
  tries=$((tries - 1))
done
note exit "$status"
