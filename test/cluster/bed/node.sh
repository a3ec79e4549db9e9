#!/bin/sh
# Runs containerd and the kubelet. usage: node.sh FOLDER CONTAINERD-CONFIG CONTAINERD-SOCKET KUBELET...
set -eu
folder=$1 config=$2 socket=$3
shift 3

containerd --config "$config" >"$folder/containerd.log" 2>&1 &
until [ -S "$socket" ]; do
  kill -0 $! 2>/dev/null || { tail -20 "$folder/containerd.log"; exit 1; }
  sleep 0.05
done
exec "$@"
