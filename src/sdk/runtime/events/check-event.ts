import type { DeepReadonly, KubeObject } from '../../api/index.ts';
import type { ObjectReference } from '../../k8s/generated/core/v1.ts';

// Source: `ValidateEventCreate` of the API server; it counts bytes.
const LONGEST_NAME = 128;
const LONGEST_NOTE = 1024;
const CAMEL_CASE = /^[A-Z][A-Za-z0-9]*$/;

export interface EventInput {
  readonly object: DeepReadonly<KubeObject>;
  readonly related: DeepReadonly<KubeObject> | undefined;
  readonly reason: string;
  readonly action: string;
  readonly note: string;
}

/** Describes the fault of an Event; undefined if it is valid. Callers in JavaScript pass anything. */
export function checkEvent({ object, related, reason, action, note }: EventInput): string | undefined {
  for (const [name, value] of Object.entries({ reason, action })) {
    if (typeof value !== 'string' || !CAMEL_CASE.test(value) || value.length > LONGEST_NAME)
      return `${name}: expected CamelCase of 1 to ${LONGEST_NAME} characters, got ${typeof value === 'string' ? JSON.stringify(value) : typeof value}`;
  }
  if (typeof note !== 'string') return `note: expected a string, got ${typeof note}`;
  for (const [name, value] of Object.entries({ object, related })) {
    if (name === 'related' && value === undefined) continue;
    if (!value?.apiVersion || !value.kind || !value.metadata?.name)
      return `${name}: expected an object with apiVersion, kind and metadata.name`;
  }
  return undefined;
}

/** The text, cut off with an ellipsis so that it has at most 1,024 bytes. */
export function truncateNote(note: string): string {
  const bytes = Buffer.from(note);
  if (bytes.length <= LONGEST_NOTE) return note;
  let end = LONGEST_NOTE - Buffer.byteLength('…');
  // Not within a character: its further bytes are 10xxxxxx.
  while (((bytes[end] ?? 0) & 0b1100_0000) === 0b1000_0000) end -= 1;
  return `${bytes.toString('utf8', 0, end)}…`;
}

/** Returns the reference by which `kubectl describe` finds the Events of an object: kind, name, namespace and uid. */
export function referenceTo(object: DeepReadonly<KubeObject>): ObjectReference {
  const { apiVersion, kind } = object;
  const { name, namespace, uid, resourceVersion } = object.metadata;
  return { apiVersion, kind, name, namespace, uid, resourceVersion };
}
