import { Counter } from 'prom-client';
import type { RequestObservation } from '../../kube/index.ts';
import { metricsRegistry } from './registry.ts';

const requests = new Counter({
  name: 'rest_client_requests_total',
  help: 'Number of HTTP requests, partitioned by status code, method, and host.',
  labelNames: ['code', 'method', 'host'],
  registers: [metricsRegistry],
});

/** Counts an exchange with the API server under client-go's name. */
export function observeRequest({ code, method, host }: RequestObservation): void {
  requests.inc({ code, method, host });
}
