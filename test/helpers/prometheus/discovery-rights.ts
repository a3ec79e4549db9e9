import { ServiceAccount } from '../../../src/sdk/k8s/generated/core/v1.ts';
import { Role, RoleBinding } from '../../../src/sdk/k8s/generated/rbac/v1.ts';
import type { KubeClient } from '../../../src/sdk/kube/index.ts';

/**
 * Creates a ServiceAccount with which Prometheus discovers Pods and Services, and nothing else.
 *
 * @param discovered namespaces that it may discover them in
 */
export async function grantDiscovery(
  client: KubeClient,
  { name, namespace }: { readonly name: string; readonly namespace: string },
  discovered: readonly string[],
): Promise<void> {
  await client.create(ServiceAccount, { metadata: { name, namespace } });
  for (const each of discovered) {
    const metadata = { name, namespace: each };
    await client.create(Role, {
      metadata,
      rules: [
        { apiGroups: [''], resources: ['pods', 'services', 'endpoints'], verbs: ['get', 'list', 'watch'] },
      ],
    });
    await client.create(RoleBinding, {
      metadata,
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name },
      subjects: [{ kind: 'ServiceAccount', name, namespace }],
    });
  }
}
