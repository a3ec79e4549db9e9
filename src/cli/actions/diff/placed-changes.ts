import { isAbsolute, relative, resolve, sep } from 'node:path';
import { placeOfChange, type CrdChange } from '../../../kubernetes/crd/diff/index.ts';
import type { Where } from '../../../base/errors/index.ts';
import type { CliContext } from '../../command.ts';
import { gitPrefix } from './read-git.ts';
import type { Side } from './read-side.ts';

/** A change, and where it is in the files of the repository. */
export interface PlacedChange {
  readonly change: CrdChange;
  /** Undefined for what is nowhere in the checkout. */
  readonly where: Where | undefined;
}

/** @param names what the arguments name */
export function placedChanges(
  changes: readonly CrdChange[],
  { old, now, names }: { readonly old: Side; readonly now: Side; readonly names: readonly string[] },
  { cwd, env }: Pick<CliContext, 'cwd' | 'env'>,
): readonly PlacedChange[] {
  // GitHub knows files by their paths from the root of the checkout.
  const root = env['GITHUB_WORKSPACE'] ?? cwd;
  // A commit has the same files as the checkout, which annotations are about.
  const prefixes = names
    .filter((name) => name.startsWith(gitPrefix))
    .map((name) => `${name.slice(gitPrefix.length).split(':', 1)[0] ?? ''}:`);
  const inRepository = (where: Where | undefined): Where | undefined => {
    if (where === undefined || !('file' in where)) return where;
    if (where.file === '-') return undefined;
    const prefix = prefixes.find((each) => where.file.startsWith(each)) ?? '';
    const file = where.file.slice(prefix.length);
    const path = relative(root, resolve(cwd, file));
    // GitHub refuses a place outside of the checkout.
    const isOutside = isAbsolute(path) || path.split(sep)[0] === '..';
    return isOutside ? undefined : { ...where, file: path };
  };
  return changes.map((change) => ({
    change,
    where: inRepository(placeOfChange(change, old.definitions, now.definitions)),
  }));
}
