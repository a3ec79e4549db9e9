import type { Finding } from '../../../errors/index.ts';
import { throughCache } from '../../../manifests/cache/index.ts';
import type { ManifestFile, ManifestOptions } from '../../../manifests/index.ts';
import { cacheFolder } from '../../../util/cache-folder.ts';
import { errnoOf } from '../../../util/fs.ts';
import type { CliContext } from '../../command.ts';
import { delayOptimization } from './delay-optimization.ts';
import { renderManifests } from './manifest-changes.ts';

/** A manifest with the text of its file. */
export interface MadeManifest extends ManifestFile {
  readonly content: string;
}

/** What `generateManifests` returns, rendered. Plain JSON. */
export interface MadeManifests {
  readonly files: readonly MadeManifest[];
  readonly warnings: readonly Finding[];
  readonly kinds: number;
  readonly controllers: number;
  readonly webhooks: number;
}

/** What decides on the manifests, beside files. */
export type MadeOptions = Omit<ManifestOptions, 'files' | 'memory' | 'texts'>;

/** The folder where outcomes of `generate manifests` are remembered; undefined if `OPSDK_NO_CACHE` forbids it, or the user has no home. */
export function manifestCacheFolder(env: CliContext['env']): string | undefined {
  if ((env['OPSDK_NO_CACHE'] ?? '') !== '') return undefined;
  try {
    return cacheFolder(env, 'manifests');
  } catch (error) {
    // A container's user may be a number that no one knows. The work can be done without a memory.
    if (errnoOf(error) === undefined) throw error;
    return undefined;
  }
}

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
  const { generateManifests } = await import('../../../manifests/index.ts');
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
