import { stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { Option } from 'commander';
import { OpSdkError, type Finding } from '../../../errors/index.ts';
import type { FileChange } from '../../../scaffold/plan.ts';
import type { CliContext, CommandModule, CommandOutcome } from '../../command.ts';
import { booleanFlag, dryRunFlag } from '../../flags.ts';
import { reportWarnings } from '../../report-warnings.ts';
import { clusterFlags } from '../shared/cluster-flags.ts';
import { outputPlace } from '../shared/output-place.ts';
import { verifyFlag, verifyPlace, type VerifyOptions } from './shared/verify-manifests.ts';

interface Options extends VerifyOptions {
  readonly apisDir?: string;
  readonly outputDir?: string;
  readonly check?: boolean;
  readonly stdout?: boolean;
  readonly dryRun?: boolean;
  readonly cache?: boolean;
  readonly watch?: boolean;
  readonly strict?: boolean;
  readonly embeddedDescriptions?: boolean;
}

/** `op-sdk generate manifests`. */
export const command: CommandModule = {
  configure(command) {
    command.addOption(new Option('--only <part>', 'generate one part only').choices(['crd', 'rbac']));
    command.option('--apis-dir <folder>', 'the folder that declares the kinds (default: src)');
    command.option(
      '--output-dir <folder>',
      'write all files into this folder (default: config/crd/bases and config/rbac)',
    );
    booleanFlag(command, 'check', 'write nothing; exit 1 if a file is out of date', false);
    booleanFlag(command, 'stdout', 'print the documents instead of writing them', false);
    dryRunFlag(command);
    booleanFlag(command, 'watch', 'generate again whenever a source changes, until Ctrl-C', false);
    booleanFlag(command, 'strict', 'take warnings for errors: exit 1, write nothing', false);
    verifyFlag(command);
    clusterFlags(command);
    booleanFlag(
      command,
      'embedded-descriptions',
      'keep the descriptions of built-in Kubernetes types; they make CRDs many times as large',
      false,
    );
    booleanFlag(
      command,
      'cache',
      'take what is unchanged from the cache; also off by OPSDK_NO_CACHE=1',
      true,
    );
    command.addHelpText(
      'after',
      `
Reads the calls of defineResource, defineController and rbac in src, and writes
  config/crd/bases/<group>_<plural>.yaml   a CustomResourceDefinition for each kind
  config/rbac/role.yaml                    the ClusterRole of the operator`,
    );
  },
  async run(context, given) {
    const options = given as Options;
    const verify = verifyPlace(options);
    await checkFolder(context, options);
    const { madeManifests, manifestCacheFolder } = await import('./shared/made-manifests.ts');
    const place = placeOf(context.cwd, options.outputDir);
    const wanted = {
      projectDir: context.cwd,
      ...(options.only === undefined ? {} : { only: options.only }),
      ...(options.apisDir === undefined ? {} : { apisDir: options.apisDir }),
      ...(place.folder === undefined ? {} : { outputDir: place.folder }),
      ...(options.embeddedDescriptions === true ? { embeddedDescriptions: true } : {}),
    };
    if (options.watch === true) {
      const { watchManifests } = await import('./shared/watch-manifests.ts');
      return watchManifests(context, wanted, (silent, { files, warnings, kinds }) => {
        if (kinds === 0 && options.only !== 'rbac') reportNoKinds(silent, options);
        return write(silent, options, place.root, files, warnings);
      });
    }
    const cache = options.cache === false ? undefined : manifestCacheFolder(context.env);
    const generated = await madeManifests(wanted, cache);
    if (generated.kinds === 0 && options.only !== 'rbac') reportNoKinds(context, options);
    refuseWarnings(options, generated.warnings);
    if (verify !== undefined) {
      const { verifyManifests } = await import('./shared/verify-manifests.ts');
      await verifyManifests(context, verify, { options: wanted, flags: options, files: generated.files });
    }
    if (options.stdout === true) {
      const documents = generated.files.map((file) => file.document);
      return {
        result: { documents },
        text: generated.files.map((file) => file.content).join('---\n'),
        warnings: generated.warnings,
      };
    }
    return write(context, options, place.root, generated.files, generated.warnings);
  },
};

async function write(
  context: CliContext,
  options: Options,
  root: string,
  rendered: readonly { readonly path: string; readonly content: string }[],
  warnings: readonly Finding[],
): Promise<CommandOutcome> {
  const { staleManifests } = await import('./shared/manifest-changes.ts');
  const { changeFor } = await import('../../../scaffold/plan-files.ts');
  const { carryOut } = await import('../../apply-plan.ts');
  // Only in the project's own folder is it certain that every CRD comes from these sources.
  const owned = options.apisDir === undefined && options.outputDir === undefined && options.only !== 'rbac';
  const stale = owned ? await staleManifests(root, rendered) : { changes: [], warnings: [] };
  const written = await Promise.all(rendered.map((file) => changeFor(root, file)));
  const changes = [...written, ...stale.changes];
  const all = [...warnings, ...stale.warnings];
  refuseWarnings(options, all);
  if (options.check === true) {
    reportWarnings(context.report, all);
    return checked(context, changes);
  }
  const result = await carryOut(context, { root, changes }, { dryRun: options.dryRun === true });
  return { result, warnings: all };
}

/** @throws OpSdkError with all warnings if `--strict` makes errors of them */
function refuseWarnings({ strict }: Options, warnings: readonly Finding[]): void {
  if (strict === true && warnings.length > 0) throw new OpSdkError(warnings);
}

/** The verdict of `--check`. */
function checked(context: CliContext, changes: readonly FileChange[]): CommandOutcome {
  const words = {
    create: 'is missing',
    update: 'is out of date',
    delete: 'belongs to no kind any more',
    unchanged: '',
  };
  const differing = changes.filter((change) => change.action !== 'unchanged');
  if (differing.length > 0) {
    throw new OpSdkError(
      differing.map(({ action, path }) => ({
        code: 'manifests/out-of-date',
        message: `${path} ${words[action]}`,
        where: { file: path },
        fix: ['run `op-sdk generate manifests`'],
      })),
    );
  }
  context.report.info(`${changes.length} generated files are up to date`);
  return { result: { upToDate: true, files: changes.map(({ path }) => path) } };
}

/** Where the command may run and write. */
async function checkFolder({ cwd }: CliContext, options: Options): Promise<void> {
  const { layout, loadProject, readFileOf } = await import('../../../project/index.ts');
  const isProject = (await readFileOf(cwd, layout.projectFile)) !== undefined;
  if (options.apisDir === undefined || isProject) await loadProject(cwd);
  const { outputDir } = options;
  refuseWithWatch(options);
  if (options.stdout === true && options.check === true) {
    throw new OpSdkError({
      code: 'cli/invalid-value',
      message: '--stdout and --check exclude each other',
      where: { flag: '--stdout' },
      fix: ['leave one of them out'],
    });
  }
  if (outputDir === undefined) return;
  const invalid = (message: string, fix: string): OpSdkError =>
    new OpSdkError({ code: 'manifests/output-dir', message, where: { flag: '--output-dir' }, fix: [fix] });
  if (options.stdout === true)
    throw invalid('--stdout and --output-dir exclude each other', 'leave one of them out');
  const existing = await stat(resolve(cwd, outputDir)).catch(() => undefined);
  if (outputDir === '' || existing?.isDirectory() === false)
    throw invalid(`'${outputDir}' is not a folder`, 'name a folder; it is made if it does not exist');
}

function refuseWithWatch(options: Options): void {
  if (options.watch !== true) return;
  const others = (['check', 'stdout', 'dryRun', 'verify'] as const).filter(
    (name) => options[name] !== undefined && options[name] !== false,
  );
  if (others.length === 0) return;
  const flags = { check: '--check', stdout: '--stdout', dryRun: '--dry-run', verify: '--verify' };
  throw new OpSdkError(
    others.map((name) => ({
      code: 'cli/invalid-value',
      message: `--watch and ${flags[name]} exclude each other`,
      where: { flag: '--watch' },
      fix: ['leave one of them out'],
    })),
  );
}

/** The root of the plan, and the output folder relative to it; without a folder, each part has its own. */
function placeOf(
  cwd: string,
  outputDir: string | undefined,
): { readonly root: string; readonly folder?: string } {
  if (outputDir === undefined) return { root: cwd };
  const { root, folder } = outputPlace(cwd, outputDir);
  return { root, folder: folder === '' ? '.' : folder };
}

function reportNoKinds({ report }: CliContext, { apisDir }: Options): void {
  if (apisDir !== undefined) {
    throw new OpSdkError({
      code: 'manifests/no-kinds',
      message: `no file in ${apisDir} calls defineResource`,
      where: { flag: '--apis-dir' },
      fix: ['name the folder that holds the files with defineResource'],
    });
  }
  report.info('no kind is declared yet: `op-sdk create api` adds one');
}
