import { createClient, loadCluster, type KubeClient } from '../../sdk/kube/index.ts';
import { poll } from '../../sdk/net/index.ts';
import { coveredBy, grantsOf, type Permission } from '../../compiler/manifests/permissions/index.ts';
import { applyObjects, type ApplyRequest } from '../apply/apply-objects.ts';
import type { OperatorAccess } from './operator-access.ts';
import type { OperatorIdentity } from './operator-identity.ts';

/** Milliseconds until the API server goes by roles that were written; it follows them by watches of its own. */
const grantTimeout = 5_000;

export interface BringAccessRequest extends Pick<
  ApplyRequest,
  'client' | 'signal' | 'onOutcome' | 'onWarning'
> {
  readonly access: OperatorAccess;
  readonly identity: OperatorIdentity;
}

/**
 * Puts the ServiceAccount of the operator on a cluster with its roles and bindings, and lets the identity be that account. Resolves when
 * the API server goes by the roles, so that what is forbidden then is missing in them.
 *
 * @throws OpSdkError with all findings: `cluster/forbidden`, `cluster/no-token`, …
 */
export async function bringAccess(request: BringAccessRequest): Promise<void> {
  const { access, identity, signal } = request;
  await applyObjects({ ...request, objects: access.objects });
  await identity.assume(access.account, signal);
  const cluster = await loadCluster({ kubeconfig: identity.kubeconfig });
  const client = createClient({ cluster, fieldManager: 'op-sdk', onWarning: () => undefined });
  try {
    await poll(() => isGranted(client, access, signal), { timeout: grantTimeout, interval: 50, signal });
  } finally {
    await client.close();
  }
}

/** Source: `authorization.k8s.io/v1` SelfSubjectRulesReview; other authorizers than RBAC may leave rules out. */
async function isGranted(
  client: KubeClient,
  { account, granted }: OperatorAccess,
  signal: AbortSignal | undefined,
): Promise<true | undefined> {
  const path = '/apis/authorization.k8s.io/v1/selfsubjectrulesreviews';
  const body = {
    apiVersion: 'authorization.k8s.io/v1',
    kind: 'SelfSubjectRulesReview',
    spec: { namespace: account.namespace },
  };
  const { status } = (await client.raw.request({ method: 'POST', path, body, signal })).json<RulesReview>();
  const has: readonly Permission[] = [
    ...grantsOf(status.resourceRules ?? []),
    ...grantsOf(status.nonResourceRules ?? []),
  ];
  const wanted = granted
    .filter(({ namespace }) => namespace === undefined || namespace === account.namespace)
    .flatMap(({ permissions }) => permissions);
  return wanted.every((each) => coveredBy(has, each)) ? true : undefined;
}

interface Rules {
  readonly verbs: readonly string[];
  readonly apiGroups?: readonly string[];
  readonly resources?: readonly string[];
  readonly resourceNames?: readonly string[];
  readonly nonResourceURLs?: readonly string[];
}

interface RulesReview {
  readonly status: {
    readonly resourceRules?: readonly Rules[] | null;
    readonly nonResourceRules?: readonly Rules[] | null;
  };
}
