import { readFile } from 'node:fs/promises';
import { OpSdkError } from '../../errors/index.ts';
import type { HeaderValues, TlsMaterial } from '../transport/transport.ts';
import { noCredentials, type Cluster, type Credentials } from './cluster.ts';
import { fileToken } from './file-token.ts';
import { impersonationHeaders } from './impersonation.ts';
import {
  invalidKubeconfig,
  isEntry,
  readKubeconfigs,
  type Kubeconfig,
  type NamedEntry,
} from './kubeconfig-file.ts';
import { proxyFor } from './proxy-for.ts';

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
  if (user !== undefined) refuseUnsupported(user);
  const server = serverUrl(cluster);
  const { credentials, certificate } = await authenticate(user);
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
  return {
    server,
    namespace: text(context, 'namespace') ?? 'default',
    credentials,
    tls: async () => ({ ...base, ca: await ca?.(), ...(await certificate()) }),
    proxy: proxyFor(server, text(cluster, 'proxy-url'), options.env, cluster.file),
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
      `the server of cluster ${cluster.name} is not an https URL: ${JSON.stringify(server)}`,
    );
  }
  return url;
}

function refuseUnsupported(user: NamedEntry): void {
  if (user.value['username'] === undefined && user.value['password'] === undefined) return;
  throw new OpSdkError({
    code: 'kube/unsupported-kubeconfig',
    message: `user ${user.name} uses basic authentication, which Kubernetes removed in 1.19`,
    where: { file: user.file },
    fix: ['use a token, a client certificate or an exec plugin'],
  });
}

interface Authentication {
  readonly credentials: Credentials;
  readonly certificate: () => Promise<Pick<TlsMaterial, 'cert' | 'key'>>;
}

async function authenticate(user: NamedEntry | undefined): Promise<Authentication> {
  if (user === undefined) return { credentials: noCredentials, certificate: () => Promise.resolve({}) };
  const impersonation = impersonationHeaders(user);
  if (isEntry(user.value['exec']) || isEntry(user.value['auth-provider'])) {
    const { pluginCredentials } = await import('./plugin-credentials.ts');
    const plugin = pluginCredentials(user);
    return { ...plugin, credentials: withHeaders(plugin.credentials, impersonation) };
  }
  const cert = pem(user, 'client-certificate');
  const key = pem(user, 'client-key');
  if ((cert === undefined) !== (key === undefined)) {
    const [given, missing] =
      cert === undefined ? ['client-key', 'client-certificate'] : ['client-certificate', 'client-key'];
    throw invalidKubeconfig(user.file, `user ${user.name} gives a ${given} without a ${missing}`);
  }
  return {
    credentials: withHeaders(tokenCredentials(user), impersonation),
    certificate: async () => ({ cert: await cert?.(), key: await key?.() }),
  };
}

function tokenCredentials(user: NamedEntry): Credentials {
  const file = text(user, 'tokenFile');
  if (file !== undefined) return fileToken(file);
  const token = text(user, 'token');
  if (token === undefined) return noCredentials;
  return { headers: () => Promise.resolve({ authorization: `Bearer ${token}` }), refresh: () => false };
}

function withHeaders(credentials: Credentials, more: HeaderValues): Credentials {
  if (Object.keys(more).length === 0) return credentials;
  return {
    headers: async () => ({ ...(await credentials.headers()), ...more }),
    refresh: () => credentials.refresh(),
  };
}

/** How to get the PEM text of `field` or `field-data`; the data wins, as in client-go. A file is read each time. */
function pem(entry: NamedEntry, field: string): (() => Promise<string>) | undefined {
  const data = text(entry, `${field}-data`);
  if (data !== undefined) {
    const decoded = Buffer.from(data, 'base64').toString('utf8');
    if (!decoded.includes('-----BEGIN')) {
      throw invalidKubeconfig(
        entry.file,
        `${field}-data of ${entry.name} is not the base64 form of a PEM text`,
      );
    }
    return () => Promise.resolve(decoded);
  }
  const path = text(entry, field);
  if (path === undefined) return undefined;
  return async () => {
    try {
      return await readFile(path, 'utf8');
    } catch (error) {
      throw new OpSdkError(
        {
          code: 'kube/credentials-failed',
          message: `${field} of ${entry.name} cannot be read: ${(error as Error).message}`,
          where: { file: path },
        },
        { cause: error },
      );
    }
  };
}

/** A string field; empty counts as absent, as in client-go. */
function text(entry: NamedEntry, field: string): string | undefined {
  const value: unknown = entry.value[field];
  if (value === undefined || value === null || value === '') return undefined;
  if (typeof value !== 'string')
    throw invalidKubeconfig(entry.file, `${field} of ${entry.name} is not a string`);
  return value;
}
