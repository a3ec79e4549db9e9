import { basename, dirname, join } from 'node:path';
import { valid } from 'semver';
import { OpSdkError, isOpSdkError, type Finding } from '../../../base/errors/index.ts';
import { pathExists } from '../../../base/util/fs.ts';
import { jsonMapOf, jsonTextOf } from '../../../base/util/json-map.ts';
import type { PlacedObject } from '../../../kubernetes/yaml/index.ts';
import {
  chartFolder,
  planChart,
  recordPath,
  renderChart,
  type ChartFile,
  type PlannedChart,
} from '../../../project/chart/index.ts';
import { layout, loadProject, readFileOf } from '../../../project/project/index.ts';
import { isInside } from '../../../project/scaffold/index.ts';
import type { CliContext } from '../../command.ts';
import { renderWithImage } from '../cluster/manager-image.ts';
import { outputPlace, type OutputPlace } from '../files/output-place.ts';
import { invalidFlag } from '../input/flag-values.ts';
import { deployedFolder, manifestInput } from '../input/manifests.ts';

/** Flags that a chart depends on. */
export interface ProjectChartOptions {
  readonly dir?: string | undefined;
  readonly outputDir?: string | undefined;
  readonly version?: string | undefined;
  readonly image?: string | undefined;
  readonly force?: boolean | undefined;
}

/** Plan of the chart of a project. */
export interface PlannedProjectChart extends PlannedChart {
  /** Absolute path of the folder to which the paths of changes are relative. */
  readonly root: string;
  /** Folder of the chart below {@link PlannedProjectChart.root}. */
  readonly chart: string;
  /** Files as op-sdk writes them now, without edits. */
  readonly files: readonly ChartFile[];
  /** Objects that `deploy` applies. */
  readonly objects: readonly PlacedObject[];
  /** Warnings of rendering these objects. */
  readonly warnings: readonly Finding[];
  /** Renders the objects of `deploy` again. */
  readonly render: () => Promise<readonly PlacedObject[]>;
}

/**
 * Renders what `deploy` applies in the project, and plans its chart. Writes nothing.
 *
 * @throws OpSdkError with all findings about the project, its kustomization and the existing files of the chart
 */
export async function planProjectChart(
  context: CliContext,
  options: ProjectChartOptions,
): Promise<PlannedProjectChart> {
  const { image, outputDir = chartFolder, force = false } = options;
  const { root, folder: chart } = chartPlace(context.cwd, outputDir);
  const project = await loadProject(context.cwd);
  const about = await chartMetadata(project.root, project.projectName, options.version);
  const folder = await deployedFolder(context, options);
  const warnings: Finding[] = [];
  const render = (onWarning?: (warning: Finding) => void): Promise<readonly PlacedObject[]> =>
    manifestInput(context, {}, { folder, pipeInto: 'kubectl apply --server-side -f -', onWarning });
  const objects = await renderWithImage(context, image, () => render((each) => warnings.push(each)));
  const files = await renderChart({
    ...about,
    name: project.projectName,
    objects: objects.map(({ object }) => object),
    root: project.root,
  });
  const read = (path: string): Promise<string | undefined> => readFileOf(root, path);
  const plan = await planChart({ files, folder: chart, read, force });
  return { ...plan, root, chart, files, objects, warnings, render: () => render() };
}

/** Returns the place of the chart: a folder of its own. @throws OpSdkError `cli/invalid-value` for a folder that contains the project */
function chartPlace(cwd: string, outputDir: string): OutputPlace {
  const place = outputPlace(cwd, outputDir);
  if (isInside(join(place.root, place.folder), cwd))
    throw new OpSdkError(
      invalidFlag(
        '--output-dir',
        `--output-dir: expected a folder of the chart's own, got '${outputDir}', which contains the project`,
        'name a folder for the chart: --output-dir chart',
      ),
    );
  // An existing folder outside of the project is a root of its own.
  return place.folder === '' ? { root: dirname(place.root), folder: basename(place.root) } : place;
}

/**
 * Returns a note for the user if the generated manifests have made the project's chart outdated. Undefined if the chart is up to date, or
 * if the default folder has no chart.
 */
export async function chartNote(context: CliContext): Promise<string | undefined> {
  const { cwd } = context;
  if (!(await pathExists(join(cwd, chartFolder, recordPath)))) return undefined;
  try {
    const { changes, conflicts } = await planProjectChart(context, {});
    if (changes.every(({ action }) => action === 'unchanged') && conflicts.length === 0) return undefined;
    return `${chartFolder} is out of date: \`op-sdk generate helm\` writes it again and keeps your edits`;
  } catch (error) {
    // The errors do not concern the generated manifests. `op-sdk generate helm` reports them.
    if (!isOpSdkError(error)) throw error;
    return `${chartFolder} may be out of date: \`op-sdk generate helm\` fails, ${error.findings[0]?.message ?? error.message}`;
  }
}

/** Returns version and description of the project. @throws OpSdkError `cli/invalid-value`, `project/invalid` */
async function chartMetadata(
  root: string,
  projectName: string,
  wanted: string | undefined,
): Promise<{ readonly version: string; readonly description: string }> {
  const text = (await readFileOf(root, layout.packageJson)) ?? '{}';
  const description = jsonMapOf(parsed(text));
  const version = wanted ?? jsonTextOf(description['version']);
  // Helm accepts metadata of a build, which `valid` leaves out.
  if (valid(version) !== version.replace(/\+.*$/, '')) {
    if (wanted !== undefined)
      throw new OpSdkError(
        invalidFlag('--version', `--version '${wanted}' is not a semantic version`, 'write it as 1.2.3'),
      );
    throw new OpSdkError({
      code: 'project/invalid',
      message: `package.json: version must be a semantic version, such as 1.2.3, but is '${version}'`,
      where: { file: layout.packageJson },
      fix: ['set it, or name the version of the chart with --version'],
    });
  }
  const said = jsonTextOf(description['description']);
  return { version, description: said === '' ? `The operator of ${projectName}` : said };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // npm reports what is wrong with the file. Without a version, the command asks for one.
    return {};
  }
}
