import type { KubeObject } from '../../sdk/api/index.ts';
import type { JsonMap } from '../../base/util/json-map.ts';
import { comparableObject } from './comparable-object.ts';
import { changedField, fieldChanges } from './field-changes.ts';
import { maskSecret } from './mask-secret.ts';

/** A field that differs, as people and scripts are shown it. A value is absent on the side that does not have the field. */
export interface ShownChange {
  /** `.spec.template.spec.containers[name="web"].image` */
  readonly path: string;
  readonly before?: unknown;
  readonly after?: unknown;
}

/** Two states of an object that may be shown: without bookkeeping, status, and the values of Secrets. */
export interface ComparedObject {
  readonly before: JsonMap | undefined;
  readonly after: JsonMap | undefined;
  /** Empty unless there are both. */
  readonly changes: readonly ShownChange[];
}

type Comparable = Pick<KubeObject, 'metadata'>;

/** Compares two states of an object; undefined is one that is not there. */
export function compareObjects(
  before: Comparable | undefined,
  after: Comparable | undefined,
): ComparedObject {
  const shown = maskSecret(before && comparableObject(before), after && comparableObject(after));
  if (shown.before === undefined || shown.after === undefined) return { ...shown, changes: [] };
  const changes = fieldChanges(shown.before, shown.after).map(({ steps, ...values }) => ({
    path: changedField({ steps }),
    ...values,
  }));
  return { ...shown, changes };
}
