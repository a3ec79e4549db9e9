import { OpSdkError, type Finding } from '../../../errors/index.ts';
import type { GenerateCrds, ImportedCrd } from '../../../import/verify-imports.ts';
import type { CliContext, CommandModule } from '../../command.ts';
import { booleanFlag, dryRunFlag } from '../../flags.ts';
import { clusterFlags, type ClusterOptions } from '../shared/cluster-flags.ts';
import type { SourcesRead } from './shared/read-sources.ts';
import type { SettledImports } from './shared/settle-paths.ts';

interface Options extends ClusterOptions {
  readonly fromCluster?: readonly string[];
  readonly outputDir?: string;
  readonly clientOnly?: boolean;
  readonly allowLoss?: boolean;
  readonly verify?: boolean;
  readonly force?: boolean;
  readonly dryRun?: boolean;
}

/** `op-sdk import crd`. */
export const command: CommandModule = {
  configure(command) {
    command.argument('[source...]', 'files, folders, https URLs, or - for standard input');
    command.option(
      '--from-cluster <name>',
      'a CRD that is installed, such as certificates.cert-manager.io; may be repeated',
      (name: string, before: readonly string[] = []) => [...before, name],
    );
    clusterFlags(command);
    command.option('--output-dir <folder>', 'where the types go (default: src/api)');
    booleanFlag(command, 'client-only', 'types and tokens for clients; no CRD is generated from them', false);
    booleanFlag(command, 'verify', 'check that generating gives the same CRDs back (default: true)');
    booleanFlag(command, 'allow-loss', 'write also what does not give the same CRD back', false);
    booleanFlag(command, 'force', 'overwrite files that are there', false);
    dryRunFlag(command);
    command.addHelpText(
      'after',
      `
Writes <output-dir>/<group>/<version>/<kind>.ts for each version of each CustomResourceDefinition. From these files
\`op-sdk generate manifests\` gives the same definitions back; before anything is written, this is checked.`,
    );
  },
  async run(context, given, args) {
    const options = given as Options;
    const { crds, warnings, errors } = await read(context, options, args);
    const { compareCrds, uniqueCrds } = await import('../../../crd/index.ts');
    const { importCrd } = await import('../../../import/import-crd.ts');
    const { layout, readFileOf } = await import('../../../project/index.ts');
    const { moduleRenderer } = await import('./shared/render-modules.ts');
    const { namedOutputPlace } = await import('./shared/named-output-place.ts');
    const { settlePaths } = await import('./shared/settle-paths.ts');
    const place = await namedOutputPlace(context.cwd, options.outputDir ?? layout.apis);
    const clientOnly = options.clientOnly === true;
    const header = ((await readFileOf(context.cwd, layout.boilerplate)) ?? '').trimEnd();
    const render = await moduleRenderer(header);
    const unique = uniqueCrds(crds, (left, right) => compareCrds(left, right).length === 0);
    const imports = unique.map(({ crd, where, refusals }): ImportedCrd => ({
      crd,
      where,
      refusals,
      files: importCrd(crd, { clientOnly }).map(render),
    }));
    const settled = settlePaths(imports);
    const losses = clientOnly || options.verify === false ? new Map() : await verify(settled.imports);
    return write(context, options, { ...settled, losses, warnings, unread: errors, place });
  },
};

async function read(context: CliContext, options: Options, sources: readonly string[]): Promise<SourcesRead> {
  const { fromCluster } = options;
  if ((fromCluster === undefined) === (sources.length === 0)) {
    throw new OpSdkError({
      code: 'import/source',
      message:
        sources.length === 0
          ? 'there is nothing to import from'
          : '--from-cluster does not go together with files, folders and URLs',
      where: { flag: sources.length === 0 ? '<source>' : '--from-cluster' },
      fix: ['name files, folders, https URLs or -, or --from-cluster with the name of a CRD'],
    });
  }
  if (fromCluster === undefined) {
    const { readSources } = await import('./shared/read-sources.ts');
    return readSources(context, sources);
  }
  const { readCluster } = await import('./shared/read-cluster.ts');
  return readCluster(context, options, fromCluster);
}

async function verify(
  imports: readonly ImportedCrd[],
): Promise<ReadonlyMap<ImportedCrd, readonly Finding[]>> {
  const { verifyImports } = await import('../../../import/verify-imports.ts');
  const { generateManifests } = await import('../../../manifests/generate-manifests.ts');
  const generate: GenerateCrds = (projectDir, texts) =>
    generateManifests({ projectDir, apisDir: '.', only: 'crd', texts }).files.map(({ document }) => document);
  return verifyImports(imports, generate);
}

interface Imported extends SettledImports {
  readonly losses: ReadonlyMap<ImportedCrd, readonly Finding[]>;
  readonly warnings: readonly Finding[];
  /** What is wrong with files that could not be read. */
  readonly unread: readonly Finding[];
  readonly place: { readonly root: string; readonly folder: string };
}

async function write(
  context: CliContext,
  options: Options,
  imported: Imported,
): ReturnType<CommandModule['run']> {
  const { planFiles } = await import('../../../scaffold/plan-files.ts');
  const { carryOut } = await import('../../apply-plan.ts');
  const { reportOverwrites } = await import('../create/shared/report-overwrites.ts');
  const { imports, conflicts, losses, unread, place } = imported;
  const allowLoss = options.allowLoss === true;
  const lost = [...losses.values()].flat();
  const errors = [...unread, ...conflicts, ...(allowLoss ? [] : lost)];
  const wanted = allowLoss ? imports : imports.filter((item) => !losses.has(item));
  const fresh = wanted
    .flatMap(({ files }) => files)
    .map(({ path, content }) => ({ path: place.folder === '' ? path : `${place.folder}/${path}`, content }));
  const plan = await planFiles(place.root, { fresh, force: options.force === true });
  if (options.force === true) reportOverwrites(context, plan);
  const dryRun = options.dryRun === true;
  const result = await carryOut(context, plan, { dryRun });
  return {
    result: { ...result, crds: wanted.map(({ crd }) => crd.metadata.name).sort() },
    warnings: [...imported.warnings, ...(allowLoss ? lost : [])],
    ...(errors.length === 0 ? {} : { errors }),
  };
}
