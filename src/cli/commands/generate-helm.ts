import { defineCommand } from '../command.ts';
import { flag } from '../flags/flag.ts';
import { dryRunFlag } from '../flags/common.ts';
import { distributionFlags } from '../flags/chart-flags.ts';
import { github } from '../flags/words.ts';
import { imageFlag } from '../flags/registry-flags.ts';
import { defaultImageWarnings } from '../../cluster/index.ts';
import { OpSdkError } from '../../base/errors/index.ts';
import { withManagerImage } from '../actions/cluster/manager-image.ts';
import { distribute, planDistribution, wantsPackage } from '../actions/chart/distribute-chart.ts';
import { planProjectChart } from '../actions/chart/plan-project-chart.ts';
import { carryOut, keepEdits } from '../actions/files/apply-plan.ts';
import { checkedFiles } from '../actions/files/checked-files.ts';
import { exclusiveFlags } from '../actions/input/flag-values.ts';
import { reportWarnings } from '../ui/reporter.ts';

export const command = defineCommand({
  formats: [github],
  locksProject: 'project',
  isRepeatable: true,
  flags: {
    dir: flag.text('folder', 'the kustomization that the chart is made of (default: config/default)'),
    'output-dir': flag.text('folder', 'the folder of the chart (default: chart)'),
    version: flag.text('version', 'the version of the chart (default: that of package.json)', { short: 'v' }),
    ...imageFlag,
    check: flag.boolean('write nothing; exit 1 if a file is out of date'),
    force: flag.boolean('write all files again; files that were there are kept beside the new ones'),
    ...distributionFlags,
    ...dryRunFlag,
  },
  help: `
Writes a Helm chart of the objects that op-sdk deploy applies:
  chart/Chart.yaml          name and version of the project
  chart/values.yaml         the settings of a release, with comments; values.schema.json checks them
  chart/templates           a file for each object, whose permissions are those of config/rbac
A release that has the name of the project, in the namespace of config/default, has the objects of op-sdk deploy.

The chart is yours to edit. chart/.op-sdk remembers what was written: a further run replaces the files that you have not
edited, and merges your edits with what is new. Commit it with the chart.
Generated files must be up to date: run op-sdk generate manifests first.

With --package, --push or --repository-index, the chart is packaged as helm package does it: with your edits, and without
the files of chart/.helmignore. Equal charts give equal packages. A registry and its credentials are those of image push.
  op-sdk generate helm --push oci://registry.example.com/charts
  op-sdk generate helm --repository-index public/charts --url https://charts.example.com

  -o ${github}   errors and warnings as annotations of GitHub Actions`,
  async run(context, { check = false, force = false, dryRun = false, ...options }) {
    if (check && (force || dryRun))
      throw new OpSdkError(exclusiveFlags('--check', force ? '--force' : '--dry-run'));
    const isPackaged = await wantsPackage(context, options, check);
    const { root, chart, files, objects, warnings, render, changes, conflicts, notes, recorded } =
      await planProjectChart(context, { ...options, force });
    if (check) {
      reportWarnings(context.report, warnings);
      if (conflicts.length > 0) throw new OpSdkError(conflicts);
      return checkedFiles(context, changes, { command: 'op-sdk generate helm', adjective: 'chart' });
    }
    const merged = { root, changes, removesEmptyFolders: true };
    const fresh = files.map(({ path }) => ({ path: `${chart}/${path}` }));
    const plan = force ? await keepEdits(context, merged, { fresh, recorded, dryRun }) : merged;
    // A chart with conflicts is not packaged: Helm cannot read it.
    const distribution =
      isPackaged && conflicts.length === 0
        ? await planDistribution(context, { ...plan, chart }, { ...options, force })
        : undefined;
    // The image is written once nothing keeps the chart from being written.
    const image = await withManagerImage(context, { ...options, dryRun }, render);
    const result = await carryOut(context, plan, { dryRun });
    for (const note of notes) context.report.info(note);
    const distributed = await distribute(context, distribution, dryRun);
    const { pushed } = distributed;
    return {
      result: {
        ...result,
        files: [...image.files, ...result.files, ...distributed.files],
        ...(pushed === undefined ? {} : { pushed }),
      },
      ...(pushed === undefined ? {} : { text: `${pushed.chart}@${pushed.digest}` }),
      warnings: [...warnings, ...defaultImageWarnings(objects)],
      errors: conflicts,
    };
  },
});
