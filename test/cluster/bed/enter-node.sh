#!/bin/sh
# Moves this process into cgroups of its own, then into the mounts and the cgroup namespace of the node.
# usage: enter-node.sh NAME FOLDER CONTAINERD-CONFIG CONTAINERD-SOCKET KUBELET...
set -eu
name=$1
shift
for controller in cpu cpuacct cpuset memory devices freezer blkio pids systemd; do
  own=$(sed -En "s/^[0-9]+:(name=)?$controller:(.*)/\2/p" /proc/self/cgroup)
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
exec unshare --mount --cgroup sh "$(dirname "$0")/node.sh" "$@"
