import { defineCommand, type CliContext, type CommandOutcome, type ParsedOptions } from '../command.ts';
import { flag } from '../flags/flag.ts';
import { clusterFlags, type ClusterOptions } from '../flags/cluster-flags.ts';
import { dryRunFlag } from '../flags/common.ts';
import { join, resolve } from 'node:path';
import { readdir } from 'node:fs/promises';
import { compareCrds, uniqueCrds, crdsOf, type ReadCrd } from '../../kubernetes/crd/index.ts';
import { OpSdkError, type Finding, FindingList } from '../../base/errors/index.ts';
import { statsAt } from '../../base/util/fs.ts';
import {
  type ImportedCrd,
  verifyImports,
  type GenerateCrds,
  isSharedFile,
  importGroup,
  type ImportedModule,
  type SharedText,
} from '../../compiler/import/index.ts';
import { layout, readFileOf } from '../../project/project/index.ts';
import { planFiles } from '../../project/scaffold/index.ts';
import { reportOverwrites } from '../ui/prompts.ts';
import { CustomResourceDefinition } from '../../sdk/k8s/generated/apiextensions/v1.ts';
import { generateManifests } from '../../compiler/manifests/index.ts';
import { carryOut } from '../actions/files/apply-plan.ts';
import {
  readSources,
  type SourcesRead,
  settlePaths,
  type SettledCrd,
} from '../actions/import/read-sources.ts';
import { outputPlace, type OutputPlace } from '../actions/files/output-place.ts';
import { invalidFlag } from '../actions/input/flag-values.ts';
import { connect } from '../actions/cluster/connect.ts';
import {
  isRenderedShared,
  moduleRenderer,
  sharedRenderer,
  type RenderedModule,
} from '../actions/import/render-modules.ts';

const flags = {
  'from-cluster': flag.list(
    'name',
    'an installed CRD, such as certificates.cert-manager.io; may be repeated',
  ),
  ...clusterFlags,
  'output-dir': flag.text('folder', 'the folder of the types (default: src/api)'),
  'client-only': flag.boolean('types and tokens for clients; no CRD is generated from them'),
  verify: flag.negated('do not check that the types generate the same CRDs', { unset: true }),
  'allow-loss': flag.boolean('also write types that do not generate the same CRD'),
  force: flag.boolean('overwrite files that exist'),
  ...dryRunFlag,
};

export const command = defineCommand({
  locksProject: 'project',
  arguments: [['[source...]', 'files, folders, https URLs, or - for standard input']],
  flags,
  help: `
Writes <output-dir>/<group>/<version>/<kind>.ts for each version of each CustomResourceDefinition. From these files
\`op-sdk generate manifests\` generates the same definitions; this is checked before anything is written.`,
  async run(context, options, args) {
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
  },
});

export interface ImportSettings {
  readonly clientOnly: boolean;
  /** Header of new files, without comment signs; may be empty. */
  readonly header: string;
  /** Folder of the project's APIs, into which the files are written. */
  readonly folder: string;
}

/**
 * Renders the files of CRDs, group by group. Existing files with the shared types of a group are reused unchanged, and returned among the
 * files of the CRDs that import them. An existing file with such a name that no import has written is not reused; its name counts as taken.
 */
export async function importSettled(
  crds: readonly SettledCrd[],
  { clientOnly, header, folder }: ImportSettings,
): Promise<readonly ImportedCrd[]> {
  const renderModule = await moduleRenderer(header);
  const renderShared = await sharedRenderer(header);
  const found = new Map<SettledCrd, ImportedCrd>();
  for (const group of new Set(crds.map(({ crd }) => crd.spec.group))) {
    const members = crds.filter(({ crd }) => crd.spec.group === group);
    const existingTexts = await readShared(folder, group);
    const sharedTexts = existingTexts.filter(({ text }) => isRenderedShared(group, text));
    const imported = importGroup(
      members.map(({ crd }) => crd),
      { clientOnly, sharedTexts, takenFiles: existingTexts.map(({ file }) => file) },
    );
    const existing = sharedTexts.map(({ file, text }) => ({ path: `${group}/${file}`, content: text }));
    const shared = [...existing, ...imported.shared.map(renderShared)];
    for (const member of members) {
      const { crd, where, refusals, fileName } = member;
      const modules = imported.modules.get(crd) ?? [];
      const own = modules.map((module) => renamed(renderModule(module), module, fileName));
      const files = modules.some(({ sharing }) => sharing) ? [...own, ...shared] : own;
      found.set(member, { crd, where, refusals, files });
    }
  }
  return crds.flatMap((crd) => found.get(crd) ?? []);
}

/** Reads all files with shared types of a group. The numbers in the file names may have gaps. */
async function readShared(folder: string, group: string): Promise<readonly SharedText[]> {
  // A folder that does not exist is treated as empty.
  const names = await readdir(join(folder, group)).catch(() => []);
  const texts: SharedText[] = [];
  for (const file of names.filter(isSharedFile).sort(byNumber)) {
    const text = await readFileOf(folder, `${group}/${file}`);
    if (text !== undefined) texts.push({ file, text });
  }
  return texts;
}

function byNumber(left: string, right: string): number {
  const [a, b] = [left, right].map((name) => Number(/\d+/.exec(name)?.[0] ?? 1));
  return (a ?? 1) - (b ?? 1);
}

function renamed(file: RenderedModule, { group, version }: ImportedModule, fileName: string): RenderedModule {
  return { ...file, path: `${group}/${version}/${fileName}.ts` };
}

/** Imports that can be written, and findings for the CRDs whose import would lose information. */
export interface Verified {
  readonly imports: readonly ImportedCrd[];
  readonly lost: readonly Finding[];
}

/**
 * Imports CRDs, and omits the CRDs that cannot be regenerated without loss. If an omitted CRD shares types with other CRDs of its group,
 * those CRDs are imported again, because fewer types are shared without the omitted CRD.
 *
 * @param allowLoss true to omit no CRD
 */
export async function verifyAll(
  crds: readonly SettledCrd[],
  importAll: (crds: readonly SettledCrd[]) => Promise<readonly ImportedCrd[]>,
  allowLoss: boolean,
): Promise<Verified> {
  const imports = await importAll(crds);
  const losses = verifyImports(imports, generate);
  const lost = [...losses.values()].flat();
  if (losses.size === 0 || allowLoss) return { imports, lost };
  const kept = imports.filter((item) => !losses.has(item));
  const groups = new Set([...losses.keys()].filter(isSharing).map(({ crd }) => crd.spec.group));
  if (groups.size === 0) return { imports: kept, lost };
  const isAgain = ({ crd }: Pick<SettledCrd, 'crd'>): boolean => groups.has(crd.spec.group);
  const names = new Set(kept.filter(isAgain).map(({ crd }) => crd.metadata.name));
  const again = await verifyAll(
    crds.filter(({ crd }) => names.has(crd.metadata.name)),
    importAll,
    allowLoss,
  );
  return {
    imports: [...kept.filter((item) => !isAgain(item)), ...again.imports],
    lost: [...lost, ...again.lost],
  };
}

function isSharing({ crd, files }: ImportedCrd): boolean {
  const { group } = crd.spec;
  return files.some(({ path }) => path.startsWith(`${group}/`) && isSharedFile(path.slice(group.length + 1)));
}

const generate: GenerateCrds = (projectDir, texts) =>
  generateManifests({ projectDir, apisDir: '.', only: 'crd', texts }).files.map(({ document }) => document);

/**
 * Reads CRDs that are installed on a cluster.
 * @param names names such as `certificates.cert-manager.io`
 * @throws OpSdkError with the findings of all names
 */
export async function readCluster(
  context: CliContext,
  options: ClusterOptions,
  names: readonly string[],
): Promise<SourcesRead> {
  const client = await connect(context, options);
  const findings = new FindingList();
  const crds: ReadCrd[] = [];
  try {
    for (const name of [...new Set(names)]) {
      const where = { object: `CustomResourceDefinition ${name}` };
      await findings.gather(async () => {
        const found = await client.get(CustomResourceDefinition, { name }, { signal: context.signal });
        // An object returned by a cluster may lack apiVersion and kind, so both fields are set.
        const value = { ...found, apiVersion: 'apiextensions.k8s.io/v1', kind: 'CustomResourceDefinition' };
        crds.push(...crdsOf([{ value, locate: () => where }]).crds);
      });
    }
  } finally {
    await client.close();
  }
  findings.throwIfAny();
  return { crds, warnings: [], errors: [] };
}

/**
 * Returns the location of the folder that `--output-dir` names.
 * @throws OpSdkError `cli/invalid-value` if the name belongs to something other than a folder
 */
export async function namedOutputPlace(cwd: string, outputDir: string): Promise<OutputPlace> {
  const existing = await statsAt(resolve(cwd, outputDir));
  if (outputDir === '' || existing?.isDirectory() === false) {
    throw new OpSdkError(
      invalidFlag(
        '--output-dir',
        `'${outputDir}' is not a folder`,
        'name a folder; it is created if it does not exist',
      ),
    );
  }
  return outputPlace(cwd, outputDir);
}

type Options = ParsedOptions<typeof flags>;

async function read(context: CliContext, options: Options, sources: readonly string[]): Promise<SourcesRead> {
  const { fromCluster } = options;
  if ((fromCluster === undefined) === (sources.length === 0)) {
    throw new OpSdkError({
      code: 'import/source',
      message:
        sources.length === 0
          ? 'expected a source to import from, got none'
          : '--from-cluster and files, folders or URLs exclude each other',
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
  /** Errors in files whose CRDs could not be read. */
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
  if (options.force === true) await reportOverwrites(context, plan);
  const dryRun = options.dryRun === true;
  const result = await carryOut(context, plan, { dryRun });
  return {
    result: { ...result, crds: imports.map(({ crd }) => crd.metadata.name).sort() },
    warnings: [...imported.warnings, ...(allowLoss ? lost : [])],
    ...(errors.length === 0 ? {} : { errors }),
  };
}
