import { access, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { OpSdkError, type Finding } from '../../../base/errors/index.ts';
import type { Cluster } from './cluster.ts';
import { fileToken, OutsideFile } from './file-token.ts';

/** Mount path of the ServiceAccount: `token`, `ca.crt`, `namespace`. */
const serviceAccountFolder = '/var/run/secrets/kubernetes.io/serviceaccount';

/** The `source` of the in-cluster configuration. */
export const inClusterSource = 'the in-cluster configuration';

type Environment = Readonly<Record<string, string | undefined>>;

/** Returns true if the process runs in a Pod, as shown by the variables that the kubelet sets. */
export function isInCluster(env: Environment): boolean {
  return (env['KUBERNETES_SERVICE_HOST'] ?? '') !== '' && (env['KUBERNETES_SERVICE_PORT'] ?? '') !== '';
}

/**
 * Creates the cluster in which the pod of this process runs.
 *
 * @param folder for tests
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
    // If only the token and the CA are projected, the namespace file is missing, and callers name the namespaces.
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
 * Returns the namespace of the pod in which this process runs: POD_NAMESPACE, or else the file of the ServiceAccount.
 *
 * @param folder for tests
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
