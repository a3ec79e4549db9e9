import { join } from 'node:path';
import { pathExists } from '../../base/util/fs.ts';
import type { FileChange, FilePlan } from './plan.ts';
import { contentHash } from './template-tree.ts';

/** A plan that keeps what people have edited, and the files that it is about. */
export interface KeptEdits {
  readonly plan: FilePlan;
  /** The edited files that the plan overwrites. */
  readonly edited: readonly string[];
  /** Where each of them is kept. */
  readonly copies: readonly string[];
}

/**
 * Adds to a plan that overwrites scaffolded files a copy of each that is not as it was scaffolded: `<file>.orig`, as patch and
 * git's merge tools call it, with a number behind it where that is taken.
 *
 * @param paths the files that are overwritten as a whole
 * @param recorded the hashes of files as they were scaffolded
 */
export async function keepEdited(
  plan: FilePlan,
  paths: ReadonlySet<string>,
  recorded: Readonly<Record<string, unknown>>,
): Promise<KeptEdits> {
  const copies: FileChange[] = [];
  const edited: string[] = [];
  for (const change of plan.changes) {
    if (change.action !== 'update' || !paths.has(change.path)) continue;
    if (recorded[change.path] === contentHash(change.before)) continue;
    edited.push(change.path);
    copies.push({ action: 'create', path: await freeName(plan.root, change.path), content: change.before });
  }
  const changes = [...plan.changes, ...copies].sort((a, b) => (a.path < b.path ? -1 : 1));
  return { plan: { ...plan, changes }, edited, copies: copies.map(({ path }) => path) };
}

async function freeName(root: string, path: string): Promise<string> {
  for (let number = 0; ; number++) {
    const name = `${path}.orig${number === 0 ? '' : `.${number}`}`;
    if (!(await pathExists(join(root, name)))) return name;
  }
}
