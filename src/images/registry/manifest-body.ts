import { OpSdkError } from '../../base/errors/index.ts';
import { mediaTypes } from '../types.ts';
import type { WireResponse } from '../../sdk/net/index.ts';
import type { ClientResponse, RegistryClient } from './client.ts';

/**
 * Reads the body of an answer that holds a manifest.
 * @throws Transient if it is cut; OpSdkError `oci/invalid-manifest` if it is too large
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

/** `oci/invalid-manifest` */
export function invalidManifest(shown: string, why: string): OpSdkError {
  return new OpSdkError({
    code: 'oci/invalid-manifest',
    message: `the manifest of ${shown} cannot be used: ${why}`,
    where: { object: shown },
    fix: ['name another image'],
  });
}

/** The kinds of manifest that are understood. Without them all in Accept, registries answer 404 for what they have. */
export const manifestTypes: readonly string[] = [
  mediaTypes.oci.index,
  mediaTypes.oci.manifest,
  mediaTypes.docker.index,
  mediaTypes.docker.manifest,
];

/** The Accept header for manifests. */
export const acceptedManifests = manifestTypes.join(', ');

/** The largest manifest that is read, in bytes: registries take no larger ones. */
const largestManifest = 4 * 1024 * 1024;

/**
 * Checks the digest that a registry says something has. Registries need not say any.
 * @throws OpSdkError `oci/digest-mismatch`
 */
export function checkDigestHeader(
  response: WireResponse,
  expected: string,
  what: string,
  { purpose }: RegistryClient,
): void {
  const digest = response.header('docker-content-digest');
  // Another algorithm says nothing about ours.
  if (digest === undefined || !digest.startsWith('sha256:') || digest === expected) return;
  throw digestMismatch(
    `${purpose.registry} says that ${what} is ${digest.slice(0, 71)}`,
    expected,
    purpose.registry,
  );
}

/** `oci/digest-mismatch` */
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
