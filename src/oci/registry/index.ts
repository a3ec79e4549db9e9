/**
 * The client of OCI registries: images are pushed and pulled over HTTP with nothing but Node. Credentials come from the files
 * and helpers that docker and podman use; they go to the registry and its token server, and nowhere else.
 */
import type { ImageContent, ImageReference } from '../types.ts';
import type { RegistryOptions } from './options.ts';

export type { RegistryClock, RegistryOptions, RegistryTiming } from './options.ts';

/** Pushes an image; being written, see the history. */
export async function pushImage(
  _reference: ImageReference,
  _content: ImageContent,
  _options: RegistryOptions,
): Promise<{ readonly digest: string }> {
  throw new TypeError('pushImage is being written');
}

/** Pulls an image; being written, see the history. */
export async function pullImage(
  _reference: ImageReference,
  _options: RegistryOptions,
): Promise<ImageContent> {
  throw new TypeError('pullImage is being written');
}
