import type { ClusterClient } from '../../src/index.ts';
import { ServiceAccount } from '../../src/sdk/k8s/generated/core/v1.ts';
import { ClusterRole, ClusterRoleBinding } from '../../src/sdk/k8s/generated/rbac/v1.ts';
import { type SharedControlPlane, uniqueName } from './control-plane.ts';

/** The token of a new ServiceAccount that has these rules in the whole cluster. */
export async function serviceAccountToken(
  client: ClusterClient,
  namespace: string,
  rules: ClusterRole['rules'] = [],
  name = uniqueName('account'),
): Promise<string> {
  await client.create(ServiceAccount, { metadata: { name, namespace } });
  if (rules.length > 0) {
    await client.create(ClusterRole, { metadata: { name }, rules });
    await client.create(ClusterRoleBinding, {
      metadata: { name },
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name },
      subjects: [{ kind: 'ServiceAccount', name, namespace }],
    });
  }
  const { status } = await client
    .subresource(ServiceAccount, { name, namespace }, 'token')
    .create<{ status: { token: string } } & object>({
      apiVersion: 'authentication.k8s.io/v1',
      kind: 'TokenRequest',
      spec: {},
    });
  return status.token;
}

/** The text of a kubeconfig for a bearer token. */
export function tokenKubeconfig(
  { url, caCertificate }: Pick<SharedControlPlane, 'url' | 'caCertificate'>,
  token: string,
): string {
  const cluster = {
    server: url,
    'certificate-authority-data': Buffer.from(caCertificate).toString('base64'),
  };
  return JSON.stringify({
    apiVersion: 'v1',
    kind: 'Config',
    'current-context': 'token',
    contexts: [{ name: 'token', context: { cluster: 'c', user: 'u' } }],
    clusters: [{ name: 'c', cluster }],
    users: [{ name: 'u', user: { token } }],
  });
}
