import type { FilePlan } from '../../project/scaffold/index.ts';
import { lineDiff } from '../../base/util/line-diff.ts';
import type { CliContext } from '../command.ts';

/** Shows what `--force` changes in files that are there. */
export function reportOverwrites({ report }: CliContext, plan: FilePlan): void {
  for (const change of plan.changes) {
    if (change.action !== 'update') continue;
    report.info(report.paint('strong', `--- ${change.path}`));
    report.info(lineDiff(change.before, change.content));
  }
}
