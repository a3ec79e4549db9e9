import { OpSdkError } from '../../base/errors/index.ts';
import { mediaTypes } from '../types.ts';
import type { WireResponse } from '../../sdk/net/index.ts';
import type { ClientResponse, RegistryClient } from './client.ts';

/**
 * Reads the body of an answer that holds a manifest.
 * @throws Transient if the body is cut off; OpSdkError `oci/invalid-manifest` if it is too large
 */
export async function readManifestBody(
  client: RegistryClient,
  repository: string,
  response: ClientResponse,
): Promise<Buffer> {
  const parts: Uint8Array[] = [];
  let size = 0;
  try {
    for await (const part of response.body) {
      parts.push(part);
      size += part.length;
      if (size > largestManifest)
        throw invalidManifest(`${client.purpose.registry}/${repository}`, 'it is larger than 4 MiB');
    }
  } catch (error) {
    throw client.readFailure(error, response.url);
  }
  return Buffer.concat(parts);
}

/** Creates the error `oci/invalid-manifest`. */
export function invalidManifest(shown: string, why: string): OpSdkError {
  return new OpSdkError({
    code: 'oci/invalid-manifest',
    message: `the manifest of ${shown} cannot be used: ${why}`,
    where: { object: shown },
    fix: ['name another image'],
  });
}

/** Supported media types of manifests, for the Accept header. If Accept lacks the type of an existing manifest, registries answer 404. */
export const manifestTypes: readonly string[] = [
  mediaTypes.oci.index,
  mediaTypes.oci.manifest,
  mediaTypes.docker.index,
  mediaTypes.docker.manifest,
];

/** The Accept header for manifests. */
export const acceptedManifests = manifestTypes.join(', ');

/** Maximum size of a manifest in bytes; registries accept no larger ones. */
const largestManifest = 4 * 1024 * 1024;

/**
 * Checks the digest header of a response. A missing header is accepted, because registries need not send one.
 * @throws OpSdkError `oci/digest-mismatch`
 */
export function checkDigestHeader(
  response: WireResponse,
  expected: string,
  what: string,
  { purpose }: RegistryClient,
): void {
  const digest = response.header('docker-content-digest');
  // A digest of another algorithm cannot be compared with the expected one, so it is ignored.
  if (digest === undefined || !digest.startsWith('sha256:') || digest === expected) return;
  throw digestMismatch(
    `${purpose.registry} says that ${what} is ${digest.slice(0, 71)}`,
    expected,
    purpose.registry,
  );
}

/** Creates the error `oci/digest-mismatch`. */
export function digestMismatch(found: string, expected: string, object: string): OpSdkError {
  return new OpSdkError({
    code: 'oci/digest-mismatch',
    message: `${found}, not ${expected}`,
    where: { object },
    fix: [
      'run the command again; if it happens again, check the proxies and firewalls between you and the registry',
    ],
  });
}
