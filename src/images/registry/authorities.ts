import { X509Certificate } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { rootCertificates } from 'node:tls';
import { OpSdkError } from '../../base/errors/index.ts';
import { errnoText } from '../../base/util/fs.ts';

const certificateForm = /-----BEGIN CERTIFICATE-----[\s\S]*?-----END CERTIFICATE-----/g;

/**
 * The authorities that are trusted: Node's own, and those of a PEM file.
 * @returns undefined without a file: Node's defaults
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
  // A list of authorities takes the place of Node's defaults, of which this file is a part.
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
