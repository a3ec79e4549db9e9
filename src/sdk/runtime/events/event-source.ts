import { hostname } from 'node:os';
import type { Logger } from '../create-logger.ts';
import { lostEvents, type EventLoss } from '../metrics/index.ts';

/** The recording controller. */
export interface EventSource {
  /** The controller's name, for logs and metrics. */
  readonly controller: string;
  readonly fieldManager: string;
  readonly reportingController: string;
  readonly reportingInstance: string;
  readonly log: Logger;
  readonly lost: (reason: EventLoss) => void;
}

const LONGEST_INSTANCE = 128;

/** The source of a controller's Events: `<manager>/<controller>`, on this host, which in a cluster is the Pod. */
export function eventSource(manager: string, controller: string, log: Logger): EventSource {
  const prefix = toSubdomain(manager);
  return {
    controller,
    fieldManager: `${manager}/${controller}`,
    reportingController: prefix === '' ? controller : `${prefix}/${controller}`,
    reportingInstance: (hostname() || controller).slice(0, LONGEST_INSTANCE),
    log: log.child({ controller }),
    lost: lostEvents(controller),
  };
}

/** The API server wants a qualified name, whose prefix is a DNS subdomain; a manager's name may have capitals and underscores. Source: apimachinery `IsQualifiedName`. */
function toSubdomain(name: string): string {
  const labels = name.toLowerCase().replaceAll('_', '-').split('.');
  return labels
    .map((label) => label.replaceAll(/^-+|-+$/g, ''))
    .filter((label) => label !== '')
    .join('.');
}
