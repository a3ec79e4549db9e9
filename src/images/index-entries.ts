import { isOpSdkError, OpSdkError } from '../base/errors/index.ts';
import { isManifest } from './manifest.ts';
import { readPlatformImage, type PlatformImage } from './platform-image.ts';
import type { Descriptor, ImageContent, Platform } from './types.ts';

/** Build tools keep attestations under this name of an operating system and of an architecture. */
export const attestedPlatform = 'unknown';

/** By which build tools mark what is about another manifest of the index, such as an attestation. Source: buildkit, attestation-storage.md. */
const aboutAnother = 'vnd.docker.reference.type';

/** So many manifests without platform are read; an index with one for each architecture has far fewer. */
const mostUnnamed = 32;

/** The platform that an index names for a manifest. Nobody has checked its form yet. */
export function namedPlatform({ platform }: Descriptor): Platform | undefined {
  const { os, architecture, variant } = (platform ?? {}) as Partial<Record<string, unknown>>;
  if (typeof os !== 'string' || typeof architecture !== 'string' || os === '' || architecture === '')
    return undefined;
  return { os, architecture, ...(typeof variant === 'string' ? { variant } : {}) };
}

/**
 * The images of an index for which it names no platform, one after the other: their configurations do. Artifacts are left out.
 * @param name of the image, for the messages
 * @throws OpSdkError `oci/invalid-manifest`, also of too many of them, and what reading throws
 */
export async function* unnamedImages(
  image: ImageContent,
  manifests: readonly Descriptor[],
  name: string,
): AsyncGenerator<PlatformImage> {
  const unnamed = manifests.filter(
    (entry) =>
      isManifest(entry) &&
      namedPlatform(entry) === undefined &&
      entry.annotations?.[aboutAnother] === undefined,
  );
  if (unnamed.length > mostUnnamed) throw tooMany(image.root, unnamed.length);
  for (const root of unnamed) {
    const part = await readPlatformImage({ root, read: (descriptor) => image.read(descriptor) }, name).catch(
      (error: unknown) => {
        // An index may list charts, signatures and other artifacts beside images.
        if (isOpSdkError(error) && error.code === 'oci/not-an-image') return undefined;
        throw error;
      },
    );
    if (part !== undefined && part.config.os !== attestedPlatform) yield part;
  }
}

function tooMany({ digest, mediaType }: Descriptor, count: number): OpSdkError {
  return new OpSdkError({
    code: 'oci/invalid-manifest',
    message: `invalid manifest ${digest} (${mediaType}): expected at most ${mostUnnamed} manifests without platform, got ${count}`,
    where: { object: digest },
    fix: ['build the image again with a platform for each manifest, or name the digest of one of them'],
  });
}
