import { OpSdkError } from '../../../base/errors/index.ts';
import {
  formatReference,
  openCached,
  parseReference,
  resolvePlace,
  readLayout,
  withDefaultTag,
  type ImageContent,
  type ImageReference,
  type Place,
} from '../../../images/index.ts';
import { pullImage, type RegistryOptions } from '../../../images/registry/index.ts';
import { cacheFolder } from '../../../base/util/cache-folder.ts';
import type { CliContext } from '../../command.ts';

/** Base of an image, as its flag names it. */
export type Base =
  | { readonly kind: 'registry'; readonly reference: ImageReference }
  | { readonly kind: 'layout'; readonly layout: Place };

/**
 * Reads the value of `--base`: a name of an image, or `oci:DIR` for a layout on disk that holds one image.
 * @throws OpSdkError `oci/invalid-reference`
 */
export function parseBase(text: string, cwd: string): Base {
  // A repository of the hub that is called oci can be named in full.
  if (text.startsWith('oci:')) {
    const folder = text.slice('oci:'.length);
    if (folder !== '') return { kind: 'layout', layout: resolvePlace(cwd, folder) };
    throw new OpSdkError({
      code: 'oci/invalid-reference',
      message: `--base '${text}' names no folder`,
      where: { flag: '--base' },
      fix: ['write --base oci:DIR'],
    });
  }
  return { kind: 'registry', reference: withDefaultTag(parseReference(text, '--base')) };
}

/** Ways to a base image without this registry. */
const otherBases = [
  'or build on an image of a registry that you reach: --base REGISTRY/IMAGE',
  'or on a layout on disk: --base oci:DIR (made elsewhere by: skopeo copy docker://IMAGE oci:DIR)',
];

/**
 * Opens a base image: its manifests are read at once, its layers when they are needed.
 * @param useCache keep what is read, for the next build; not in a dry run, which writes nothing
 * @throws OpSdkError what reading the layout, the registry or the cache throws
 */
export async function openBase(
  context: CliContext,
  base: Base,
  registry: RegistryOptions,
  useCache: boolean,
): Promise<{ readonly content: ImageContent; readonly name: string }> {
  if (base.kind === 'layout') return { content: await readLayout(base.layout), name: base.layout.shown };
  const { reference } = base;
  const pull = (): Promise<ImageContent> => pullImage(reference, { ...registry, instead: otherBases });
  const cache = resolvePlace(context.cwd, cacheFolder(context.env, 'images'));
  const content = useCache ? await openCached(cache, reference, pull, context.signal) : await pull();
  return { content, name: formatReference(reference) };
}
