import { Counter, Gauge, Histogram } from 'prom-client';
import { metricsRegistry } from './registry.ts';

// Names, labels and buckets: controller-runtime `pkg/certwatcher/metrics` and `pkg/internal/metrics`, client-go. A module that only
// registers metrics would be left out of bundles: these are registered by a call.

/** Reads of a certificate and its key from their files, also those that find nothing new. */
export const certificateReads = new Counter({
  name: 'certwatcher_read_certificate_total',
  help: 'Total number of certificate reads',
  registers: [],
});

/** Reads of a certificate that failed. */
export const certificateReadErrors = new Counter({
  name: 'certwatcher_read_certificate_errors_total',
  help: 'Total number of certificate read errors',
  registers: [],
});

// Those of webhooks are there without webhooks, too: dashboards ask for them.

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

/** Reviews that are being answered. */
export const webhookRequestsInFlight = new Gauge({
  name: 'controller_runtime_webhook_requests_in_flight',
  help: 'Current number of admission requests being served.',
  labelNames: ['webhook'],
  registers: [],
});

/** Mistakes in admission webhooks. Source: controller-runtime `pkg/webhook/admission/metrics`. */
export const webhookPanics = new Counter({
  name: 'controller_runtime_webhook_panics_total',
  help: 'Total number of webhook panics',
  registers: [],
});

/** Mistakes in the functions of conversions. Source: controller-runtime `pkg/webhook/conversion/metrics`. */
export const conversionPanics = new Counter({
  name: 'controller_runtime_conversion_webhook_panics_total',
  help: 'Total number of conversion webhook panics',
  registers: [],
});

let isRegistered = false;

/** Puts the metrics into the registry that no controller brings. Can be called again. */
export function registerCommonMetrics(): void {
  if (isRegistered) return;
  isRegistered = true;
  for (const counter of [certificateReads, certificateReadErrors, webhookPanics, conversionPanics])
    metricsRegistry.registerMetric(counter);
  metricsRegistry.registerMetric(webhookRequests);
  metricsRegistry.registerMetric(webhookLatency);
  metricsRegistry.registerMetric(webhookRequestsInFlight);
  const registers = [metricsRegistry];
  // Requests are not limited on this side, the API server's Priority and Fairness does that: nothing is ever observed.
  new Histogram({
    name: 'rest_client_rate_limiter_duration_seconds',
    help: 'Client side rate limiter latency in seconds. Broken down by verb, and host.',
    labelNames: ['verb', 'host'],
    registers,
  });
}
