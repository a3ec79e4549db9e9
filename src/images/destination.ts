import { access, constants, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { OpSdkError, type Finding } from '../base/errors/index.ts';
import { errnoOf, errnoText } from '../base/util/fs.ts';
import { imageStore } from './layout.ts';
import { resolvePlace, type Place } from './place.ts';
import { formatReference } from './reference.ts';
import { storeImage } from './store-image.ts';
import type { ImageContent, ImageReference } from './types.ts';
import { writeDockerArchive, writeOciArchive } from './write-archive.ts';

/** Where a built image goes: the project's own store, or what `--to` names. */
export interface Destination {
  readonly kind: 'store' | 'oci' | 'oci-archive' | 'docker-archive';
  readonly place: Place;
}

/**
 * Reads the value of `--to`.
 * @param text `oci:DIR`, `oci-archive:FILE` or `docker-archive:FILE`; undefined for the store of the project
 * @param cwd absolute; paths are relative to it
 * @throws OpSdkError `oci/invalid-destination`
 */
export function parseDestination(text: string | undefined, cwd: string): Destination {
  if (text === undefined) return { kind: 'store', place: resolvePlace(cwd, imageStore) };
  const colon = text.indexOf(':');
  const kind = text.slice(0, Math.max(colon, 0));
  const path = text.slice(colon + 1);
  if (kind !== 'oci' && kind !== 'oci-archive' && kind !== 'docker-archive')
    throw invalid(
      `'${text}' does not begin with oci:, oci-archive: or docker-archive:`,
      'write --to oci:DIR',
    );
  if (path === '') throw invalid(`'${text}' names no path`, `write --to ${kind}:PATH`);
  // Other tools take what follows a second colon for the name of the image.
  if (/:/.test(path.replace(/^[A-Za-z]:(?=[\\/])/, '')))
    throw invalid(
      `'${text}' has a second colon; the name of the image comes from --tag`,
      `write --to ${kind}:${path.split(':')[0]}`,
    );
  return { kind, place: resolvePlace(cwd, path) };
}

/** Checks a destination, as far as that is possible before anything is written. */
export async function checkDestination({ kind, place }: Destination): Promise<readonly Finding[]> {
  const isFile = kind === 'oci-archive' || kind === 'docker-archive';
  const there = await statOf(place.path);
  if (there instanceof Error) return [cannotWrite(place, errnoText(there))];
  if (there !== undefined && isFile === there.isDirectory()) {
    const is = isFile ? 'a folder' : 'no folder';
    return [{ ...cannotWrite(place, `it is ${is}`), fix: ['name another path with --to'] }];
  }
  // A file is replaced by renaming, for which the folder counts.
  let folder = isFile || there === undefined ? dirname(place.path) : place.path;
  for (;;) {
    const above = await statOf(folder);
    if (above instanceof Error) return [cannotWrite(place, errnoText(above))];
    if (above === undefined) {
      folder = dirname(folder);
      continue;
    }
    if (!above.isDirectory()) return [cannotWrite(place, `${folder} is not a folder`)];
    try {
      await access(folder, constants.W_OK | constants.X_OK);
      return [];
    } catch (error) {
      return [cannotWrite(place, errnoText(error))];
    }
  }
}

/**
 * Writes an image where it belongs.
 * @param reference with a tag: the name under which it is found again
 * @returns false if the same image was there already
 * @throws OpSdkError as `storeImage`, `writeOciArchive`, `writeDockerArchive`
 */
export async function writeImage(
  { kind, place }: Destination,
  reference: ImageReference,
  content: ImageContent,
  signal?: AbortSignal,
): Promise<boolean> {
  if (kind === 'oci-archive') return writeOciArchive(place, reference, content, signal);
  if (kind === 'docker-archive') return writeDockerArchive(place, reference, content, signal);
  return storeImage(place, formatReference(reference), content, {
    remove: kind === 'store' ? 'unreferenced' : 'replaced',
    ...(signal === undefined ? {} : { signal }),
  });
}

async function statOf(path: string): Promise<Awaited<ReturnType<typeof stat>> | Error | undefined> {
  try {
    return await stat(path);
  } catch (error) {
    if (errnoOf(error) === 'ENOENT') return undefined;
    if (error instanceof Error) return error;
    throw error;
  }
}

function cannotWrite({ shown }: Place, why: string): Finding {
  return {
    code: 'io/cannot-write',
    message: `${shown} cannot be written: ${why}; nothing was changed`,
    where: { file: shown },
    fix: ['see that the folder can be written to, or name another one with --to'],
  };
}

function invalid(message: string, fix: string): OpSdkError {
  return new OpSdkError({
    code: 'oci/invalid-destination',
    message: `--to ${message}`,
    where: { flag: '--to' },
    fix: [fix],
  });
}
