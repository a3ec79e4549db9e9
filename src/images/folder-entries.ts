import { lstat, readdir, readFile, readlink, stat } from 'node:fs/promises';
import { join, posix } from 'node:path';
import type { FindingList } from '../base/errors/index.ts';
import { errnoText } from '../base/util/fs.ts';
import { leadsInside, isLeftover } from '../base/util/folders.ts';
import type { Place } from './types.ts';
import type { TarEntry } from '../base/util/write-tar.ts';

/** An entry of a layer, with the bytes of its file in memory. */
export type LayerEntry = TarEntry & { readonly content?: Uint8Array };

/**
 * Maximum total size of a folder in bytes (`mostBytes`), and maximum number of its files, folders and links (`mostEntries`). All bytes are
 * held in memory. No bundle exceeds these limits, so a larger folder is probably the wrong one.
 */
const mostBytes = 32 * 1024 * 1024;
const mostEntries = 5000;

/**
 * Reads folders as the entries of an image layer. Paths are kept; modes are always 755 or 644, regardless of the umask. Symbolic links stay
 * links. Temporary files of op-sdk are omitted.
 * @param root folder to which the paths in the layer are relative
 * @param folders paths inside the root, with forward slashes; each folder must exist
 * @param findings receives `oci/unfit-file` and `io/cannot-read` for everything that cannot be put into a layer
 */
export async function folderEntries(
  root: Place,
  folders: readonly string[],
  findings: FindingList,
): Promise<readonly LayerEntry[]> {
  const entries: LayerEntry[] = [];
  const walk: Walk = { root, folders, findings, entries, bytes: 0, isOver: false };
  for (const folder of folders) {
    // If a link leads out of the root, files from outside would be packed as if they belonged to the folder.
    if (await leadsOutside(root.path, folder))
      unfit(walk, folder, 'leads through a link out of this folder', 'replace the link by what it points to');
    else await visit(walk, folder);
  }
  return entries;
}

interface Walk {
  readonly root: Place;
  readonly folders: readonly string[];
  readonly findings: FindingList;
  readonly entries: LayerEntry[];
  /** Bytes read so far. */
  bytes: number;
  /** True after `mostBytes` or `mostEntries` was exceeded. The excess is reported once, and nothing more is read. */
  isOver: boolean;
}

/** Returns true if one of the folders above a path is a link that leads out of the root. A link at the path itself is not checked. */
async function leadsOutside(root: string, path: string): Promise<boolean> {
  const above = posix.dirname(path);
  return above !== '.' && !(await leadsInside(root, join(root, above)).catch(() => false));
}

async function visit(walk: Walk, path: string): Promise<void> {
  if (walk.entries.length === mostEntries) exceed(walk, path, `${mostEntries} files, folders and links`);
  if (walk.isOver) return;
  const file = join(walk.root.path, path);
  try {
    const stats = await lstat(file);
    if (stats.isDirectory()) {
      walk.entries.push({ path });
      for (const name of (await readdir(file)).sort())
        if (!isLeftover(name)) await visit(walk, `${path}/${name}`);
    } else if (stats.isSymbolicLink()) {
      await addLink(walk, path, await readlink(file));
    } else if (stats.isFile()) {
      await addFile(walk, path, stats);
    } else {
      unfit(walk, path, 'is neither file, folder nor symbolic link', 'remove it');
    }
  } catch (error) {
    const shown = `${walk.root.shown}/${path}`;
    walk.findings.add({
      code: 'io/cannot-read',
      message: `${shown} cannot be read: ${errnoText(error)}`,
      where: { file: shown },
      fix: ['check its permissions'],
    });
  }
}

async function addFile(
  walk: Walk,
  path: string,
  stats: { readonly size: number; readonly mode: number },
): Promise<void> {
  walk.bytes += stats.size;
  if (walk.bytes > mostBytes) {
    exceed(walk, path, `${mostBytes} bytes`);
    return;
  }
  const content = await readFile(join(walk.root.path, path));
  // In the image, root becomes the owner of the file. Therefore, a file that only its owner may read or run is made accessible to
  // everybody.
  walk.entries.push({ path, content, mode: (stats.mode & 0o100) === 0 ? 0o644 : 0o755 });
}

function exceed(walk: Walk, path: string, limit: string): void {
  if (!walk.isOver)
    unfit(walk, path, `is one file too many: together they have more than ${limit}`, 'name another folder');
  walk.isOver = true;
}

async function addLink(walk: Walk, path: string, target: string): Promise<void> {
  const meant = posix.join(posix.dirname(path), target);
  const isInside = walk.folders.some((folder) => meant === folder || meant.startsWith(`${folder}/`));
  if (posix.isAbsolute(target) || !isInside) {
    unfit(
      walk,
      path,
      `is a link to ${target}, which is not in the image`,
      'replace the link by what it points to',
    );
    return;
  }
  try {
    await stat(join(walk.root.path, path));
    walk.entries.push({ path, linkTarget: target });
  } catch (error) {
    unfit(
      walk,
      path,
      `is a link to ${target}, which is not there: ${errnoText(error)}`,
      'correct or remove the link',
    );
  }
}

function unfit({ root, findings }: Walk, path: string, why: string, fix: string): void {
  const shown = `${root.shown}/${path}`;
  findings.add({ code: 'oci/unfit-file', message: `${shown} ${why}`, where: { file: shown }, fix: [fix] });
}
