import type { Resource } from '../../api/index.ts';
import { FindingList } from '../../../base/errors/index.ts';
import { checkPlace } from './check-request.ts';
import type { Connection } from './connection.ts';
import type { DeleteCollectionOptions } from './kube-client.ts';
import { resourcePath } from './resource-path.ts';

/** @throws OpSdkError `kube/invalid-request` with all findings, ApiError */
export async function deleteCollection(
  connection: Connection,
  resource: Resource,
  options: DeleteCollectionOptions,
): Promise<void> {
  const { namespace, labelSelector, fieldSelector, propagationPolicy, signal } = options;
  const verb = 'deletecollection';
  checkExtent(resource, options);
  checkPlace(verb, resource, { namespace }, 'new object');
  await connection.request({
    target: { verb, resource, namespace },
    method: 'DELETE',
    path: resourcePath(resource, { namespace }),
    query: { labelSelector, fieldSelector },
    body: {
      apiVersion: 'v1',
      kind: 'DeleteOptions',
      propagationPolicy,
      ...(options.dryRun === true ? { dryRun: ['All'] } : {}),
    },
    signal,
  });
}

/** An empty selector, of a variable that was never set, selects everything. */
function checkExtent(
  resource: Resource,
  { labelSelector, fieldSelector, all }: DeleteCollectionOptions,
): void {
  const isSelected = (labelSelector ?? '') !== '' || (fieldSelector ?? '') !== '';
  if (isSelected !== (all === true)) return;
  const findings = new FindingList();
  findings.add({
    code: 'kube/invalid-request',
    message: isSelected
      ? `deletecollection ${resource.kind}: expected a selector or all: true, got both`
      : `deletecollection ${resource.kind}: expected a selector or all: true, got neither`,
    where: { object: resource.kind },
    fix: isSelected
      ? ['remove all: true']
      : ['set labelSelector or fieldSelector, or all: true to delete every object'],
  });
  findings.throwIfAny();
}
