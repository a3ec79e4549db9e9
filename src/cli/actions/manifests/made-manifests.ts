import { setFlagsFromString } from 'node:v8';
import { join } from 'node:path';
import type { Finding } from '../../../base/errors/index.ts';
import type { ManifestFile, ManifestOptions } from '../../../compiler/manifests/index.ts';
import type { WantedFile } from '../../../project/scaffold/index.ts';
import { diskView, type FileView } from '../../../base/util/observe-files.ts';
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

/**
 * Tells the V8 of Node 20 to optimise only what runs really long. Generating manifests runs much of the compiler's code a few times
 * and ends: with V8's own measure (66 KiB of byte code) a third of all CPU time goes into optimised code that is hardly used. What
 * does run long, in big projects and under `--watch`, is optimised nevertheless.
 *
 * Later versions count otherwise, do not know the flag and would say so on stderr; they have a cheaper compiler in between.
 */
function delayOptimization(): void {
  const [major = 0] = process.versions.v8.split('.').map(Number);
  if (major < 12) setFlagsFromString('--interrupt-budget=2000000');
}

/** The generated manifests as they will be, and what is to be said about them. */
interface PlannedManifests {
  readonly files: readonly WantedFile[];
  /** The same as plain JSON. */
  readonly documents: readonly ManifestFile[];
  readonly warnings: readonly Finding[];
}

/**
 * Generates the manifests of a project as it will be with these files, before any of them is written. Everything else is read
 * where it is, so that imports may lead anywhere that they will lead later.
 * @param deleted files that will no longer be there, relative to the project
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

/** The file system as it will be without some files. */
function viewWithout(deleted: ReadonlySet<string>): FileView {
  return {
    ...diskView,
    fileExists: (path) => !deleted.has(join(path)) && diskView.fileExists(path),
    readFile: (path) => (deleted.has(join(path)) ? undefined : diskView.readFile(path)),
    list: (folder) => diskView.list(folder).filter(({ name }) => !deleted.has(join(folder, name))),
  };
}
