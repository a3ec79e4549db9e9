import { OpSdkError } from '../../../base/errors/index.ts';
import type { HeaderValues, TlsMaterial } from '../transport/transport.ts';
import { noCredentials, type Credentials } from './cluster.ts';
import { pem, text } from './entry-fields.ts';
import { fileToken } from './file-token.ts';
import { impersonationHeaders } from './impersonation.ts';
import { invalidKubeconfig, isEntry, type Entry, type NamedEntry } from './kubeconfig-file.ts';
import { pluginCredentials } from './plugin-credentials.ts';

interface Authentication {
  readonly credentials: Credentials;
  readonly certificate: (signal?: AbortSignal) => Promise<Pick<TlsMaterial, 'cert' | 'key'>>;
}

/**
 * Whoever listens on the way to an `http:` server could read and use the credentials, and the server could be anybody: none are
 * sent, and no plugin is asked for any. Impersonation is not a secret. Source: client-go `clientcmd.DirectClientConfig.ClientConfig`,
 * which merges the user's authentication only if `IsConfigTransportTLS`.
 */
export function withoutCredentials(user: NamedEntry | undefined): Authentication {
  const headers = user === undefined ? {} : impersonationHeaders(user);
  return { credentials: withHeaders(noCredentials, headers), certificate: () => Promise.resolve({}) };
}

/**
 * The credentials of a user, for a server with TLS.
 *
 * @param env of credential plugins
 * @param info the cluster as credential plugins see it
 * @throws OpSdkError `kube/kubeconfig-invalid`, `kube/unsupported-kubeconfig`
 */
export async function authenticate(
  user: NamedEntry | undefined,
  env: Readonly<Record<string, string | undefined>>,
  info: (signal?: AbortSignal) => Promise<Entry>,
): Promise<Authentication> {
  if (user === undefined) return withoutCredentials(user);
  refuseUnsupported(user);
  const impersonation = impersonationHeaders(user);
  const cert = pem(user, 'client-certificate');
  const key = pem(user, 'client-key', true);
  if ((cert === undefined) !== (key === undefined)) {
    const [present, missing] =
      cert === undefined ? ['client-key', 'client-certificate'] : ['client-certificate', 'client-key'];
    throw invalidKubeconfig(user.file, `user ${user.name} has a ${present} without a ${missing}`);
  }
  const certificate: Authentication['certificate'] = async (signal) => ({
    cert: await cert?.(signal),
    key: await key?.(signal),
  });
  const own = tokenCredentials(user);
  const { exec, 'auth-provider': provider } = user.value;
  if (isEntry(exec) && isEntry(provider))
    throw invalidKubeconfig(
      user.file,
      `user ${user.name} has both exec and auth-provider`,
      'remove one of them',
    );
  if (isEntry(exec)) {
    const { readExecPlugin } = await import('./exec-config.ts');
    const { execPlugin } = await import('./exec-plugin.ts');
    const plugin = readExecPlugin(user, exec);
    // As in client-go: who has credentials already is not asked for any.
    if (own === noCredentials && cert === undefined) {
      const asked = pluginCredentials(execPlugin(plugin, { env, clusterInfo: info }));
      return { ...asked, credentials: withHeaders(asked.credentials, impersonation) };
    }
  }
  if (isEntry(provider) && own === noCredentials) {
    const source =
      provider['name'] === 'oidc'
        ? (await import('./oidc.ts')).oidcProvider(user, { env })
        : (await import('./auth-provider.ts')).authProvider(user);
    const { credentials } = pluginCredentials(source);
    return { credentials: withHeaders(credentials, impersonation), certificate };
  }
  return { credentials: withHeaders(own, impersonation), certificate };
}

function tokenCredentials(user: NamedEntry): Credentials {
  const file = text(user, 'tokenFile');
  if (file !== undefined) return fileToken(file);
  const token = text(user, 'token');
  if (token === undefined) return noCredentials;
  const headers = { authorization: `Bearer ${token}` };
  return { headers: () => headers, refresh: () => false };
}

function withHeaders(credentials: Credentials, more: HeaderValues): Credentials {
  if (Object.keys(more).length === 0) return credentials;
  let from: HeaderValues | undefined;
  let merged: HeaderValues = {};
  const merge = (own: HeaderValues): HeaderValues => {
    if (own !== from) merged = { ...own, ...more };
    from = own;
    return merged;
  };
  return {
    headers(signal) {
      const own = credentials.headers(signal);
      return own instanceof Promise ? own.then(merge) : merge(own);
    },
    refresh: () => credentials.refresh(),
  };
}

function refuseUnsupported(user: NamedEntry): void {
  if (user.value['username'] === undefined && user.value['password'] === undefined) return;
  throw unsupportedBasic(user, `user ${user.name} has a username and a password`);
}

export function unsupportedBasic(entry: NamedEntry, message: string): OpSdkError {
  return new OpSdkError({
    code: 'kube/unsupported-kubeconfig',
    message: `${message}: basic authentication, which Kubernetes removed in 1.19`,
    where: { file: entry.file },
    fix: ['use a token, a client certificate or an exec plugin'],
  });
}
