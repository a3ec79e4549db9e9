import { OpSdkError } from '../../../base/errors/index.ts';
import type { FileChange } from '../../../project/scaffold/index.ts';
import type { CliContext, CommandOutcome } from '../../command.ts';

interface CheckedCommand {
  /** Command that brings the files up to date: `op-sdk generate manifests`. */
  readonly command: string;
  /** Adjective of the files: `generated`. */
  readonly adjective: string;
}

const words: Readonly<Record<FileChange['action'], string>> = {
  create: 'is missing',
  update: 'is out of date',
  delete: 'no longer belongs to a kind or a webhook',
  unchanged: '',
};

/** Returns the outcome of `--check`. @throws OpSdkError with all files that a run of the command would change */
export function checkedFiles(
  context: CliContext,
  changes: readonly FileChange[],
  { command, adjective }: CheckedCommand,
): CommandOutcome {
  const differing = changes.filter(({ action }) => action !== 'unchanged');
  if (differing.length > 0)
    throw new OpSdkError(
      differing.map(({ action, path }) => ({
        code: 'manifests/out-of-date',
        message: `${path} ${words[action]}`,
        where: { file: path },
        fix: [`run \`${command}\``],
      })),
    );
  context.report.info(`${changes.length} ${adjective} files are up to date`);
  return { result: { upToDate: true, files: changes.map(({ path }) => path) } };
}
