import { randomBytes } from 'node:crypto';
import { hostname } from 'node:os';
import type { ObjectReference } from '../../k8s/generated/core/v1.ts';
import type { Logger } from '../create-logger.ts';
import { lostEvents, type EventLoss } from '../metrics/index.ts';

/** An Event from a recorder: validated, and with references instead of objects. */
export interface RecordedEvent {
  readonly type: 'Normal' | 'Warning';
  readonly reason: string;
  readonly action: string;
  readonly note: string;
  readonly regarding: ObjectReference;
  readonly related?: ObjectReference;
}

/** A sequence of equal Events, stored in the API server as one Event with a count. */
export interface Series {
  readonly key: string;
  readonly source: EventSource;
  readonly event: RecordedEvent;
  readonly name: string;
  readonly namespace: string;
  readonly eventTime: string;
  count: number;
  lastObservedTime: string;
  /** Time of the last equal Event, in milliseconds of the clock. */
  lastObserved: number;
  /** The count stored in the API server; 0 if the Event is not stored. */
  writtenCount: number;
  /** Time of the last try to write the series, in milliseconds of the clock. */
  written: number;
}

/** Creates a series of one Event. @param now milliseconds of the clock */
export function newSeries(source: EventSource, event: RecordedEvent, today: Date, now: number): Series {
  const { name = '', namespace = 'default' } = event.regarding;
  const time = microTime(today);
  return {
    ...{ key: seriesKey(source, event), source, event, namespace, name: eventName(name) },
    ...{ eventTime: time, lastObservedTime: time, lastObserved: now },
    ...{ count: 1, writtenCount: 0, written: -Infinity },
  };
}

/** Returns the key that equal Events share. */
export function seriesKey(source: EventSource, event: RecordedEvent): string {
  const { type, reason, action, note, regarding, related } = event;
  const objects = [seriesId(regarding), related === undefined ? '' : seriesId(related)];
  return JSON.stringify([source.reportingController, type, reason, action, note, ...objects]);
}

/** Returns an identifier of an object that is independent of the object's state. */
export function seriesId({ apiVersion, kind, namespace, name, uid }: ObjectReference): string {
  return [apiVersion, kind, namespace, name, uid].join(' ');
}

/** Formats a time in RFC 3339 with microseconds; the clock provides milliseconds. Source: apimachinery `metav1.MicroTime`. */
export function microTime(time: Date): string {
  return time.toISOString().replace('Z', '000Z');
}

const SUBDOMAIN = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/;
const LONGEST_EVENT_NAME = 253;

/**
 * Returns the name of an Event: `<object>.<16 hexadecimal digits>`, like client-go. If that is invalid, as it may be for a Role or
 * ClusterRole, returns `event.<digits>`.
 */
function eventName(object: string): string {
  const suffix = randomBytes(8).toString('hex');
  const name = `${object}.${suffix}`;
  return SUBDOMAIN.test(name) && name.length <= LONGEST_EVENT_NAME ? name : `event.${suffix}`;
}

/** The controller that records Events. */
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

/** Returns the source of a controller's Events: `<manager>/<controller>`, with the host name, which in a cluster is the name of the Pod. */
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

/**
 * Converts a manager's name, which may have capitals and underscores, to a DNS subdomain. The API server requires a qualified name as the
 * reporting controller of an Event, and the prefix of a qualified name is a subdomain. Source: apimachinery `IsQualifiedName`.
 */
function toSubdomain(name: string): string {
  const labels = name.toLowerCase().replaceAll('_', '-').split('.');
  return labels
    .map((label) => label.replaceAll(/^-+|-+$/g, ''))
    .filter((label) => label !== '')
    .join('.');
}
