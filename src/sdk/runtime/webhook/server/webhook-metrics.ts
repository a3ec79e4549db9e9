import { webhookLatency, webhookRequests, webhookRequestsInFlight } from '../../metrics/common-metrics.ts';

/** The code of requests whose client has not waited for the answer. */
const LEFT = '499';

/** The metrics of one path. */
export interface WebhookMetrics {
  began(): void;
  /** @param status of HTTP; undefined if nobody waited for the answer */
  ended(status: number | undefined, seconds: number): void;
}

/** Makes the series of a path; those of the likely codes at 0, so that a rate over them sees the first one. */
export function webhookMetrics(path: string): WebhookMetrics {
  const label = { webhook: path };
  for (const code of ['200', '500']) webhookRequests.inc({ ...label, code }, 0);
  const inFlight = webhookRequestsInFlight.labels(label);
  const latency = webhookLatency.labels(label);
  inFlight.set(0);
  webhookLatency.zero(label);
  return {
    began: () => inFlight.inc(),
    ended(status, seconds) {
      inFlight.dec();
      latency.observe(seconds);
      webhookRequests.inc({ ...label, code: status === undefined ? LEFT : String(status) });
    },
  };
}
