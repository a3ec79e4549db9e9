import { leftOverFinding, type Member } from '../../../cluster/inventory/index.ts';
import type { CliContext } from '../../command.ts';
import type { PruneOptions } from '../../flags/prune-flag.ts';
import type { ObjectLog } from '../../ui/object-lines.ts';
import { askYesOrNo } from '../../ui/prompts.ts';
import { pruneCommand } from './prune-command.ts';

type PruneCommand = Parameters<typeof pruneCommand>;

/**
 * Decides on the deletion of what has left the manifests: by `--prune` or `--no-prune`, else by a question. Without an answer it is kept,
 * and listed as a warning.
 */
export async function askToPrune(
  context: CliContext,
  options: PruneCommand[1] & PruneOptions & { readonly dryRun?: boolean },
  {
    command,
    question,
    members,
    log,
  }: {
    readonly command: PruneCommand[0];
    readonly question: string;
    readonly members: readonly Member[];
    readonly log: ObjectLog;
  },
): Promise<boolean> {
  if (options.prune !== undefined) return options.prune;
  const finding = leftOverFinding(members, [pruneCommand(command, options)]);
  // A file may be a part of what was deployed.
  if (!context.interactive || options.filename !== undefined || options.dryRun === true) {
    log.warning(finding);
    return false;
  }
  const { fix: _fix, ...listed } = finding;
  context.report.warn(listed);
  return (await askYesOrNo(context, question, false)) === true;
}
