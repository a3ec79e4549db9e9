import type { Finding } from '../../../base/errors/index.ts';
import { readMonitored } from '../../../compiler/manifests/index.ts';
import { planMonitoring, type PlannedMonitoring } from '../../../project/monitoring/index.ts';
import { readFileOf } from '../../../project/project/index.ts';
import type { WantedFile } from '../../../project/scaffold/index.ts';
import { documentAddress } from '../../package-info.ts';

interface ProjectToMonitor {
  /** Absolute path of the project. */
  readonly folder: string;
  readonly projectName: string;
  /** Text of PROJECT. */
  readonly projectText: string;
  /** Files of the project that are planned but not written yet. Default: none. */
  readonly planned?: readonly WantedFile[];
  readonly force: boolean;
}

/**
 * Reads the metrics that the sources of a project serve, and plans its monitoring files.
 * @throws OpSdkError with all findings
 */
export async function planProjectMonitoring({
  folder,
  projectName,
  projectText,
  planned = [],
  force,
}: ProjectToMonitor): Promise<PlannedMonitoring & { readonly warnings: readonly Finding[] }> {
  const texts = new Map(
    planned.flatMap(({ path, content }) => (typeof content === 'string' ? [[path, content] as const] : [])),
  );
  const { warnings, ...monitored } = readMonitored(folder, texts);
  const plan = await planMonitoring({
    ...monitored,
    ...{ projectName, projectText, force },
    root: folder,
    read: async (path) => texts.get(path) ?? (await readFileOf(folder, path)),
    runbooks: documentAddress('docs/alerts.md'),
  });
  return { ...plan, warnings };
}

/**
 * Returns notes on the steps that remain after the first run: two permissions and labels that belong to the cluster, not to the project.
 */
export function monitoringNotes({
  isFirst,
  nameOf,
}: Pick<PlannedMonitoring, 'isFirst' | 'nameOf'>): readonly string[] {
  if (!isFirst) return [];
  return [
    'config/default now serves the metrics and has the ServiceMonitor, the alerts and the dashboard.',
    'Two steps on the cluster let Prometheus read the metrics; with the names of kube-prometheus:',
    `  kubectl create clusterrolebinding ${nameOf('metrics-prometheus')} --clusterrole=${nameOf('metrics-reader')} --serviceaccount=monitoring:prometheus-k8s`,
    '  kubectl label namespace monitoring metrics=enabled',
  ];
}
