import { defineCommand, type CliContext, type CommandOutcome, type ParsedOptions } from '../command.ts';
import { flag } from '../flags/flag.ts';
import { clusterFlags } from '../flags/cluster-flags.ts';
import { dryRunFlag } from '../flags/common.ts';
import { verifyFlag } from '../flags/project-flags.ts';
import { github } from '../flags/words.ts';
import { resolve } from 'node:path';
import { OpSdkError, type Finding } from '../../base/errors/index.ts';
import { layout, loadProject, readFileOf } from '../../project/project/index.ts';
import { changeFor } from '../../project/scaffold/index.ts';
import { reportWarnings } from '../ui/reporter.ts';
import { checkedFiles } from '../actions/files/checked-files.ts';
import { carryOut } from '../actions/files/apply-plan.ts';
import { outputPlace } from '../actions/files/output-place.ts';
import { verifyPlace } from '../actions/input/verify-place.ts';
import { staleManifests } from '../actions/manifests/manifest-changes.ts';
import { optionalCacheFolder, statsAt } from '../../base/util/fs.ts';
import { exclusiveFlags } from '../actions/input/flag-values.ts';
import { type ManifestOptions, throughCache } from '../../compiler/manifests/index.ts';
import {
  type MadeOptions,
  type MadeManifests,
  generateAndRender,
} from '../actions/manifests/made-manifests.ts';

const flags = {
  only: flag.choice('part', ['crd', 'rbac', 'webhook'], 'generate one part only'),
  'apis-dir': flag.text('folder', 'the folder that declares the kinds (default: src)'),
  'output-dir': flag.text(
    'folder',
    'write all files into this folder (default: config/crd/bases, config/rbac and config/webhook)',
  ),
  check: flag.boolean('write nothing; exit 1 if a file is out of date'),
  stdout: flag.boolean('print the documents instead of writing them'),
  ...dryRunFlag,
  watch: flag.boolean('generate again whenever a source changes, until Ctrl-C'),
  strict: flag.boolean('treat warnings as errors: exit 1, write nothing'),
  ...verifyFlag,
  ...clusterFlags,
  'embedded-descriptions': flag.boolean(
    'keep the descriptions of built-in Kubernetes types; they make CRDs many times larger',
  ),
  cache: flag.negated('generate everything, without the cache (OPSDK_NO_CACHE=1 does the same)'),
};

export const command = defineCommand({
  formats: [github],
  locksProject: 'project',
  // With `--watch`, the command acquires the lock for each of its runs.
  unlockedBy: 'watch',
  flags,
  help: `
Reads the calls of defineResource, defineController, defineWebhook, defineConversion and rbac in src, and writes
  config/crd/bases/<group>_<plural>.yaml   a CustomResourceDefinition for each kind
  config/rbac/role.yaml                    the roles of the operator
  config/webhook/manifests.yaml            the configurations of its webhooks, if there are any

  -o ${github}   errors and warnings as annotations of GitHub Actions`,
  async run(context, options) {
    const verify = verifyPlace(options);
    await checkFolder(context, options);
    const place = placeOf(context.cwd, options.outputDir);
    const wanted = {
      projectDir: context.cwd,
      ...(options.only === undefined ? {} : { only: options.only }),
      ...(options.apisDir === undefined ? {} : { apisDir: options.apisDir }),
      ...(place.folder === undefined ? {} : { outputDir: place.folder }),
      ...(options.embeddedDescriptions === true ? { embeddedDescriptions: true } : {}),
    };
    if (options.watch === true) {
      // The compiler is loaded only here, because cached results do not need it. Loading it would double the duration of a run with cached
      // results.
      const { watchManifests } = await import('../actions/manifests/watch-manifests.ts');
      return watchManifests(context, wanted, (silent, made) => {
        if (made.kinds === 0 && (options.only ?? 'crd') === 'crd') reportNoKinds(silent, options, made);
        return write(silent, options, place.root, made.files, made.warnings);
      });
    }
    const cache = options.cache === false ? undefined : optionalCacheFolder(context.env, 'manifests');
    const generated = await madeManifests(wanted, cache);
    if (generated.kinds === 0 && (options.only ?? 'crd') === 'crd')
      reportNoKinds(context, options, generated);
    refuseWarnings(options, generated.warnings);
    if (verify !== undefined) {
      // Loaded lazily, because the modules for clusters and control planes would double the duration of a run with cached results.
      const { verifyManifests } = await import('../actions/manifests/verify-manifests.ts');
      await verifyManifests(context, verify, { options: wanted, flags: options, files: generated.files });
    }
    if (options.stdout === true) {
      // The output is for kubectl, so it contains only the manifests and not the generated TypeScript file.
      const manifests = generated.files.filter(({ template }) => template !== 'permissions');
      return {
        result: { documents: manifests.flatMap(({ document, more = [] }) => [document, ...more]) },
        text: manifests.map(({ content }) => content).join('---\n'),
        warnings: generated.warnings,
      };
    }
    const outcome = await write(context, options, place.root, generated.files, generated.warnings);
    if (options.dryRun !== true && options.apisDir === undefined && options.outputDir === undefined) {
      // Loaded lazily, because most projects have no chart.
      const { chartNote } = await import('../actions/chart/plan-project-chart.ts');
      const note = await chartNote(context);
      if (note !== undefined) context.report.info(note);
    }
    return outcome;
  },
});

type Options = ParsedOptions<typeof flags>;

async function write(
  context: CliContext,
  options: Options,
  root: string,
  rendered: readonly { readonly path: string; readonly content: string }[],
  warnings: readonly Finding[],
): Promise<CommandOutcome> {
  // Stale files are deleted only in the project's default folders, because all manifests there are generated from these sources.
  const owned = options.apisDir === undefined && options.outputDir === undefined;
  const stale = owned ? await staleManifests(root, rendered, options.only) : { changes: [], warnings: [] };
  const written = await Promise.all(rendered.map((file) => changeFor(root, file)));
  const changes = [...written, ...stale.changes];
  const all = [...warnings, ...stale.warnings];
  refuseWarnings(options, all);
  if (options.check === true) {
    reportWarnings(context.report, all);
    return checkedFiles(context, changes, { command: 'op-sdk generate manifests', adjective: 'generated' });
  }
  const result = await carryOut(context, { root, changes }, { dryRun: options.dryRun === true });
  return { result, warnings: all };
}

/** Turns warnings into errors if `--strict` is given. @throws OpSdkError with all warnings in that case */
function refuseWarnings({ strict }: Options, warnings: readonly Finding[]): void {
  if (strict === true && warnings.length > 0) throw new OpSdkError(warnings);
}

/** Checks the working directory and the output folder of the command. */
async function checkFolder({ cwd }: CliContext, options: Options): Promise<void> {
  const isProject = (await readFileOf(cwd, layout.projectFile)) !== undefined;
  if (options.apisDir === undefined || isProject) await loadProject(cwd);
  const { outputDir } = options;
  refuseWithWatch(options);
  if (options.stdout === true && options.check === true) {
    throw new OpSdkError(exclusiveFlags('--stdout', '--check'));
  }
  // GitHub would find workflow commands in the texts of the documents.
  if (options.stdout === true && options.output === github) {
    throw new OpSdkError(exclusiveFlags('--stdout', `-o ${github}`));
  }
  if (outputDir === undefined) return;
  const invalid = (message: string, fix: string): OpSdkError =>
    new OpSdkError({ code: 'manifests/output-dir', message, where: { flag: '--output-dir' }, fix: [fix] });
  if (options.stdout === true)
    throw invalid('--stdout and --output-dir exclude each other', 'leave one of them out');
  const existing = await statsAt(resolve(cwd, outputDir));
  if (outputDir === '' || existing?.isDirectory() === false)
    throw invalid(`'${outputDir}' is not a folder`, 'name a folder; it is created if it does not exist');
}

function refuseWithWatch(options: Options): void {
  if (options.watch !== true) return;
  const others = (['check', 'stdout', 'dryRun', 'verify'] as const).filter(
    (name) => options[name] !== undefined && options[name] !== false,
  );
  if (others.length === 0) return;
  const flags = { check: '--check', stdout: '--stdout', dryRun: '--dry-run', verify: '--verify' };
  throw new OpSdkError(others.map((name) => exclusiveFlags('--watch', flags[name])));
}

/**
 * Returns the root of the plan, and the output folder relative to this root. Without an output folder, each part of the manifests has its
 * own default folder.
 */
function placeOf(
  cwd: string,
  outputDir: string | undefined,
): { readonly root: string; readonly folder?: string } {
  if (outputDir === undefined) return { root: cwd };
  const { root, folder } = outputPlace(cwd, outputDir);
  return { root, folder: folder === '' ? '.' : folder };
}

function reportNoKinds(
  { report }: CliContext,
  { apisDir }: Options,
  { controllers, webhooks }: { readonly controllers: number; readonly webhooks: number },
): void {
  if (apisDir !== undefined) {
    throw new OpSdkError({
      code: 'manifests/no-kinds',
      message: `no file in ${apisDir} calls defineResource`,
      where: { flag: '--apis-dir' },
      fix: ['name the folder that holds the files with defineResource'],
    });
  }
  // An operator may work only with kinds of Kubernetes or of other projects, so the hint is left out if controllers or webhooks exist.
  if (controllers + webhooks > 0) return;
  report.info('no kind is declared yet: `op-sdk create api` adds one');
}

/**
 * Generates and renders the manifests of a project, or returns them from the cache.
 * @param cache folder of the cache; undefined: always generate
 * @throws OpSdkError with the errors in all files
 */
async function madeManifests(options: MadeOptions, cache: string | undefined): Promise<MadeManifests> {
  const make = (extra: Pick<ManifestOptions, 'files'>): Promise<MadeManifests> =>
    generateAndRender({ ...options, ...extra });
  if (cache === undefined) return make({});
  return throughCache({ folder: cache, key: options, make: (files) => make({ files }) });
}
