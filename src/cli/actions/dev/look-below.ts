import { join } from 'node:path';
import type { FileView } from '../../../base/util/file-view.ts';

/** Looks at everything in a folder, also if it does not exist yet, so that each change of it is noticed. */
export function lookBelow(files: FileView, folder: string): void {
  if (!files.directoryExists(folder)) return;
  for (const { name, kind } of files.list(folder)) {
    const path = join(folder, name);
    if (kind === 'folder') lookBelow(files, path);
    else files.readFile(path);
  }
}
