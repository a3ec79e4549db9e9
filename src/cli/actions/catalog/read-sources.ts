import {
  documentInMemory,
  documentsIn,
  renderCatalogBundle,
  renderTemplate,
  type CatalogueBundle,
  type RenderedDocument,
} from '../../../olm/catalog/index.ts';
import { OpSdkError } from '../../../base/errors/index.ts';
import type { CliContext } from '../../command.ts';
import type { RegistryFlags } from '../../flags/registry-flags.ts';
import { openSource, type OpenSource } from './open-source.ts';

/** Flags that name bundles which are folders. */
export interface BundleImageFlag extends RegistryFlags {
  readonly image?: string;
}

/**
 * The documents of what an argument names: of a bundle, of a catalogue, or of a template.
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
 * Renders the bundle that a text names: its folder, or its image.
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
    message: `${source.place.shown} is the folder of a bundle; its image is not known`,
    where: { flag: '--image' },
    fix: [
      'name the image by which OLM gets it: --image registry.example.com/team/bundle:v{{.Version}}',
      'or name the image itself in place of the folder',
    ],
  });
}
