import { join } from 'node:path';
import type { Finding } from '../../../base/errors/index.ts';
import { generateManifests, type ManifestFile } from '../../../compiler/manifests/index.ts';
import type { WantedFile } from '../../../project/scaffold/index.ts';
import { diskView, type FileView } from '../../../base/util/file-view.ts';
import { renderManifests } from './manifest-changes.ts';

/** The generated manifests as they will be, and what is to be said about them. */
export interface PlannedManifests {
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
