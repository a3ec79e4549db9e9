import { messageOf } from '../../../base/errors/index.ts';
import type { Resource } from '../../api/index.ts';
import type { Finding } from '../../../base/errors/index.ts';
import { isForbidden, isTypeNotServed } from '../../kube/index.ts';
import type { Informer } from './informer.ts';
import { resourceName } from './resource-name.ts';

/**
 * Why these kinds are not there, one finding each.
 *
 * @param timeout milliseconds that were waited for; undefined: not at all
 */
export function syncFindings(informers: readonly Informer[], timeout: number | undefined): Finding[] {
  return informers.map(({ resource, namespace, state: { error } }) => ({
    code: 'runtime/cache-not-synced',
    message: `no complete list of ${resourceName(resource)} ${namespace === undefined ? '' : `in namespace ${namespace} `}${timeout === undefined ? 'yet' : `within ${timeout / 1000} s`}: ${reason(error)}`,
    where: { object: `kind ${resource.kind}` },
    fix: fixes(resource, error),
  }));
}

/** The last failure of an informer in one line. */
export function reason(error: unknown): string {
  if (error === undefined) return 'the API server has not answered yet';
  return messageOf(error);
}

function fixes(resource: Resource, error: unknown): string[] {
  if (isForbidden(error)) {
    const group = resource.group === '' ? 'the core API group' : `API group ${resource.group}`;
    return [
      `allow list and watch of ${resource.plural} in ${group}: run op-sdk generate manifests and apply config/rbac`,
    ];
  }
  if (isTypeNotServed(error)) {
    return [
      `install the CustomResourceDefinition of ${resource.kind}: run op-sdk generate manifests and apply config/crd`,
    ];
  }
  return ['check that the API server can be reached and that its answers come in time'];
}
