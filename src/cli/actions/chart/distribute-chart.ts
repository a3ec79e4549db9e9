import { FindingList, OpSdkError } from '../../../base/errors/index.ts';
import {
  artifactContent,
  formatReference,
  loadAuthorities,
  parseReference,
  pushImage,
  type ImageReference,
} from '../../../images/index.ts';
import {
  chartArtifact,
  indexFile,
  packageChart,
  withPackage,
  type ChartPackage,
} from '../../../project/chart/index.ts';
import { readBytesOf, readFileOf } from '../../../project/project/index.ts';
import type { FileChange, FilePlan } from '../../../project/scaffold/index.ts';
import type { CliContext } from '../../command.ts';
import type { DistributionOptions } from '../../flags/chart-flags.ts';
import { carryOut, planAndCarryOut, type PlanResult } from '../files/apply-plan.ts';
import { outputPlace } from '../files/output-place.ts';
import { registryOptions, noRegistryNamed } from '../images/registry-options.ts';
import { exclusiveFlags, invalidFlag } from '../input/flag-values.ts';

/** Steps that follow once the chart is written. */
interface Distribution {
  /** Files to write, one plan for each folder. */
  readonly plans: readonly FilePlan[];
  /** Pushes the package. Undefined if it is not to be pushed. */
  readonly push: (() => Promise<PushedChart>) | undefined;
}

/** A chart in a registry. */
interface PushedChart {
  /** Reference with the tag of the version. */
  readonly chart: string;
  readonly digest: string;
}

/** Returns true if the chart is to be packaged. @throws OpSdkError `cli/invalid-value`, `oci/…` with all findings about the flags */
export async function wantsPackage(
  context: CliContext,
  options: DistributionOptions,
  check: boolean,
): Promise<boolean> {
  const findings = new FindingList();
  const { push, repositoryIndex, url } = options;
  const given = [
    ...(options.package === true ? ['--package'] : []),
    ...(push === undefined ? [] : ['--push']),
    ...(repositoryIndex === undefined ? [] : ['--repository-index']),
  ];
  if (check && given[0] !== undefined) findings.add(exclusiveFlags('--check', given[0]));
  if (push !== undefined) await findings.gather(() => repositoryOf(push));
  if (push !== undefined)
    await findings.gather(() => loadAuthorities(registryOptions(context, options).caFile, context.env));
  if (url !== undefined && repositoryIndex === undefined)
    findings.add(
      invalidFlag('--url', '--url needs --repository-index', 'name the folder with --repository-index'),
    );
  if (url !== undefined && !/^https?:$/.test(URL.canParse(url) ? new URL(url).protocol : ''))
    findings.add(
      invalidFlag(
        '--url',
        `--url: expected an address with http or https, got '${url}'`,
        'write --url https://charts.example.com',
      ),
    );
  findings.throwIfAny();
  return given.length > 0;
}

/**
 * Packages a chart, and plans the files and the push of the package.
 * @param chart folder of the chart below `root`
 * @param changes that are about to be written
 * @throws OpSdkError `chart/…`
 */
export async function planDistribution(
  context: CliContext,
  { root, changes, chart }: FilePlan & { readonly chart: string },
  options: DistributionOptions & { readonly force: boolean },
): Promise<Distribution> {
  const packed = await packageChart(root, chart, changes);
  const plans: FilePlan[] = [];
  if (options.package === true)
    plans.push({
      root: context.cwd,
      changes: [await bytesChange(context.cwd, `dist/${packed.file}`, packed.bytes)],
    });
  if (options.repositoryIndex !== undefined) plans.push(await repositoryPlan(context, packed, options));
  const { push } = options;
  return {
    plans,
    push: push === undefined ? undefined : () => pushChart(context, packed, { ...options, push }),
  };
}

/** Writes the files of a distribution, and pushes its package. A dry run does neither. */
export async function distribute(
  context: CliContext,
  distribution: Distribution | undefined,
  dryRun: boolean,
): Promise<{ readonly files: PlanResult['files']; readonly pushed: PushedChart | undefined }> {
  const files: PlanResult['files'][number][] = [];
  for (const plan of distribution?.plans ?? []) {
    const result =
      plan.root === context.cwd
        ? await carryOut(context, plan, { dryRun })
        : await planAndCarryOut(context, plan.root, { dryRun }, () => Promise.resolve(plan));
    files.push(...result.files);
  }
  return { files, pushed: dryRun ? undefined : await distribution?.push?.() };
}

async function repositoryPlan(
  { cwd }: CliContext,
  packed: ChartPackage,
  { repositoryIndex = '', url, force }: DistributionOptions & { readonly force: boolean },
): Promise<FilePlan> {
  const { root, folder } = outputPlace(cwd, repositoryIndex);
  const at = (file: string): string => (folder === '' ? file : `${folder}/${file}`);
  const file = at(indexFile);
  const before = await readFileOf(root, file);
  const content = withPackage({
    ...{ file, text: before, chart: packed, url: url?.replace(/\/+$/, ''), now: new Date(), force },
  });
  const index: FileChange =
    before === undefined
      ? { action: 'create', path: file, content }
      : before === content
        ? { action: 'unchanged', path: file }
        : { action: 'update', path: file, content, before };
  return { root, changes: [await bytesChange(root, at(packed.file), packed.bytes), index] };
}

/** Returns the change that writes bytes to a file. */
async function bytesChange(root: string, path: string, content: Buffer): Promise<FileChange> {
  const present = await readBytesOf(root, path);
  if (present === undefined) return { action: 'create', path, content };
  if (present.equals(content)) return { action: 'unchanged', path };
  return { action: 'update', path, content, before: present.toString('utf8') };
}

/** Parses the value of `--push`. @throws OpSdkError `cli/invalid-value`, `oci/invalid-reference`, `oci/no-registry-named` */
function repositoryOf(push: string): ImageReference {
  const path = /^oci:\/\/(.*?)\/*$/.exec(push)?.[1];
  if (path === undefined)
    throw new OpSdkError(
      invalidFlag(
        '--push',
        `--push: expected oci:// and a registry, got '${push}'`,
        'write --push oci://registry.example.com/charts',
      ),
    );
  const reference = parseReference(path.includes('/') ? path : `${path}/chart`, '--push');
  if (reference.tag !== undefined || reference.digest !== undefined)
    throw new OpSdkError(
      invalidFlag(
        '--push',
        `--push: expected a repository without a tag, got '${push}'`,
        'leave the tag out: it is the version',
      ),
    );
  const unnamed = noRegistryNamed(reference, push, '--push');
  if (unnamed !== undefined) throw new OpSdkError(unnamed);
  return reference;
}

async function pushChart(
  context: CliContext,
  packed: ChartPackage,
  options: DistributionOptions & { readonly push: string },
): Promise<PushedChart> {
  const { tag, ...artifact } = chartArtifact(packed);
  const path = options.push.replace(/^oci:\/\//, '').replace(/\/+$/, '');
  const reference = parseReference(`${path}/${packed.name}:${tag}`, '--push');
  const chart = formatReference(reference);
  context.report.step(`pushing ${chart}`);
  const { digest } = await pushImage(reference, artifactContent(artifact), registryOptions(context, options));
  return { chart, digest };
}
