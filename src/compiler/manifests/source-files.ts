import path from 'node:path';
import { OpSdkError } from '../../base/errors/index.ts';
import { diskView, type FileView, type FolderEntry } from '../../base/util/observe-files.ts';
import { errnoText } from '../../base/util/fs.ts';

/** Names of folders that are skipped at any depth, because they contain no sources of the operator. */
const skippedFolders = new Set(['node_modules', 'dist', 'coverage', '__tests__', '__mocks__']);
/** Matches test files and declaration files, which are skipped. */
const skippedFiles = /\.(?:(?:test|spec)\.[cm]?ts|d\.[cm]?ts)$/;
const otherScript = /(?<!\.(?:test|spec))\.(?:[cm]?js|jsx|tsx)$/;

/**
 * Returns the absolute paths of the TypeScript files below a folder, sorted. Skips tests, declaration files, dependencies, build output,
 * and hidden files and folders.
 * @param planned absolute paths of files that do not exist yet; files below the folder are included in the result
 * @returns an empty list if the folder does not exist
 * @throws OpSdkError `io/cannot-read`
 */
export function sourceFiles(
  folder: string,
  planned: readonly string[] = [],
  files: FileView = diskView,
): readonly string[] {
  const root = path.resolve(folder);
  const future = planned.filter((file) => isSourceBelow(root, file));
  const present = filesBelow(files, folder, isSource, new Set());
  return [...new Set([...present, ...future])].sort();
}

/** Returns the absolute paths of the JavaScript and JSX files below a folder, sorted. They could contain declarations but are not read. */
export function otherScripts(folder: string, files: FileView = diskView): readonly string[] {
  return filesBelow(files, folder, (name) => otherScript.test(name), new Set()).sort();
}

const isSource = (name: string): boolean => /\.[cm]?ts$/.test(name) && !skippedFiles.test(name);

function isSourceBelow(root: string, file: string): boolean {
  const way = path.relative(root, file);
  const names = way.split(path.sep);
  const name = names.pop() ?? '';
  // If the file is outside of the folder, its relative path begins with two dots, or is absolute because the file is on another drive.
  return !path.isAbsolute(way) && ![...names, name].some(isSkipped) && isSource(name);
}

const isSkipped = (name: string): boolean => skippedFolders.has(name) || name.startsWith('.');

/** @param visited real paths of the enclosing folders; symbolic links to these folders are not followed */
function filesBelow(
  files: FileView,
  folder: string,
  wanted: (name: string) => boolean,
  visited: ReadonlySet<string>,
): string[] {
  if (!files.directoryExists(folder)) return [];
  const real = files.realpath(folder);
  if (visited.has(real)) return [];
  const within = new Set([...visited, real]);
  return list(files, folder).flatMap((entry): readonly string[] => {
    const full = path.join(folder, entry.name);
    if (entry.kind === 'folder' || entry.kind === 'link') {
      if (isSkipped(entry.name)) return [];
      const inside = filesBelow(files, full, wanted, within);
      if (entry.kind === 'folder' || inside.length > 0) return inside;
    }
    return wanted(entry.name) ? [full] : [];
  });
}

function list(files: FileView, folder: string): readonly FolderEntry[] {
  try {
    return files.list(folder);
  } catch (cause) {
    throw new OpSdkError(
      {
        code: 'io/cannot-read',
        message: `cannot read the folder ${folder}: ${errnoText(cause)}`,
        where: { file: folder },
        fix: ['make the folder readable'],
      },
      { cause },
    );
  }
}
