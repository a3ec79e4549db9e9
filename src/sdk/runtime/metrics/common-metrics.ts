import { Counter, Gauge, Histogram } from 'prom-client';
import type { RequestObservation } from '../../kube/index.ts';
import { metricsRegistry } from './registry.ts';

// Names, labels and buckets are those of client-go, as k8s.io/component-base `metrics/prometheus/restclient` registers them. Two metrics
// differ in their observations: client-go measures a call including all its repetitions, whereas op-sdk measures each exchange separately,
// without the wait for Retry-After in between.
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

/** Records an exchange with the API server. Watches and log streams are only counted, because their duration is arbitrary. */
export function observeRequest(observation: RequestObservation): void {
  const { code, method, host, attempt, seconds, requestBytes, responseBytes, isStream } = observation;
  requests.inc({ code, method, host });
  if (attempt > 1) retries.inc({ code, verb: method, host });
  if (isStream) return;
  // One labels object is used for all calls, because prom-client copies the values that it needs.
  const labels = { verb: method, host };
  duration.observe(labels, seconds);
  requestSize.observe(labels, requestBytes);
  if (code !== '<error>') responseSize.observe(labels, responseBytes);
}

// Names, labels and buckets are those of controller-runtime `pkg/certwatcher/metrics` and `pkg/internal/metrics`, and of client-go. These
// metrics are registered by a call, because a bundler would drop a module that only registers metrics.

/** Counts reads of a certificate and its key from their files, including reads that find no change. */
export const certificateReads = new Counter({
  name: 'certwatcher_read_certificate_total',
  help: 'Total number of certificate reads',
  registers: [],
});

/** Counts reads of a certificate that failed. */
export const certificateReadErrors = new Counter({
  name: 'certwatcher_read_certificate_errors_total',
  help: 'Total number of certificate read errors',
  registers: [],
});

// The metrics of webhooks are registered even in an operator without webhooks, because dashboards query them.

/** Latency of admission and conversion reviews, by path. */
export const webhookLatency = new Histogram({
  name: 'controller_runtime_webhook_latency_seconds',
  help: 'Histogram of the latency of processing admission requests',
  labelNames: ['webhook'],
  buckets: Array.from({ length: 12 }, (_, power) => Number(`1e${power - 8}`)),
  registers: [],
});

/** Results of admission and conversion reviews. */
export const webhookRequests = new Counter({
  name: 'controller_runtime_webhook_requests_total',
  help: 'Total number of admission requests by HTTP status code.',
  labelNames: ['webhook', 'code'],
  registers: [],
});

/** Number of reviews that are currently being answered. */
export const webhookRequestsInFlight = new Gauge({
  name: 'controller_runtime_webhook_requests_in_flight',
  help: 'Current number of admission requests being served.',
  labelNames: ['webhook'],
  registers: [],
});

/** Counts mistakes in the functions of admission webhooks. Source: controller-runtime `pkg/webhook/admission/metrics`. */
export const webhookPanics = new Counter({
  name: 'controller_runtime_webhook_panics_total',
  help: 'Total number of webhook panics',
  registers: [],
});

/** Counts mistakes in the functions of conversions. Source: controller-runtime `pkg/webhook/conversion/metrics`. */
export const conversionPanics = new Counter({
  name: 'controller_runtime_conversion_webhook_panics_total',
  help: 'Total number of conversion webhook panics',
  registers: [],
});

/** Counts denials by admission webhooks, by path. */
export const webhookDenials = new Counter({
  name: 'opsdk_webhook_denials_total',
  help: 'Total number of reviews that an admission webhook answered with allowed: false.',
  labelNames: ['webhook'],
  registers: [],
});

/** Expiry of the certificates that are served, self-signed ones included. */
export const certificateExpiration = new Gauge({
  name: 'opsdk_certificate_expiration_timestamp_seconds',
  help: 'Time at which the certificate of a server (webhook, metrics) expires, in seconds since the Unix epoch.',
  labelNames: ['server'],
  registers: [],
});

let isRegistered = false;

/** Registers the metrics that are independent of controllers. Idempotent. */
export function registerCommonMetrics(): void {
  if (isRegistered) return;
  isRegistered = true;
  for (const counter of [certificateReads, certificateReadErrors, webhookPanics, conversionPanics])
    metricsRegistry.registerMetric(counter);
  metricsRegistry.registerMetric(certificateExpiration);
  metricsRegistry.registerMetric(webhookDenials);
  metricsRegistry.registerMetric(webhookRequests);
  metricsRegistry.registerMetric(webhookLatency);
  metricsRegistry.registerMetric(webhookRequestsInFlight);
  const registers = [metricsRegistry];
  // This metric has no observations: op-sdk does not limit requests, because Priority and Fairness of the API server does that.
  new Histogram({
    name: 'rest_client_rate_limiter_duration_seconds',
    help: 'Client side rate limiter latency in seconds. Broken down by verb, and host.',
    labelNames: ['verb', 'host'],
    registers,
  });
}

/** Reason why an Event was not written. */
export type EventLoss = 'invalid' | 'rate_limited' | 'queue_full' | 'refused' | 'unreachable' | 'stopped';

const LOSSES: readonly EventLoss[] = [
  'invalid',
  'rate_limited',
  'queue_full',
  'refused',
  'unreachable',
  'stopped',
];

const dropped = new Counter({
  name: 'opsdk_events_dropped_total',
  help: 'Total number of Kubernetes Events that were not written, per controller and reason',
  labelNames: ['controller', 'reason'],
  registers: [metricsRegistry],
});

/**
 * Creates the series of a controller in the metric of dropped Events, with value 0. Returns a function that counts a lost Event by its
 * reason.
 */
export function lostEvents(controller: string): (reason: EventLoss) => void {
  for (const reason of LOSSES) dropped.inc({ controller, reason }, 0);
  return (reason) => dropped.inc({ controller, reason });
}
