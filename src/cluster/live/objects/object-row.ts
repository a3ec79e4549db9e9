import type { KubeObject } from '../../../sdk/api/index.ts';
import { isJsonMap } from '../../../base/util/json-map.ts';

/** A condition of an object's status, as far as it is text. */
export interface ConditionRow {
  readonly type: string;
  readonly status: string;
  readonly reason: string;
  readonly message: string;
}

/** An object as lists show it; a page asks for the details of one object at a time. */
export interface ObjectRow {
  /** Unique on the page. */
  readonly id: string;
  readonly apiVersion: string;
  readonly kind: string;
  readonly namespace?: string;
  readonly name: string;
  /** RFC 3339. */
  readonly created: string;
  readonly deleting: boolean;
  readonly conditions: readonly ConditionRow[];
}

/** Characters of a condition's message. */
const longest = 300;

/** @param id see {@link ObjectRow.id} */
export function describeRow(id: string, object: KubeObject): ObjectRow {
  const { apiVersion, kind, metadata } = object;
  return {
    ...{ id, apiVersion, kind, name: metadata.name },
    ...(metadata.namespace === undefined ? {} : { namespace: metadata.namespace }),
    created: metadata.creationTimestamp ?? '',
    deleting: metadata.deletionTimestamp !== undefined,
    conditions: conditionsOf(object),
  };
}

/** Whatever form a kind gives to its status: what does not look like a condition is left out. */
function conditionsOf(object: KubeObject): readonly ConditionRow[] {
  const { status } = object as { readonly status?: unknown };
  const conditions = isJsonMap(status) ? status['conditions'] : undefined;
  if (!Array.isArray(conditions)) return [];
  return conditions
    .filter(isJsonMap)
    .flatMap(({ type, status: value, reason, message }) =>
      typeof type === 'string' && typeof value === 'string'
        ? [{ type, status: value, reason: textOf(reason), message: textOf(message).slice(0, longest) }]
        : [],
    );
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
