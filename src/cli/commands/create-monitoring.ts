import { defineCommand } from '../command.ts';
import { flag } from '../flags/flag.ts';
import { dryRunFlag } from '../flags/common.ts';
import { OpSdkError } from '../../base/errors/index.ts';
import { recordedTemplates } from '../../project/project/index.ts';
import { planFiles } from '../../project/scaffold/index.ts';
import { carryOut, keepEdits } from '../actions/files/apply-plan.ts';
import { checkedFiles } from '../actions/files/checked-files.ts';
import { projectToScaffold } from '../actions/files/project-to-scaffold.ts';
import { exclusiveFlags } from '../actions/input/flag-values.ts';
import { monitoringNotes, planProjectMonitoring } from '../actions/monitoring/plan-project-monitoring.ts';
import { reportOverwrites } from '../ui/prompts.ts';
import { reportWarnings } from '../ui/reporter.ts';

export const command = defineCommand({
  locksProject: 'project',
  flags: {
    check: flag.boolean('write nothing; exit 1 if a file is out of date'),
    force: flag.boolean(
      'write the alerts and the dashboard again; edited files are kept beside the new ones',
    ),
    ...dryRunFlag,
  },
  help: `
Writes, from the metrics that the operator serves, those in the sources included:
  config/prometheus/monitor.yaml       the ServiceMonitor, if it is missing
  config/prometheus/rules.yaml         alerts, a PrometheusRule
  config/grafana/<project>.json        a dashboard, and the kustomization that makes a ConfigMap of it
The first run switches their sections on in config/default. Each further run brings what is new in the sources; alerts, panels and
settings that you have changed, removed or added stay.

  op-sdk create monitoring
  op-sdk create monitoring --check`,
  async run(context, { check = false, force = false, dryRun = false }) {
    if (check && (force || dryRun))
      throw new OpSdkError(exclusiveFlags('--check', force ? '--force' : '--dry-run'));
    const project = await projectToScaffold(context);
    const { root, projectName, text } = project;
    const { fresh, maintained, notes, warnings, ...about } = await planProjectMonitoring({
      ...{ folder: root, projectName, projectText: text, force },
    });
    if (check) {
      reportWarnings(context.report, warnings);
      const { changes } = await planFiles(root, { fresh: [], maintained: [...fresh, ...maintained] });
      return checkedFiles(context, changes, { command: 'op-sdk create monitoring', adjective: 'monitoring' });
    }
    const files = await planFiles(root, { fresh, maintained, force });
    if (force) await reportOverwrites(context, files);
    const plan = await keepEdits(context, files, {
      fresh,
      recorded: recordedTemplates(project.text),
      dryRun,
    });
    const result = await carryOut(context, plan, { dryRun });
    const more = dryRun ? notes : [...notes, ...monitoringNotes(about)];
    for (const note of more) context.report.info(note);
    return { result, warnings, ...(dryRun || !about.isFirst ? {} : { next: ['op-sdk deploy'] }) };
  },
});
