import { jsonListOf, jsonMapOf } from '../../base/util/json-map.ts';
import { parseKubernetesYaml } from '../../kubernetes/yaml/kubernetes-yaml.ts';
import { toYaml } from '../../kubernetes/yaml/to-yaml.ts';

/** Credentials of a user: a client certificate or a bearer token. */
export type UserCredentials =
  { readonly certificate: string; readonly key: string } | { readonly token: string };

const clusterName = 'op-sdk-testenv';

/** A kubeconfig file with one cluster, one user and one context; credentials are embedded, so that it can be moved. */
export function kubeconfigText(
  cluster: { readonly url: string; readonly caCertificate: string },
  user: { readonly name: string; readonly credentials: UserCredentials; readonly namespace?: string },
): string {
  const { credentials } = user;
  const context = { cluster: clusterName, user: user.name };
  return toYaml({
    apiVersion: 'v1',
    kind: 'Config',
    clusters: [
      {
        name: clusterName,
        cluster: { server: cluster.url, 'certificate-authority-data': base64(cluster.caCertificate) },
      },
    ],
    users: [
      {
        name: user.name,
        user:
          'token' in credentials
            ? { token: credentials.token }
            : {
                'client-certificate-data': base64(credentials.certificate),
                'client-key-data': base64(credentials.key),
              },
      },
    ],
    contexts: [
      {
        name: clusterName,
        context: user.namespace === undefined ? context : { ...context, namespace: user.namespace },
      },
    ],
    'current-context': clusterName,
  });
}

/** True for what {@link kubeconfigText} writes: one cluster, and it is of a test control plane. */
export function isTestenvKubeconfig(text: string): boolean {
  let document: unknown;
  try {
    document = parseKubernetesYaml(text, 'kubeconfig')[0]?.value;
  } catch {
    // What is not even YAML is somebody else's.
    return false;
  }
  const clusters = jsonListOf(jsonMapOf(document)['clusters']);
  return clusters.length === 1 && jsonMapOf(clusters[0])['name'] === clusterName;
}

function base64(text: string): string {
  return Buffer.from(text, 'utf8').toString('base64');
}
