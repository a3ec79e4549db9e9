import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';
import { jsonListOf, jsonMapOf } from '../../base/util/json-map.ts';
import { layout } from './layout.ts';

/**
 * Returns the root of the workspace that a project is part of, whose settings and lock file apply to the project: the nearest folder above
 * it whose package.json lists it under `workspaces`, or which has pnpm-workspace.yaml.
 * @param project absolute path
 * @param kind the workspaces to look for: those of pnpm, or those of the package managers that read package.json
 * @returns undefined if the project is part of no workspace, or is the root of its own
 */
export function workspaceRootOf(project: string, kind: 'pnpm' | 'package.json'): string | undefined {
  if (isRoot(project, kind, '')) return undefined;
  for (let folder = dirname(project); ; folder = dirname(folder)) {
    if (isRoot(folder, kind, relative(folder, project).split(sep).join('/'))) return folder;
    if (folder === dirname(folder)) return undefined;
  }
}

/** @param member path of the project in the workspace; empty for the project itself */
function isRoot(folder: string, kind: 'pnpm' | 'package.json', member: string): boolean {
  if (kind === 'pnpm') return existsSync(join(folder, layout.pnpmWorkspace));
  const patterns = workspacesIn(join(folder, layout.packageJson));
  if (member === '' || patterns.length === 0) return patterns.length > 0;
  const matches = (pattern: string): boolean => patternOf(pattern).test(member);
  return (
    patterns.some((pattern) => !pattern.startsWith('!') && matches(pattern)) &&
    !patterns.some((pattern) => pattern.startsWith('!') && matches(pattern.slice(1)))
  );
}

function workspacesIn(manifest: string): readonly string[] {
  try {
    const { workspaces } = jsonMapOf(JSON.parse(readFileSync(manifest, 'utf8')));
    const listed = Array.isArray(workspaces) ? workspaces : jsonMapOf(workspaces)['packages'];
    return jsonListOf(listed).filter((each) => typeof each === 'string');
  } catch {
    return [];
  }
}

/** Returns the expression for a pattern of folders: `packages/*`, `./apps/**`, `{apps,operators}/*`. */
function patternOf(pattern: string): RegExp {
  const trimmed = pattern.replace(/^\.?\//, '').replace(/\/+$/, '');
  let depth = 0;
  const source = trimmed.replace(/\*\*\/?|[*?{},]|[.+^$()|[\]\\]/g, (part) => {
    if (part.startsWith('**')) return part === '**' ? '.*' : '(?:.*/)?';
    if (part === '*') return '[^/]*';
    if (part === '?') return '[^/]';
    if (part === '{') return (depth++, '(?:');
    if (part === '}') return depth > 0 ? (depth--, ')') : '\\}';
    if (part === ',') return depth > 0 ? '|' : ',';
    return `\\${part}`;
  });
  return new RegExp(`^${source}${')'.repeat(depth)}$`);
}
