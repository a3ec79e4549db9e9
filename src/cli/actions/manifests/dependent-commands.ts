import { join } from 'node:path';
import { pathExists } from '../../../base/util/fs.ts';
import { chartFolder, recordPath } from '../../../project/chart/index.ts';
import { hasMonitoring } from '../../../project/monitoring/index.ts';
import type { LoadedProject } from '../../../project/project/index.ts';

/** Returns the commands that bring alerts, dashboard and chart of a project up to date after a change of its sources; only those that it has. */
export async function dependentCommands(project: LoadedProject): Promise<readonly string[]> {
  const hasChart = await pathExists(join(project.root, chartFolder, recordPath));
  return [
    ...(hasMonitoring(project) ? ['op-sdk create monitoring'] : []),
    ...(hasChart ? ['op-sdk generate helm'] : []),
  ];
}
