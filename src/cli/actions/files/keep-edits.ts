import { recordedTemplates, type LoadedProject } from '../../../project/project/index.ts';
import { keepEdited, type FilePlan, type WantedFile } from '../../../project/scaffold/index.ts';
import type { CliContext } from '../../command.ts';
import { Interrupted } from '../../ui/interrupted.ts';
import { askYesOrNo } from '../../ui/prompts.ts';

/**
 * Sees to it that `--force` costs nobody an edit: what differs from what was scaffolded stays beside its file, and a person
 * is asked first.
 */
export async function keepEdits(
  context: CliContext,
  plan: FilePlan,
  { fresh, project, dryRun }: { fresh: readonly WantedFile[]; project: LoadedProject; dryRun: boolean },
): Promise<FilePlan> {
  const paths = new Set(fresh.map(({ path }) => path));
  const kept = await keepEdited(plan, paths, recordedTemplates(project.text));
  if (kept.edited.length === 0) return plan;
  const message = `Overwrite ${kept.edited.join(', ')}? Your version is kept as ${kept.copies.join(', ')}.`;
  if (!dryRun && (await askYesOrNo(context, message, false)) === false) throw new Interrupted();
  for (const [index, path] of kept.edited.entries())
    context.report.info(`${path} was edited: that version is kept as ${kept.copies[index] ?? ''}`);
  return kept.plan;
}
