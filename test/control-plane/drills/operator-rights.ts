import {
  accountUser,
  bringAccess,
  judgeAudit,
  operatorAccess,
  OperatorIdentity,
  type AuditReport,
} from '../../../src/cluster/index.ts';
import { renderKustomization } from '../../../src/kubernetes/kustomize/index.ts';
import type { KubeClient } from '../../../src/sdk/kube/index.ts';
import type { ControlPlane } from '../../../src/testing/index.ts';

/** The rights that an operator has in a cluster: those of the roles in config/default. */
export interface OperatorRights extends AsyncDisposable {
  /** Path of a kubeconfig for the ServiceAccount of the operator. */
  readonly kubeconfig: string;
  /** Compares what the operator has asked for until now with its role, as `op-sdk rbac audit` does. */
  judge(): Promise<AuditReport>;
}

/**
 * Applies the ServiceAccount of a project's operator, with its roles. `op-sdk rbac audit` cannot do it here: drills restart the API server.
 *
 * @param plane control plane with an audit log
 */
export async function takeRights(
  plane: ControlPlane,
  client: KubeClient,
  project: string,
): Promise<OperatorRights> {
  const folder = 'config/default';
  const objects = await renderKustomization(folder, { cwd: project, pipeInto: 'op-sdk deploy -f -' });
  const access = operatorAccess(objects, folder);
  const identity = await OperatorIdentity.open({
    client,
    onProblem: (error) => {
      throw error;
    },
  });
  await bringAccess({ client, access, identity });
  const before = (await plane.readAuditEvents()).length;
  // The others are those of leader election, metrics and certificates of webhooks, which a drill has none of.
  const granted = access.granted
    .filter(({ role }) => role.name.endsWith('-manager-role'))
    .flatMap(({ permissions }) => permissions);
  return {
    kubeconfig: identity.kubeconfig,
    async judge() {
      const events = (await plane.readAuditEvents()).slice(before);
      return judgeAudit(events, accountUser(access.account), granted);
    },
    [Symbol.asyncDispose]: () => identity.close(),
  };
}
