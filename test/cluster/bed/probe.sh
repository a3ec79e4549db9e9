#!/bin/sh
# Tries what the kernel must allow for a node, in the place of a run: its network, its mounts and cgroups, the file system of its images.
# What fails says why. usage: probe.sh NAME FOLDER
set -eu
name=$1 folder=$2
bed=$(dirname "$0")

ip link set lo up
ip link add probe0 type bridge
ip link add probe1 type veth peer name probe2
echo 1 >/proc/sys/net/ipv4/ip_forward
nft 'table ip probe { chain nat { type nat hook postrouting priority 100; masquerade; }; }'
nft 'table ip local { chain in { type filter hook prerouting priority 0; fib daddr type local counter; }; }'

mkdir -p "$folder/lower" "$folder/upper" "$folder/work" "$folder/merged"
exec sh "$bed/enter-node.sh" "$name" "$folder" \
  mount -t overlay -o "lowerdir=$folder/lower,upperdir=$folder/upper,workdir=$folder/work" overlay "$folder/merged"
