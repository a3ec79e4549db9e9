import { join } from 'node:path';
import { compareCrds, uniqueCrds } from '../../kubernetes/crd/index.ts';
import { OpSdkError, type Finding } from '../../base/errors/index.ts';
import type { ImportedCrd } from '../../compiler/import/verify-imports.ts';
import { layout, readFileOf } from '../../project/project/index.ts';
import { planFiles } from '../../project/scaffold/plan-files.ts';
import type { Action, CliContext, CommandOutcome } from '../command.ts';
import type { ClusterOptions } from '../flags/cluster-flags.ts';
import { reportOverwrites } from '../ui/report-overwrites.ts';
import { carryOut } from './files/apply-plan.ts';
import { namedOutputPlace } from './files/named-output-place.ts';
import { readCluster } from './import/read-cluster.ts';
import { readSources, type SourcesRead } from './import/read-sources.ts';
import { importSettled } from './import/import-settled.ts';
import { settlePaths, type SettledCrd } from './import/settle-paths.ts';
import { verifyAll, type Verified } from './import/verify-all.ts';

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
export const run: Action = async (context, parsed, args) => {
  const options = parsed as Options;
  const { crds, warnings, errors } = await read(context, options, args);
  const place = await namedOutputPlace(context.cwd, options.outputDir ?? layout.apis);
  const clientOnly = options.clientOnly === true;
  const header = ((await readFileOf(context.cwd, layout.boilerplate)) ?? '').trimEnd();
  const unique = uniqueCrds(crds, (left, right) => compareCrds(left, right).length === 0);
  const settled = settlePaths(unique);
  const folder = join(place.root, place.folder);
  const importAll = (wanted: readonly SettledCrd[]): Promise<readonly ImportedCrd[]> =>
    importSettled(wanted, { clientOnly, header, folder });
  const isVerified = !clientOnly && options.verify !== false;
  const imported = isVerified
    ? await verifyAll(settled.crds, importAll, options.allowLoss === true)
    : { imports: await importAll(settled.crds), lost: [] };
  return write(context, options, {
    ...imported,
    conflicts: settled.conflicts,
    warnings,
    unread: errors,
    place,
  });
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
    return readSources(context, sources);
  }
  return readCluster(context, options, fromCluster);
}

interface Imported extends Verified {
  readonly conflicts: readonly Finding[];
  readonly warnings: readonly Finding[];
  /** Errors in files that could not be read. */
  readonly unread: readonly Finding[];
  readonly place: { readonly root: string; readonly folder: string };
}

async function write(context: CliContext, options: Options, imported: Imported): Promise<CommandOutcome> {
  const { imports, conflicts, lost, unread, place } = imported;
  const allowLoss = options.allowLoss === true;
  const errors = [...unread, ...conflicts, ...(allowLoss ? [] : lost)];
  const texts = new Map(imports.flatMap(({ files }) => files.map(({ path, content }) => [path, content])));
  const fresh = [...texts].map(([path, content]) => ({
    path: place.folder === '' ? path : `${place.folder}/${path}`,
    content,
  }));
  const plan = await planFiles(place.root, { fresh, force: options.force === true });
  if (options.force === true) reportOverwrites(context, plan);
  const dryRun = options.dryRun === true;
  const result = await carryOut(context, plan, { dryRun });
  return {
    result: { ...result, crds: imports.map(({ crd }) => crd.metadata.name).sort() },
    warnings: [...imported.warnings, ...(allowLoss ? lost : [])],
    ...(errors.length === 0 ? {} : { errors }),
  };
}
