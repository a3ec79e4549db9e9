#!/bin/sh
# Runs a command in a network of its own, joined to the bridge of the first node, and in processes of its own, which all end with it.
# To be started as: unshare --net sh added-node.sh NAME ADDRESS GATEWAY PODS COMMAND...
set -eu
name=$1 address=$2 gateway=$3 pods=$4
first="nsenter --target $PPID --net"
parent=$PPID
shift 4

# One that was killed may have left its end of the cable.
$first ip link delete "$name" 2>/dev/null || true
ip link set lo up
ip link add eth0 type veth peer name "$name" netns "$parent"
$first ip link set "$name" master node0 up
ip addr add "$address/24" dev eth0
ip link set eth0 up
ip route add default via "$gateway"
$first ip route replace "$pods" via "$address"
for setting in ip_forward conf/all/route_localnet; do echo 1 >"/proc/sys/net/ipv4/$setting"; done

# The first process of a namespace has to wait for those that nobody else waits for.
exec unshare --pid --mount --mount-proc --fork --kill-child=SIGKILL sh -c '"$@" & wait $!' sh "$@"
