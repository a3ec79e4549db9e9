import { readdir } from 'node:fs/promises';
import { posix } from 'node:path';
import {
  configsLabel,
  documentInMemory,
  documentsIn,
  renderCatalogBundle,
  renderTemplate,
  type CatalogueBundle,
  type RenderedDocument,
} from '../../../olm/catalog/index.ts';
import { OpSdkError } from '../../../base/errors/index.ts';
import { statsAt } from '../../../base/util/fs.ts';
import { resolvePlace, type ImageContent, type Place } from '../../../images/index.ts';
import type { CliContext } from '../../command.ts';
import type { RegistryFlags } from '../../flags/registry-flags.ts';

/** An opened bundle or catalogue that a command argument names. Its files can be read until this object is disposed of. */
export interface OpenSource extends AsyncDisposable {
  readonly kind: 'bundle' | 'catalog';
  readonly place: Place;
  /** Name of the image from which the files were read; absent if the argument names a folder or file. */
  readonly image?: string;
}

/**
 * Maximum sizes in bytes of the parts of an image. They exceed the defaults of `unpackImage`, because catalogues are larger than bundles.
 */
const limits = { layer: 64 * 1024 * 1024, files: 96 * 1024 * 1024, archives: 1024 * 1024 * 1024 };

/** Label that every bundle image has. Source: OLM, "Operator Bundle". */
const packageLabel = 'operators.operatorframework.io.bundle.package.v1';

/**
 * Opens the folder or file at the given path; if nothing exists there, opens the image of that name. From an image, only the part that the
 * image's labels name is unpacked.
 * @throws OpSdkError `oci/…`, `io/not-found`, `catalog/not-renderable`
 */
export async function openSource(
  context: CliContext,
  text: string,
  flags: RegistryFlags,
): Promise<OpenSource> {
  const place = resolvePlace(context.cwd, text);
  const entry = await statsAt(place.path);
  if (entry !== undefined) {
    const kind = entry.isDirectory() && (await isBundle(place.path)) ? 'bundle' : 'catalog';
    return { kind, place, [Symbol.asyncDispose]: async () => undefined };
  }
  // These modules are loaded only for images, so that reading a folder does not load the registry client.
  const { openImage } = await import('../validate/open-image.ts');
  const { imageLabels, unpackImage } = await import('../../../images/index.ts');
  let kind: OpenSource['kind'] = 'bundle';
  let folder = '';
  const unpack = async (content: ImageContent, name: string, dir: string): Promise<void> => {
    const labels = await imageLabels(content, name);
    const configs = labels[configsLabel];
    if (configs === undefined && labels[packageLabel] === undefined) throw neither(name);
    if (configs === undefined) return unpackImage(content, name, dir);
    kind = 'catalog';
    folder = await unpackCatalog(content, { name, configs }, dir);
  };
  const opened = await openImage(context, text, flags, unpack);
  if (opened === undefined)
    throw new OpSdkError({
      code: 'io/not-found',
      message: `${text} does not exist`,
      where: { file: text },
      fix: ['name a folder, a file, or an image with its registry'],
    });
  return {
    kind,
    image: text,
    place: { path: posix.join(opened.dir, folder), shown: posix.join(text, folder) },
    [Symbol.asyncDispose]: () => opened[Symbol.asyncDispose](),
  };
}

/**
 * Unpacks the catalogue of an image into `dir`.
 * @param image `name` is the name of the image; `configs` is the folder of the catalogue inside the image, according to its label
 * @returns the folder of the catalogue, relative to `dir`; `''` if it is `dir` itself
 * @throws OpSdkError `catalog/not-renderable`, `oci/not-unpacked`
 */
export async function unpackCatalog(
  content: ImageContent,
  { name, configs }: { readonly name: string; readonly configs: string },
  dir: string,
): Promise<string> {
  const { unpackImage } = await import('../../../images/index.ts');
  const folder = posix.resolve('/', configs).slice(1);
  await unpackImage(content, name, dir, { ...limits, ...(folder === '' ? {} : { below: folder }) });
  if ((await statsAt(posix.join(dir, folder))) === undefined) throw withoutFolder(name, configs);
  return folder;
}

async function isBundle(path: string): Promise<boolean> {
  const entries = await readdir(path, { withFileTypes: true }).catch(() => []);
  const folders = entries.filter((entry) => entry.isDirectory()).map(({ name }) => name);
  return folders.includes('manifests') && folders.includes('metadata');
}

function withoutFolder(name: string, configs: string): OpSdkError {
  return new OpSdkError({
    code: 'catalog/not-renderable',
    message: `${name}: the label ${configsLabel} says that the catalogue is in ${JSON.stringify(configs)}, but the image has no files there`,
    where: { object: name },
    fix: ['build the image with `op-sdk catalog build`'],
  });
}

function neither(name: string): OpSdkError {
  return new OpSdkError({
    code: 'catalog/not-renderable',
    message: `expected the image of a catalogue or of a bundle, got ${name}, which has neither the label ${configsLabel} nor ${packageLabel}`,
    where: { object: name },
    fix: ['name an image of a file-based catalogue, or of a bundle'],
  });
}

/** Flags that name the image of a bundle. They are needed if the argument names the folder of the bundle. */
interface BundleImageFlag extends RegistryFlags {
  readonly image: string | undefined;
}

/**
 * Returns the documents of the bundle, catalogue or template that `source` refers to.
 * @throws OpSdkError with all findings
 */
export async function readSource(
  context: CliContext,
  source: OpenSource,
  flags: BundleImageFlag,
): Promise<readonly RenderedDocument[]> {
  if (source.kind === 'bundle') {
    const { document } = await renderOpened(source, flags);
    return [documentInMemory(document)];
  }
  const documents = await renderTemplate(source.place, (image) => renderReference(context, image, flags));
  return documents ?? (await documentsIn(source.place));
}

/**
 * Renders a bundle. The given text names the folder or the image of the bundle.
 * @throws OpSdkError with all findings; `catalog/not-renderable`
 */
export async function renderReference(
  context: CliContext,
  text: string,
  flags: BundleImageFlag,
): Promise<CatalogueBundle> {
  await using source = await openSource(context, text, flags);
  if (source.kind === 'bundle') return await renderOpened(source, flags);
  throw new OpSdkError({
    code: 'catalog/not-renderable',
    message: `${text} is a catalogue; expected a bundle`,
    where: { object: text },
    fix: ['name the folder or the image of a bundle'],
  });
}

async function renderOpened(source: OpenSource, { image }: BundleImageFlag): Promise<CatalogueBundle> {
  const own = source.image ?? image;
  if (own !== undefined) return await renderCatalogBundle(source.place, own);
  throw new OpSdkError({
    code: 'catalog/not-renderable',
    message: `${source.place.shown} is the folder of a bundle: expected --image with the name of the bundle's image, got none`,
    where: { flag: '--image' },
    fix: [
      'name the image by which OLM gets it: --image registry.example.com/team/bundle:v{{.Version}}',
      'or name the image itself in place of the folder',
    ],
  });
}
