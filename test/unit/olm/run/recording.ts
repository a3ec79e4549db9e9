// Recordings of what OLM and operator-sdk did to clusters, where they are there.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parse } from 'yaml';
import type { KubeObject } from '../../../../src/sdk/api/index.ts';
import type { Loose } from '../bundle/objects.ts';

const folder = fileURLToPath(new URL('../../../../../shared/data/olm/recordings', import.meta.url));
export const hasRecordings = existsSync(folder);
/** What the name of a skipped suite says. */
export const skipReason = hasRecordings ? '' : ' (skipped: there is no folder ../shared/data/olm/recordings)';

export interface RecordedEvent {
  /** Seconds since the begin of the recording. */
  readonly t: number;
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED';
  readonly kind: string;
  readonly namespace?: string;
  readonly name: string;
  readonly object: KubeObject & Record<string, unknown>;
}

/** The events of a recording, each with its whole object. */
export function recordedEvents(recording: string): readonly RecordedEvent[] {
  const text = readFileSync(join(folder, recording, 'events.jsonl'), 'utf8');
  const before = new Map<string, RecordedEvent['object']>();
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => {
      const event = JSON.parse(line) as RecordedEvent;
      const key = keyOf(event);
      // "=" is what the event before had.
      const whole = Object.entries(event.object).map(([field, value]) => [
        field,
        value === '=' ? before.get(key)?.[field] : value,
      ]);
      const object = Object.fromEntries(whole) as RecordedEvent['object'];
      before.set(key, object);
      return { ...event, object };
    });
}

/** Names the object of an event. */
export function keyOf({ kind, namespace, name }: RecordedEvent): string {
  return `${kind}/${namespace ?? ''}/${name}`;
}

/** The clock of the cluster when a recording began: an object that was created during it tells the time. */
export function clockAtStart(events: readonly RecordedEvent[]): number {
  const first = events.find(({ t, type }) => t > 0.5 && type === 'ADDED');
  const created = Date.parse(first?.object.metadata.creationTimestamp ?? '');
  return Number.isNaN(created) ? 0 : created - (first?.t ?? 0) * 1000;
}

/** Objects that operator-sdk had made, as the API server gave them back in the end. */
export function recordedObjects(recording: string, kind: string): readonly Loose[] {
  return parse(readFileSync(join(folder, recording, 'objects', `${kind}.yaml`), 'utf8')).items;
}
