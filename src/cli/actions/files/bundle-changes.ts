import type { OperatorBundle } from '../../../compiler/build/index.ts';
import { readFileOf } from '../../../project/project/index.ts';
import { changeFor } from '../../../project/scaffold/index.ts';
import type { FileChange } from '../../../project/scaffold/plan.ts';
import type { CliContext } from '../../command.ts';
import { applyInLock, inProjectLock } from '../../project-lock.ts';

/** The files of a bundle as changes of a project, and the chunks of former builds, which nothing loads any more. */
export async function bundleChanges(
  root: string,
  bundle: Pick<OperatorBundle, 'files' | 'staleChunks'>,
): Promise<readonly FileChange[]> {
  const written = await Promise.all(bundle.files.map((file) => changeFor(root, file)));
  const stale = await Promise.all(
    bundle.staleChunks.map(async (path): Promise<FileChange> => ({
      action: 'delete',
      path,
      before: (await readFileOf(root, path)) ?? '',
    })),
  );
  return [...written, ...stale];
}

/** Writes the files of a bundle while no other command writes into the project. A killed command leaves what the next one settles. */
export async function writeBundle(
  context: CliContext,
  bundle: Pick<OperatorBundle, 'files' | 'staleChunks'>,
): Promise<void> {
  const root = context.cwd;
  await inProjectLock(context, { writes: true }, async (locked) =>
    applyInLock(locked, { root, changes: await bundleChanges(root, bundle) }),
  );
}
