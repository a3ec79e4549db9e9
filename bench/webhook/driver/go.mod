module opsdk.dev/bench/webhook/driver

go 1.26.0
