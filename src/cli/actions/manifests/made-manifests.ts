import { setFlagsFromString } from 'node:v8';
import { join } from 'node:path';
import type { Finding } from '../../../base/errors/index.ts';
import type { ManifestFile, ManifestOptions } from '../../../compiler/manifests/index.ts';
import type { WantedFile } from '../../../project/scaffold/index.ts';
import { diskView, type FileView } from '../../../base/util/observe-files.ts';
import { renderManifests } from './manifest-changes.ts';

/** Manifest together with the text of its file. */
export interface MadeManifest extends ManifestFile {
  readonly content: string;
}

/** Result of `generateManifests` with the manifests rendered as text. Plain JSON. */
export interface MadeManifests {
  readonly files: readonly MadeManifest[];
  readonly warnings: readonly Finding[];
  readonly kinds: number;
  readonly controllers: number;
  readonly webhooks: number;
}

/** Options that affect the content of the manifests. Options for files and caches are left out. */
export type MadeOptions = Omit<ManifestOptions, 'files' | 'memory' | 'texts'>;

/** Generates and renders the manifests without using a cache. */
export async function generateAndRender(options: ManifestOptions): Promise<MadeManifests> {
  delayOptimization();
  // The generator is loaded only here, because it is not needed if the manifests come from the cache.
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

/**
 * Makes the V8 of Node 20 optimise only code that runs for very long. The generation of manifests runs much of the compiler's code only a
 * few times. With V8's default budget (66 KiB of byte code), a third of all CPU time is spent on optimising code that is hardly used. Code
 * that does run for long, in big projects and under `--watch`, is still optimised.
 *
 * Later versions of V8 count differently, reject the flag with a message on stderr, and have a cheaper intermediate compiler, so the flag
 * is not set for them.
 */
function delayOptimization(): void {
  const [major = 0] = process.versions.v8.split('.').map(Number);
  if (major < 12) setFlagsFromString('--interrupt-budget=2000000');
}

/** Manifests that a command would generate, and their warnings. */
interface PlannedManifests {
  readonly files: readonly WantedFile[];
  /** Manifests of `files` as plain JSON. */
  readonly documents: readonly ManifestFile[];
  readonly warnings: readonly Finding[];
}

/**
 * Generates the manifests of a project as if the given files were already written. All other files are read from the project, so that
 * imports resolve as they will after the files are written.
 * @param deleted files that will no longer exist, relative to the project
 * @throws OpSdkError with all findings in the sources
 */
export async function plannedManifests(
  root: string,
  files: readonly WantedFile[],
  deleted: readonly string[] = [],
): Promise<PlannedManifests> {
  const texts = new Map<string, string>();
  for (const { path, content } of files) if (typeof content === 'string') texts.set(path, content);
  const view = viewWithout(new Set(deleted.map((path) => join(root, path))));
  const { generateManifests } = await import('../../../compiler/manifests/index.ts');
  const generated = generateManifests({
    projectDir: root,
    texts,
    ...(deleted.length === 0 ? {} : { files: view }),
  });
  const { files: documents, warnings } = generated;
  return { files: await renderManifests(documents), documents, warnings };
}

/** Returns a view of the file system in which the given files do not exist. */
function viewWithout(deleted: ReadonlySet<string>): FileView {
  return {
    ...diskView,
    fileExists: (path) => !deleted.has(join(path)) && diskView.fileExists(path),
    readFile: (path) => (deleted.has(join(path)) ? undefined : diskView.readFile(path)),
    list: (folder) => diskView.list(folder).filter(({ name }) => !deleted.has(join(folder, name))),
  };
}
