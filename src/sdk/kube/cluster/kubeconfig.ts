import { OpSdkError } from '../../../base/errors/index.ts';
import { parseProxy, proxyFor } from '../../net/index.ts';
import type { TlsMaterial } from '../transport/transport.ts';
import { authenticate, unsupportedBasic, withoutCredentials } from './authenticate.ts';
import type { Cluster } from './cluster.ts';
import { pem, text } from './entry-fields.ts';
import {
  invalidKubeconfig,
  isEntry,
  readKubeconfigs,
  type Entry,
  type Kubeconfig,
  type NamedEntry,
} from './kubeconfig-file.ts';

export interface KubeconfigOptions {
  /** Default: the file's current-context. */
  readonly context?: string | undefined;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/**
 * A cluster from kubeconfig files. Source of the fields: client-go `tools/clientcmd/api/v1/types.go`.
 *
 * @param files merged like kubectl's KUBECONFIG list
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

/** @throws OpSdkError `kube/unsupported-kubeconfig` for anything but an `http:` proxy */
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

/** The cluster as credential plugins see it. Source: client-go `rest.ConfigToExecCluster`. */
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

/** The extension of a cluster that is meant for credential plugins. */
function pluginConfig(extensions: unknown): unknown {
  if (!Array.isArray(extensions)) return undefined;
  const found = (extensions as readonly unknown[]).find(
    (each) => isEntry(each) && each['name'] === 'client.authentication.k8s.io/exec',
  );
  return isEntry(found) ? found['extension'] : undefined;
}
