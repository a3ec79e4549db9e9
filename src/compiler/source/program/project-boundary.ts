import { homedir } from 'node:os';
import { basename, dirname, join, resolve, extname, posix } from 'node:path';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { isInsideFolder } from '../../../base/util/inside-folder.js';
import { isJsonMap } from '../../../base/util/json-map.ts';
import type { SourceSystem } from './compiler.ts';

/**
 * Determines which files sources may import. Their content may appear in manifests, sources are often untrusted, and a CRD is published.
 * Files are therefore compared by their real paths, with all links resolved.
 *
 * Values may come only from the project. Types may also come from packages in node_modules, and from the repository that contains the
 * project, because packages of a monorepo import each other's types. A JSON file counts as a value even if it is imported as a type. It may
 * come only from the project, or from packages that are installed in the project's repository.
 */
export interface ProjectBoundary {
  /** Returns true if the real path of a file is in the folder of the project. */
  holds(file: string): boolean;
  /**
   * Returns the real path of a file, with all links resolved. For a file that is not written yet, returns the real path that it will have.
   */
  realPath(file: string): string;
  /** Returns true if a program may read a file. */
  allows(file: string): boolean;
}

/** @param projectDir absolute path of the project */
export function projectBoundary(projectDir: string, system: SourceSystem): ProjectBoundary {
  const project = realPathOf(projectDir, system);
  let repository: string | undefined;
  const inRepository = (real: string): boolean =>
    isInsideFolder((repository ??= repositoryOf(project, system)), real);
  const known = new Map<string, boolean>();
  const decide = (file: string): boolean => {
    const real = realPathOf(file, system);
    if (isInsideFolder(project, real)) return true;
    const isPackaged = /[\\/]node_modules[\\/]/.test(real);
    return isJson(file) || isJson(real) ? isPackaged && inRepository(real) : isPackaged || inRepository(real);
  };
  return {
    realPath: (file) => realPathOf(file, system),
    holds: (file) => isInsideFolder(project, realPathOf(file, system)),
    allows(file) {
      const allowed = known.get(file) ?? decide(file);
      known.set(file, allowed);
      return allowed;
    },
  };
}

function realPathOf(file: string, system: SourceSystem): string {
  const path = resolve(file);
  if (system.fileExists(path) || system.directoryExists(path)) {
    const real = system.realpath(path);
    // A file that is not written yet has no real path of its own, so the real path of its folder is used.
    if (real !== path) return resolve(real);
  }
  const folder = dirname(path);
  return folder === path ? path : join(realPathOf(folder, system), basename(path));
}

/**
 * Returns the folder of the nearest repository or workspace around a project. If the project is not inside of one, returns the folder of
 * the project. A home folder does not count as a repository, even if it is under version control, since it contains more than one project.
 */
function repositoryOf(project: string, system: SourceSystem): string {
  const home = system.realpath(homedir());
  for (let folder = project; folder !== dirname(folder) && folder !== home; folder = dirname(folder)) {
    const git = join(folder, '.git');
    const isRoot =
      system.directoryExists(git) ||
      system.fileExists(git) ||
      system.fileExists(join(folder, 'pnpm-workspace.yaml')) ||
      hasWorkspaces(system.readFile(join(folder, 'package.json')));
    if (isRoot) return folder;
  }
  return project;
}

function hasWorkspaces(manifest: string | undefined): boolean {
  try {
    const value = JSON.parse(manifest ?? '') as unknown;
    return isJsonMap(value) && value['workspaces'] !== undefined;
  } catch {
    return false;
  }
}

function isJson(file: string): boolean {
  return /\.json$/i.test(file);
}

const here = fileURLToPath(import.meta.url);
// The extension is `.ts` if the package runs from its sources, and `.d.ts` if it runs from dist.
const extension = extname(here) === '.ts' ? '.ts' : '.d.ts';

/**
 * Folder that contains the declaration files of the running package, with forward slashes and a slash at the end: `…/src/` or `…/dist/`.
 */
const ownRoot = `${resolve(here, '../../../..').replaceAll('\\', '/')}/`;

/**
 * Returns the file of the running package to which an import of `opsdk` leads. The project need not have installed the package. Returns
 * undefined for a specifier that the package does not export.
 * @param exists returns true if a file exists
 */
export function ownModule(
  specifier: string,
  exists: (file: string) => boolean = existsSync,
): string | undefined {
  const path = pathOf(specifier);
  const file = path === undefined ? undefined : `${ownRoot}${path}${extension}`;
  return file !== undefined && exists(file) ? file : undefined;
}

/**
 * Returns the file to which an import in a declaration file of the running package leads. Returns undefined for imports of other packages
 * and of `base/errors`: they are not needed to read the user's types, and loading them would cost more than everything else.
 */
export function ownImport(file: string, specifier: string): string | undefined {
  if (!specifier.startsWith('.')) return undefined;
  const path = posix.join(posix.dirname(file), specifier).replace(/\.[jt]s$/, extension);
  return path.startsWith(`${ownRoot}base/errors/`) ? undefined : path;
}

/** Returns true if `specifier` is the name of this package or of one of its entry points, such as `opsdk/testing`. */
export function isOwnSpecifier(specifier: string): boolean {
  return specifier === 'opsdk' || specifier.startsWith('opsdk/');
}

/**
 * Returns the path of a file inside of the running package, without its extension: `sdk/api/types` or `sdk/k8s/generated/core/v1`. Returns
 * undefined for a file outside of the package.
 */
export function ownPath(fileName: string): string | undefined {
  if (!fileName.startsWith(ownRoot)) return undefined;
  return fileName.slice(ownRoot.length).replace(/(?:\.d)?\.ts$/, '');
}

function pathOf(specifier: string): string | undefined {
  if (specifier === 'opsdk') return 'index';
  if (specifier === 'opsdk/testing') return 'testing';
  const builtIn = /^opsdk\/k8s\/([\w.-]+\/[\w.-]+)$/.exec(specifier)?.[1];
  return builtIn === undefined ? undefined : `sdk/k8s/generated/${builtIn}`;
}
