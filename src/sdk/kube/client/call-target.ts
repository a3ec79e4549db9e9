import type { Resource } from '../../api/index.ts';

/** Target of a request, for messages and metrics. */
export interface CallTarget {
  /** As in RBAC (`get`, `list`, `watch`, `create`, `update`, `patch`, `delete`), or `apply`; for raw requests the method and path. */
  readonly verb: string;
  /** The type; absent for raw requests. */
  readonly resource?: Pick<Resource, 'group' | 'plural'>;
  /** Such as `status`. */
  readonly subresource?: string | undefined;
  /** Absent for cluster-scoped objects and all namespaces. */
  readonly namespace?: string | undefined;
  /** Absent for lists. */
  readonly name?: string | undefined;
}

/** `create deployments.apps default/web`. */
export function describeTarget(target: CallTarget): string {
  if (target.resource === undefined) return target.verb;
  const { group, plural } = target.resource;
  const type =
    (group === '' ? plural : `${plural}.${group}`) +
    (target.subresource === undefined ? '' : `/${target.subresource}`);
  const place = [target.namespace, target.name].filter((part) => part !== undefined && part !== '').join('/');
  if (place === '') return `${target.verb} ${type}`;
  return target.name === undefined
    ? `${target.verb} ${type} in namespace ${place}`
    : `${target.verb} ${type} ${place}`;
}
