import { dump } from 'js-yaml';

/** How a user proves who they are. */
export type UserCredentials =
  { readonly certificate: string; readonly key: string } | { readonly token: string };

/** A kubeconfig file with one cluster, one user and one context; credentials are embedded, so that it can be moved. */
export function kubeconfigText(
  cluster: { readonly url: string; readonly caCertificate: string },
  user: { readonly name: string; readonly credentials: UserCredentials; readonly namespace?: string },
): string {
  const { credentials } = user;
  const context = { cluster: 'op-sdk-testenv', user: user.name };
  return dump(
    {
      apiVersion: 'v1',
      kind: 'Config',
      clusters: [
        {
          name: 'op-sdk-testenv',
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
          name: 'op-sdk-testenv',
          context: user.namespace === undefined ? context : { ...context, namespace: user.namespace },
        },
      ],
      'current-context': 'op-sdk-testenv',
    },
    { lineWidth: -1 },
  );
}

function base64(text: string): string {
  return Buffer.from(text, 'utf8').toString('base64');
}
