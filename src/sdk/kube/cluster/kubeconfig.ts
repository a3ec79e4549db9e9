import { OpSdkError } from '../../../base/errors/index.ts';
import { parseProxy, proxyFor } from '../../net/index.ts';
import type { TlsMaterial, HeaderValues } from '../transport/transport.ts';
import { type Cluster, noCredentials, type Credentials } from './cluster.ts';
import {
  invalidKubeconfig,
  isEntry,
  readKubeconfigs,
  type Entry,
  type Kubeconfig,
  type NamedEntry,
  pem,
  text,
} from './kubeconfig-file.ts';
import { fileToken } from './file-token.ts';
import { pluginCredentials } from './plugin-credentials.ts';

interface KubeconfigOptions {
  /** Name of the context to use. Default: the current-context of the kubeconfig. */
  readonly context?: string | undefined;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/**
 * Creates a cluster from kubeconfig files. Source of the fields: client-go `tools/clientcmd/api/v1/types.go`.
 *
 * @param files kubeconfig files, merged like the list in kubectl's KUBECONFIG variable
 * @throws OpSdkError `kube/kubeconfig-unreadable`, `kube/kubeconfig-invalid`, `kube/unsupported-kubeconfig`
 */
export async function loadKubeconfig(files: readonly string[], options: KubeconfigOptions): Promise<Cluster> {
  const config = await readKubeconfigs(files);
  const context = findContext(config, options.context);
  const cluster = refer(config.clusters, context, 'cluster');
  if (cluster === undefined)
    throw invalidKubeconfig(context.file, `context ${context.name} names no cluster`);
  const user = refer(config.users, context, 'user');
  const server = serverUrl(cluster);
  const ca = pem(cluster, 'certificate-authority');
  const base: TlsMaterial = {
    serverName: text(cluster, 'tls-server-name'),
    insecureSkipVerify: cluster.value['insecure-skip-tls-verify'] === true,
  };
  if (base.insecureSkipVerify === true && ca !== undefined) {
    throw invalidKubeconfig(
      cluster.file,
      `cluster ${cluster.name} gives a certificate-authority together with insecure-skip-tls-verify`,
    );
  }
  const proxyUrl = text(cluster, 'proxy-url');
  const { credentials, certificate } =
    server.protocol === 'https:'
      ? await authenticate(user, options.env, (signal) => clusterInfo(cluster, ca, proxyUrl, signal))
      : withoutCredentials(user);
  return {
    server,
    namespace: text(context, 'namespace') ?? 'default',
    credentials,
    tls: async (signal) => ({ ...base, ca: await ca?.(signal), ...(await certificate(signal)) }),
    proxy: proxyUrl === undefined ? proxyFor(server, options.env) : configuredProxy(proxyUrl, cluster),
    source: `kubeconfig ${context.file}, context ${context.name}`,
  };
}

function findContext(config: Kubeconfig, wanted: string | undefined): NamedEntry {
  const name = wanted ?? config.currentContext;
  const files = config.files.join(', ');
  const known = [...config.contexts.keys()];
  const choice = known.length === 0 ? 'it has no contexts' : `its contexts are ${known.join(', ')}`;
  if (name === '')
    throw invalidKubeconfig(
      files,
      `the kubeconfig has no current-context; ${choice}`,
      'run: kubectl config use-context NAME',
    );
  const context = config.contexts.get(name);
  if (context === undefined)
    throw invalidKubeconfig(files, `the kubeconfig has no context ${JSON.stringify(name)}; ${choice}`);
  return context;
}

function refer(
  entries: ReadonlyMap<string, NamedEntry>,
  context: NamedEntry,
  field: 'cluster' | 'user',
): NamedEntry | undefined {
  const name = text(context, field);
  if (name === undefined) return undefined;
  const entry = entries.get(name);
  if (entry === undefined) {
    const known = [...entries.keys()].join(', ') || 'none';
    throw invalidKubeconfig(
      context.file,
      `context ${context.name} names the ${field} ${JSON.stringify(name)}, which is missing; there are: ${known}`,
    );
  }
  return entry;
}

function serverUrl(cluster: NamedEntry): URL {
  const server = text(cluster, 'server');
  if (server === undefined) throw invalidKubeconfig(cluster.file, `cluster ${cluster.name} has no server`);
  const url = URL.canParse(server) ? new URL(server) : undefined;
  if (url?.protocol !== 'https:' && url?.protocol !== 'http:') {
    throw invalidKubeconfig(
      cluster.file,
      `the server of cluster ${cluster.name} is not an https URL: ${JSON.stringify(withoutUserInfo(server))}`,
    );
  }
  if (url.username !== '' || url.password !== '')
    throw unsupportedBasic(cluster, `the server of cluster ${cluster.name} names a user in its URL`);
  return url;
}

/**
 * Returns the URL of the proxy that a cluster of a kubeconfig sets. @throws OpSdkError `kube/unsupported-kubeconfig` for anything but an
 * `http:` proxy
 */
function configuredProxy(value: string, cluster: NamedEntry): URL {
  const proxy = parseProxy(value);
  if (proxy !== undefined) return proxy;
  throw new OpSdkError({
    code: 'kube/unsupported-kubeconfig',
    message: `proxy-url of ${cluster.name}: expected the http:// URL of a proxy, got ${value.replace(/^([^:/]*:\/\/)?.*@/, '$1')}`,
    where: { file: cluster.file },
    fix: ['use an HTTP proxy that supports CONNECT, or none'],
  });
}

function withoutUserInfo(url: string): string {
  return url.replace(/^([^/]*\/\/)[^/]*@/, '$1***@');
}

/** Returns the description of the cluster that is passed to credential plugins. Source: client-go `rest.ConfigToExecCluster`. */
async function clusterInfo(
  cluster: NamedEntry,
  ca: ((signal?: AbortSignal) => Promise<string>) | undefined,
  proxyUrl: string | undefined,
  signal: AbortSignal | undefined,
): Promise<Entry> {
  const serverName = text(cluster, 'tls-server-name');
  const authority = await ca?.(signal);
  const config = pluginConfig(cluster.value['extensions']);
  return {
    server: text(cluster, 'server'),
    ...(serverName === undefined ? {} : { 'tls-server-name': serverName }),
    ...(cluster.value['insecure-skip-tls-verify'] === true ? { 'insecure-skip-tls-verify': true } : {}),
    ...(authority === undefined
      ? {}
      : { 'certificate-authority-data': Buffer.from(authority).toString('base64') }),
    ...(proxyUrl === undefined ? {} : { 'proxy-url': proxyUrl }),
    ...(cluster.value['disable-compression'] === true ? { 'disable-compression': true } : {}),
    ...(config === undefined ? {} : { config }),
  };
}

/** Returns the extension of a cluster that is intended for credential plugins. */
function pluginConfig(extensions: unknown): unknown {
  if (!Array.isArray(extensions)) return undefined;
  const found = (extensions as readonly unknown[]).find(
    (each) => isEntry(each) && each['name'] === 'client.authentication.k8s.io/exec',
  );
  return isEntry(found) ? found['extension'] : undefined;
}

interface Authentication {
  readonly credentials: Credentials;
  readonly certificate: (signal?: AbortSignal) => Promise<Pick<TlsMaterial, 'cert' | 'key'>>;
}

/**
 * Returns the authentication for an `http:` server. No credentials are sent and no plugin is run, because anybody on the network could read
 * the credentials or impersonate the server. Impersonation headers are still sent, because they are not secret. Source: client-go
 * `clientcmd.DirectClientConfig.ClientConfig`, which merges the user's authentication only if `IsConfigTransportTLS` returns true.
 */
function withoutCredentials(user: NamedEntry | undefined): Authentication {
  const headers = user === undefined ? {} : impersonationHeaders(user);
  return { credentials: withHeaders(noCredentials, headers), certificate: () => Promise.resolve({}) };
}

/**
 * Returns the credentials of a user, for a server with TLS.
 *
 * @param env environment variables of credential plugins
 * @param info returns the description of the cluster that is passed to credential plugins
 * @throws OpSdkError `kube/kubeconfig-invalid`, `kube/unsupported-kubeconfig`
 */
async function authenticate(
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
    // As in client-go, the plugin is not run for a user that already has credentials.
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

function unsupportedBasic(entry: NamedEntry, message: string): OpSdkError {
  return new OpSdkError({
    code: 'kube/unsupported-kubeconfig',
    message: `${message}: basic authentication is not supported; Kubernetes removed it in 1.19`,
    where: { file: entry.file },
    fix: ['use a token, a client certificate or an exec plugin'],
  });
}

/**
 * Returns the impersonation headers for the kubeconfig fields `as`, `as-groups`, `as-uid` and `as-user-extra`. Source: Kubernetes
 * documentation, user impersonation.
 */
function impersonationHeaders(user: NamedEntry): HeaderValues {
  const { as, 'as-uid': uid, 'as-groups': groups, 'as-user-extra': extra } = user.value;
  const headers: Record<string, string | readonly string[]> = {};
  if (isText(as)) headers['impersonate-user'] = as;
  if (isText(uid)) headers['impersonate-uid'] = uid;
  if (Array.isArray(groups) && groups.length > 0) headers['impersonate-group'] = groups.map(String);
  if (isEntry(extra)) {
    for (const [key, values] of Object.entries(extra)) {
      // The keys of `as-user-extra` are percent-encoded, because they may contain characters that are invalid in header names.
      if (Array.isArray(values))
        headers[`impersonate-extra-${encodeURIComponent(key).toLowerCase()}`] = values.map(String);
    }
  }
  if (Object.keys(headers).length > 0 && headers['impersonate-user'] === undefined) {
    throw invalidKubeconfig(
      user.file,
      `user ${user.name} impersonates groups, a uid or extra fields without a user (as)`,
    );
  }
  return headers;
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value !== '';
}
