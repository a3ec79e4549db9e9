import { OpSdkError } from '../../../base/errors/index.ts';
import { ApiError, isForbidden, isNotFound } from '../../kube/index.ts';
import type { ElectionSettings } from './election-settings.ts';

/** Explains a refusal that will not pass by itself; undefined for any other failure. */
export function refusedLease(error: unknown, { id, namespace }: ElectionSettings): OpSdkError | undefined {
  if (!(error instanceof ApiError)) return undefined;
  // Reading a Lease that does not exist does not fail: this is the answer to its creation.
  const isNamespaceMissing = isNotFound(error);
  const isInvalid = error.status === 400 || error.status === 422;
  if (!isForbidden(error) && !isNamespaceMissing && !isInvalid) return undefined;
  return new OpSdkError(
    {
      code: 'runtime/election-refused',
      message: `leader election: ${error.summary}`,
      where: { object: `Lease ${namespace}/${id}` },
      fix: isNamespaceMissing
        ? [
            `create the namespace ${namespace}, or name another one: POD_NAMESPACE, or leaderElection.namespace`,
          ]
        : isInvalid
          ? ['read the message: the API server does not accept such a Lease']
          : [
              `bind a Role with this rule to the operator's account in namespace ${namespace}: ${JSON.stringify(rule)}`,
              'in a scaffolded project it is config/rbac/leader_election_role.yaml: deploy config/rbac',
            ],
    },
    { cause: error },
  );
}

const rule = {
  apiGroups: ['coordination.k8s.io'],
  resources: ['leases'],
  verbs: ['get', 'list', 'watch', 'create', 'update', 'patch', 'delete'],
};
