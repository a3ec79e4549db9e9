import { Counter, Histogram } from 'prom-client';
import type { RequestObservation } from '../../kube/index.ts';
import { metricsRegistry } from './registry.ts';

// Names, labels and buckets: client-go's, as k8s.io/component-base `metrics/prometheus/restclient` registers them. Two differ in
// what they see: client-go times a call with all its repetitions, here each exchange is one observation, without the wait for
// Retry-After in between.
const registers = [metricsRegistry];
const sizeBuckets = [64, 256, 512, 1024, 4096, 16384, 65536, 262144, 1048576, 4194304, 16777216];

const requests = new Counter({
  name: 'rest_client_requests_total',
  help: 'Number of HTTP requests, partitioned by status code, method, and host.',
  labelNames: ['code', 'method', 'host'],
  registers,
});
const retries = new Counter({
  name: 'rest_client_request_retries_total',
  help: 'Number of request retries, partitioned by status code, verb, and host.',
  labelNames: ['code', 'verb', 'host'],
  registers,
});
const duration = new Histogram({
  name: 'rest_client_request_duration_seconds',
  help: 'Request latency in seconds. Broken down by verb, and host.',
  labelNames: ['verb', 'host'],
  buckets: [0.005, 0.025, 0.1, 0.25, 0.5, 1, 2, 4, 8, 15, 30, 60],
  registers,
});
const requestSize = new Histogram({
  name: 'rest_client_request_size_bytes',
  help: 'Request size in bytes. Broken down by verb and host.',
  labelNames: ['verb', 'host'],
  buckets: sizeBuckets,
  registers,
});
const responseSize = new Histogram({
  name: 'rest_client_response_size_bytes',
  help: 'Response size in bytes. Broken down by verb and host.',
  labelNames: ['verb', 'host'],
  buckets: sizeBuckets,
  registers,
});

/** Records an exchange with the API server. Watches and logs are only counted: they last as long as they like. */
export function observeRequest(observation: RequestObservation): void {
  const { code, method, host, attempt, seconds, requestBytes, responseBytes, isStream } = observation;
  requests.inc({ code, method, host });
  if (attempt > 1) retries.inc({ code, verb: method, host });
  if (isStream) return;
  // One object for all: prom-client keeps what it needs of it.
  const labels = { verb: method, host };
  duration.observe(labels, seconds);
  requestSize.observe(labels, requestBytes);
  if (code !== '<error>') responseSize.observe(labels, responseBytes);
}
