import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { OpSdkError } from '../../../base/errors/index.ts';
import { Secret } from '../../../sdk/k8s/generated/core/v1.ts';
import type { KubeClient } from '../../../sdk/kube/index.ts';
import type { RunBundleOptions } from '../../flags/run-bundle-flags.ts';
import { exclusiveFlags } from '../input/flag-values.ts';

/** The key that operator-sdk reads. */
const certificateKey = 'cert.pem';

/** A file with the certificate authority of the registry, until it is disposed of. */
export interface CaSecret extends AsyncDisposable {
  readonly caFile: string;
}

/**
 * Reads the certificate authority of the registry from the Secret of `--ca-secret-name`.
 *
 * @param connect called only if the flag is given
 * @returns undefined without the flag
 * @throws OpSdkError `olm/ca-secret`, `cli/invalid-value`
 */
export async function openCaSecret(
  connect: () => Promise<KubeClient>,
  { caSecretName: name, caFile, namespace: named }: RunBundleOptions,
  signal: AbortSignal,
): Promise<CaSecret | undefined> {
  if (name === undefined) return undefined;
  if (caFile !== undefined) throw new OpSdkError(exclusiveFlags('--ca-secret-name', '--ca-file'));
  const encoded = await readCertificate(await connect(), { name, namespace: named, signal });
  const folder = await mkdtemp(join(tmpdir(), 'op-sdk-ca-'));
  const file = join(folder, certificateKey);
  await writeFile(file, Buffer.from(encoded, 'base64'));
  return { caFile: file, [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true }) };
}

async function readCertificate(
  client: KubeClient,
  { name, namespace: named, signal }: { name: string; namespace: string | undefined; signal: AbortSignal },
): Promise<string> {
  try {
    const namespace = named ?? client.connection.cluster.namespace;
    const secret = await client.find(Secret, { name, namespace }, { signal });
    const encoded = secret?.data?.[certificateKey];
    if (encoded === undefined) throw unreadable({ name, namespace, isThere: secret !== undefined });
    return encoded;
  } finally {
    await client.close();
  }
}

function unreadable(secret: {
  readonly name: string;
  readonly namespace: string;
  readonly isThere: boolean;
}): OpSdkError {
  const { name, namespace, isThere } = secret;
  return new OpSdkError({
    code: 'olm/ca-secret',
    message: isThere
      ? `the Secret ${name} of the namespace ${namespace} has no ${certificateKey}`
      : `the Secret ${name} does not exist in the namespace ${namespace}`,
    where: { flag: '--ca-secret-name' },
    fix: [
      `kubectl create secret generic ${name} -n ${namespace} --from-file=${certificateKey}=FILE`,
      'or name the file: --ca-file FILE',
    ],
  });
}
