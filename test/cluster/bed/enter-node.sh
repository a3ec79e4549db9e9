#!/bin/sh
# Runs a command as on a node: in cgroups, mounts and a cgroup namespace of its own. What it writes outside of FOLDER is hidden.
# usage: enter-node.sh NAME FOLDER COMMAND...
set -eu
name=$1
shift
for controller in cpu cpuacct cpuset memory devices freezer blkio pids systemd; do
  own=$(sed -En "s/^[0-9]+:([^:]*,)?(name=)?$controller(,[^:]*)?:(.*)/\4/p" /proc/self/cgroup)
  parent=/sys/fs/cgroup/$controller$own
  group=${parent%/}/$name
  mkdir -p "$group"
  # A new cpuset is empty.
  if [ "$controller" = cpuset ]; then
    cat "$parent/cpuset.cpus" >"$group/cpuset.cpus"
    cat "$parent/cpuset.mems" >"$group/cpuset.mems"
  fi
  echo 0 >"$group/cgroup.procs"
done
exec unshare --mount --cgroup sh "$(dirname "$0")/node-mounts.sh" "$@"
