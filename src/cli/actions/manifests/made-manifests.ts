import type { Finding } from '../../../base/errors/index.ts';
import { throughCache } from '../../../compiler/manifests/cache/index.ts';
import type { ManifestFile, ManifestOptions } from '../../../compiler/manifests/index.ts';
import { delayOptimization } from './delay-optimization.ts';
import { renderManifests } from './manifest-changes.ts';

/** A manifest with the text of its file. */
export interface MadeManifest extends ManifestFile {
  readonly content: string;
}

/** Rendered result of `generateManifests`. Plain JSON. */
export interface MadeManifests {
  readonly files: readonly MadeManifest[];
  readonly warnings: readonly Finding[];
  readonly kinds: number;
  readonly controllers: number;
  readonly webhooks: number;
}

/** Options that decide on the manifests, beside files. */
export type MadeOptions = Omit<ManifestOptions, 'files' | 'memory' | 'texts'>;

/**
 * Generates and renders the manifests of a project, or remembers them.
 * @param cache the folder of the cache; undefined: always generate
 * @throws OpSdkError with everything that is wrong in all files
 */
export async function madeManifests(options: MadeOptions, cache: string | undefined): Promise<MadeManifests> {
  const make = (extra: Pick<ManifestOptions, 'files'>): Promise<MadeManifests> =>
    generateAndRender({ ...options, ...extra });
  if (cache === undefined) return make({});
  return throughCache({ folder: cache, key: options, make: (files) => make({ files }) });
}

/** Generates and renders, whatever was remembered. */
export async function generateAndRender(options: ManifestOptions): Promise<MadeManifests> {
  delayOptimization();
  // Loaded when it is needed: what comes from the cache is generated already.
  const { generateManifests } = await import('../../../compiler/manifests/index.ts');
  const { files, warnings, kinds, controllers, webhooks } = generateManifests(options);
  const rendered = await renderManifests(files);
  return {
    files: files.map((file, index) => ({ ...file, content: rendered[index]?.content ?? '' })),
    warnings,
    kinds,
    controllers,
    webhooks,
  };
}
