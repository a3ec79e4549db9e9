import { layout } from '../project/index.ts';
import { renderSet, type TemplateModel } from '../scaffold/index.ts';
import { alertsOf } from './alerts.ts';
import { dashboardModel, dashboardUid, type DashboardInput } from './dashboard.ts';

/** Parts of a project from which its monitoring files are rendered. */
export interface MonitoringInput extends DashboardInput {
  /** Address of the page with the runbooks, without an anchor; undefined for alerts without `runbook_url`. */
  readonly runbooks: string | undefined;
}

/** Maximum length of a line of a comment, in characters. */
const commentWidth = 110;

/** Paths of the monitoring files of a project, relative to its folder. */
export function monitoringPaths(projectName: string) {
  return {
    rules: `${layout.prometheus}/rules.yaml`,
    dashboard: `${layout.grafana}/${projectName}.json`,
    grafana: layout.kustomization(layout.grafana),
  } as const;
}

/** The monitoring files of a project without edits. */
export interface RenderedMonitoring {
  readonly rules: string;
  readonly dashboard: string;
  readonly grafana: string;
}

/**
 * Renders the alerts, the dashboard and its kustomization.
 * @param projectRoot absolute path of the project, which may contain template overrides; undefined for a project that does not exist yet
 * @throws OpSdkError `scaffold/bad-template`
 */
export async function renderMonitoring(
  input: MonitoringInput,
  projectRoot: string | undefined,
): Promise<RenderedMonitoring> {
  const paths = monitoringPaths(input.projectName);
  const files = await renderSet(
    'monitoring',
    monitoringModel(input),
    { project: input.projectName },
    projectRoot,
  );
  const textOf = (path: string): string => files.find((file) => file.path === path)?.content ?? '';
  return {
    rules: textOf(paths.rules),
    // The file has the form in which Grafana and other tools write JSON, so that an exported dashboard differs little from the file.
    dashboard: dashboardText(JSON.parse(textOf(paths.dashboard))),
    grafana: textOf(paths.grafana),
  };
}

/** Formats a dashboard. @param indent the indentation of one level. Default: two spaces */
export function dashboardText(dashboard: unknown, indent = '  '): string {
  return `${JSON.stringify(dashboard, null, indent)}\n`;
}

/** Returns the variables for the templates of the set `monitoring`. */
export function monitoringModel(input: MonitoringInput): TemplateModel {
  const { projectName, runbooks } = input;
  const dashboard = dashboardUid(projectName);
  return {
    projectName,
    dashboardFile: `${projectName}.json`,
    alerts: alertsOf(input).map(({ reason, panel, ...alert }) => ({
      ...alert,
      job: input.job,
      reasons: wrapped(reason, commentWidth),
      dashboard,
      panel: String(panel),
      hasRunbook: runbooks !== undefined,
      runbook: `${runbooks ?? ''}#${alert.name.toLowerCase()}`,
    })),
    ...dashboardModel(input),
  };
}

function wrapped(text: string, width: number): readonly string[] {
  const lines: string[] = [];
  for (const word of text.split(' ')) {
    const last = lines.at(-1);
    if (last === undefined || last.length + 1 + word.length > width) lines.push(word);
    else lines[lines.length - 1] = `${last} ${word}`;
  }
  return lines;
}
