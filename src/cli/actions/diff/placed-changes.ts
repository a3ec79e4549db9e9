import { relative, resolve } from 'node:path';
import { placeOfChange, type CrdChange } from '../../../crd/diff/index.ts';
import type { Where } from '../../../errors/index.ts';
import type { CliContext } from '../../command.ts';
import { gitPrefix } from './read-git.ts';
import type { Side } from './read-side.ts';

/** A change, and where it is in the files of the repository. */
export interface PlacedChange {
  readonly change: CrdChange;
  readonly where: Where | undefined;
}

/** @param newName what the argument NEW names */
export function placedChanges(
  changes: readonly CrdChange[],
  { old, now, newName }: { readonly old: Side; readonly now: Side; readonly newName: string },
  { cwd, env }: Pick<CliContext, 'cwd' | 'env'>,
): readonly PlacedChange[] {
  // GitHub knows files by their paths from the root of the checkout.
  const root = env['GITHUB_WORKSPACE'] ?? cwd;
  const inRepository = (where: Where | undefined): Where | undefined => {
    if (where === undefined || !('file' in where)) return where;
    // A commit has the same files as the checkout, which annotations are about.
    const ref = newName.startsWith(gitPrefix) ? newName.slice(gitPrefix.length).split(':', 1)[0] : undefined;
    const isCommitted = ref !== undefined && where.file.startsWith(`${ref}:`);
    const file = isCommitted ? where.file.slice(ref.length + 1) : where.file;
    const path = relative(root, resolve(cwd, file));
    if (file === '-') return undefined;
    return { ...where, file: path.startsWith('..') ? file : path };
  };
  return changes.map((change) => ({
    change,
    where: inRepository(placeOfChange(change, old.definitions, now.definitions)),
  }));
}
