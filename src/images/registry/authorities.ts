import { X509Certificate } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { rootCertificates } from 'node:tls';
import { OpSdkError } from '../../base/errors/index.ts';
import { errnoText } from '../../base/util/fs.ts';
import { createWire, WireError } from '../../sdk/net/index.ts';
import { registryOrigins } from './options.ts';

const certificateForm = /-----BEGIN CERTIFICATE-----[\s\S]*?-----END CERTIFICATE-----/g;

/**
 * Returns the trusted certificate authorities: Node's own, and those of a PEM file.
 * @returns undefined if no PEM file is given, so that Node's defaults apply
 * @throws OpSdkError `oci/ca-file`
 */
export async function loadAuthorities(
  caFile: string | undefined,
  env: Readonly<Record<string, string | undefined>>,
): Promise<readonly string[] | undefined> {
  if (caFile === undefined) return undefined;
  let text: string;
  try {
    text = await readFile(caFile, 'utf8');
  } catch (error) {
    throw wrong(caFile, `cannot be read: ${errnoText(error)}`);
  }
  const own = text.match(certificateForm) ?? [];
  if (own.length === 0) throw wrong(caFile, 'holds no certificate in PEM form');
  for (const certificate of own) {
    try {
      new X509Certificate(certificate);
    } catch {
      throw wrong(caFile, 'holds a certificate that cannot be read');
    }
  }
  // A given list of authorities replaces Node's defaults, which include the file of NODE_EXTRA_CA_CERTS. Therefore, the authorities in this
  // file are added to the list.
  const extra = env['NODE_EXTRA_CA_CERTS'] ?? '';
  const more = extra === '' ? '' : await readFile(extra, 'utf8').catch(() => '');
  return [...rootCertificates, ...(more.match(certificateForm) ?? []), ...own];
}

function wrong(caFile: string, why: string): OpSdkError {
  return new OpSdkError({
    code: 'oci/ca-file',
    message: `${caFile} ${why}`,
    where: { flag: '--ca-file' },
    fix: [
      'name a PEM file with the certificate of the authority that signed the certificate of the registry',
    ],
  });
}

/** Default total time limit in milliseconds for all requests to the registry. It is short, because a user waits for the answer. */
const patience = 3_000;

interface AskOptions {
  /** Environment variables that configure proxies. */
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly signal: AbortSignal;
  /** Time in milliseconds after which a registry that has not answered counts as silent. Default: 3,000. */
  readonly timeout?: number;
}

/**
 * Finds out if a registry requires credentials, by the status of the root of its API: 401 if it does, 200 if it serves everybody. Sends no
 * credentials and changes nothing at the registry.
 * @returns undefined if the registry does not answer in time, returns another status, or has a name that cannot be part of a URL
 * @throws the signal's reason
 * @see https://github.com/opencontainers/distribution-spec/blob/main/spec.md#determining-support
 */
export async function asksForCredentials(
  registry: string,
  options: AskOptions,
): Promise<boolean | undefined> {
  const { env, signal, timeout = patience } = options;
  if (!URL.canParse(`https://${registry}`)) return undefined;
  const limit = AbortSignal.timeout(timeout);
  const wire = createWire({ env, ca: undefined, connectTimeout: timeout, idleTimeout: timeout });
  try {
    for (const origin of registryOrigins(registry, { plainHttp: false, insists: false })) {
      const answer = await wire
        .send({
          method: 'GET',
          url: new URL('/v2/', origin),
          headers: { 'user-agent': 'op-sdk' },
          signal: AbortSignal.any([signal, limit]),
        })
        .catch((error: unknown) => {
          signal.throwIfAborted();
          if (error instanceof WireError || limit.aborted) return undefined;
          throw error;
        });
      answer?.discard();
      if (answer?.status === 401) return true;
      if (answer?.status === 200) return false;
    }
    return undefined;
  } finally {
    wire.close();
  }
}
