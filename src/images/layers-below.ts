import { posix } from 'node:path';
import type { ImageConfig } from './image-config.ts';
import type { Descriptor } from './types.ts';

/**
 * The layers that may have something in a folder: all but those of which the history of the image says that an instruction of a
 * Dockerfile copied files to somewhere else. What it says of other layers is not a proof.
 * @param folder without slash in front
 */
export function layersBelow(
  layers: readonly Descriptor[],
  { history = [] }: ImageConfig,
  folder: string,
): readonly Descriptor[] {
  const steps = history.filter(({ empty_layer }) => empty_layer !== true);
  if (steps.length !== layers.length) return layers;
  return layers.filter((_layer, index) => {
    const target = targetOf(steps[index]?.created_by ?? '');
    if (target === undefined) return true;
    return `${target}/`.startsWith(`/${folder}/`) || `/${folder}/`.startsWith(`${target}/`) || target === '/';
  });
}

/** Where COPY and ADD put files: an absolute path, the last word. */
function targetOf(step: string): string | undefined {
  const [, words = ''] =
    /^(?:\/bin\/sh -c #\(nop\) +)?(?:COPY|ADD) ([^"'[\]\\$]+?)(?: +# buildkit)?\s*$/.exec(step) ?? [];
  const target = words.trim().split(/\s+/).at(-1);
  if (target === undefined || !target.startsWith('/')) return undefined;
  return posix.normalize(target).replace(/(?<=.)\/$/, '');
}
