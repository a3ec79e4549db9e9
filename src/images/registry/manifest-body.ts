import { OpSdkError } from '../../base/errors/index.ts';
import type { ClientResponse, RegistryClient } from './client.ts';
import { largestManifest } from './manifest-types.ts';

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
