#!/bin/sh
# Mounts what a node needs, in a mount and a cgroup namespace of its own, and runs a command there.
# usage: node-mounts.sh FOLDER COMMAND...
set -eu
folder=$1
shift

mount --make-rprivate /
# This network's devices, and the cgroups below ours as the root.
mount -t sysfs sysfs /sys
mount -t tmpfs cgroup /sys/fs/cgroup
for controller in cpu cpuacct cpuset memory devices freezer blkio pids; do
  mkdir "/sys/fs/cgroup/$controller"
  mount -t cgroup -o "$controller" cgroup "/sys/fs/cgroup/$controller"
done
mkdir /sys/fs/cgroup/systemd
mount -t cgroup -o none,name=systemd cgroup /sys/fs/cgroup/systemd

# The kubelet changes these for the whole machine: it gets files that look as it likes them.
mkdir -p "$folder/settings"
for setting in vm/overcommit_memory=1 vm/panic_on_oom=0 kernel/panic=10 kernel/panic_on_oops=1 \
  kernel/keys/root_maxkeys=1000000 kernel/keys/root_maxbytes=25000000; do
  path=/proc/sys/${setting%=*}
  file=$folder/settings/$(basename "$path")
  echo "${setting#*=}" >"$file"
  mount --bind "$file" "$path"
done

for hidden in /run /var/lib /var/log; do mount -t tmpfs tmpfs "$hidden"; done
mount --make-rshared /
exec "$@"
