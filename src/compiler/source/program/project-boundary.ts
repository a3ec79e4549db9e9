import { homedir } from 'node:os';
import { basename, dirname, join, resolve } from 'node:path';
import { isInsideFolder } from '../../../base/util/inside-folder.js';
import { isJsonMap } from '../../../base/util/json-map.ts';
import type { SourceSystem } from './source-texts.ts';

/**
 * The files that sources may bring into manifests. What counts is where a file lies once every link is followed: sources are often those
 * of strangers, and a CRD is published.
 *
 * Values come from the project alone. Types may also come from the repository that the project is part of, because packages of a monorepo
 * import each other's types, and from packages in node_modules. JSON is a value even where it is imported as a type, and comes from the
 * project, or from packages that are installed in its repository.
 */
export interface ProjectBoundary {
  /** Tells whether a file lies in the folder of the project. */
  holds(file: string): boolean;
  /** Where a file lies once links are followed, or will lie once it is written. */
  realPath(file: string): string;
  /** Tells whether a program may read a file. */
  allows(file: string): boolean;
}

/** @param projectDir absolute */
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
    // A text that is not written yet has no real path of its own.
    if (real !== path) return resolve(real);
  }
  const folder = dirname(path);
  return folder === path ? path : join(realPathOf(folder, system), basename(path));
}

/**
 * The folder of the nearest repository or workspace around a project; the project itself if there is none. A home folder is none, even if it
 * is under version control: not everything in it is of one project.
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
