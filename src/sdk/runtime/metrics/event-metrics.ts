import { Counter } from 'prom-client';
import { metricsRegistry } from './registry.ts';

/** Why an Event never reached the API server. */
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

/** Makes the series of a controller, at 0, and counts its lost Events. */
export function lostEvents(controller: string): (reason: EventLoss) => void {
  for (const reason of LOSSES) dropped.inc({ controller, reason }, 0);
  return (reason) => dropped.inc({ controller, reason });
}
