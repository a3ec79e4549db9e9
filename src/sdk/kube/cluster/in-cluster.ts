import { access, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { OpSdkError, type Finding } from '../../../base/errors/index.ts';
import type { Cluster } from './cluster.ts';
import { fileToken, OutsideFile } from './file-token.ts';

/** Path at which the ServiceAccount is mounted. The folder contains the files `token`, `ca.crt` and `namespace`. */
const serviceAccountFolder = '/var/run/secrets/kubernetes.io/serviceaccount';

/** Value of `source` in a Cluster that is created from the in-cluster configuration. */
export const inClusterSource = 'the in-cluster configuration';

type Environment = Readonly<Record<string, string | undefined>>;

/** Returns true if the process runs in a Pod. The function checks environment variables that the kubelet sets. */
export function isInCluster(env: Environment): boolean {
  return (env['KUBERNETES_SERVICE_HOST'] ?? '') !== '' && (env['KUBERNETES_SERVICE_PORT'] ?? '') !== '';
}

/**
 * Returns the cluster in which the pod of this process runs.
 *
 * @param folder folder of the ServiceAccount; set only by tests
 * @throws OpSdkError `kube/in-cluster-incomplete` with everything that is missing
 */
export async function inCluster(env: Environment, folder = serviceAccountFolder): Promise<Cluster> {
  const findings: Finding[] = [];
  const missing = (message: string, file?: string): number =>
    findings.push({
      code: 'kube/in-cluster-incomplete',
      message,
      ...(file === undefined ? {} : { where: { file } }),
      fix: [
        'run this in a pod whose ServiceAccount token is mounted (automountServiceAccountToken), or name a kubeconfig',
      ],
    });
  if (!isInCluster(env))
    missing('KUBERNETES_SERVICE_HOST and KUBERNETES_SERVICE_PORT are not set: this is not a pod');
  const tokenFile = join(folder, 'token');
  const caFile = join(folder, 'ca.crt');
  for (const file of [tokenFile, caFile]) {
    if (!(await isReadable(file))) missing('the file of the ServiceAccount cannot be read', file);
  }
  if (findings.length > 0) throw new OpSdkError(findings);
  const host = env['KUBERNETES_SERVICE_HOST'] ?? '';
  const ca = new OutsideFile(caFile, 'certificate authority');
  return {
    server: new URL(`https://${host.includes(':') ? `[${host}]` : host}:${env['KUBERNETES_SERVICE_PORT']}`),
    // If only the token and the CA are projected into the pod, the namespace file is missing, and callers specify namespaces themselves.
    namespace: (await readNamespace(join(folder, 'namespace'))) ?? 'default',
    credentials: fileToken(tokenFile),
    tls: async (signal) => ({ ca: await ca.read(signal) }),
    source: inClusterSource,
  };
}

async function isReadable(file: string): Promise<boolean> {
  return access(file).then(
    () => true,
    () => false,
  );
}

/**
 * Returns the namespace of the pod in which this process runs: the value of POD_NAMESPACE or, if this variable is not set, the content of
 * the namespace file of the ServiceAccount.
 *
 * @param folder folder of the ServiceAccount; set only by tests
 * @returns undefined outside of a pod, and if only the token and the CA are projected
 */
export async function podNamespace(
  env: Environment,
  folder = serviceAccountFolder,
): Promise<string | undefined> {
  return env['POD_NAMESPACE'] || (await readNamespace(join(folder, 'namespace')));
}

async function readNamespace(file: string): Promise<string | undefined> {
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return '';
    throw error;
  });
  return text.trim() || undefined;
}
