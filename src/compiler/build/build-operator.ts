import path from 'node:path';
import { existsSync, realpathSync } from 'node:fs';
import type { Metafile } from 'esbuild';
import { FindingList, type Finding } from '../../base/errors/index.ts';
import {
  bundleFailure,
  filesOfBundle,
  bundlerOptions,
  bundleWarnings,
  ownRoots,
  posixRelative,
  staleChunks,
  type BundleFile,
} from './bundler.ts';
import { bundledPackages, type BundledPackage } from './bundled-packages.ts';
import { readManifests, unreadCalls } from './read-manifests.ts';
import { thirdPartyNotices } from './third-party-notices.ts';

interface BuildOperatorOptions {
  /** Absolute path of the project. The paths of manifests, `entry` and `outfile` are relative to it. */
  readonly projectDir: string;
  /** Source file at which the bundle starts. Default: `src/main.ts`. */
  readonly entry?: string;
  /**
   * Path of the output file, which ends in `.mjs`. Chunks that are loaded on demand are put into the folder `chunks` beside it. Default:
   * `dist/main.mjs`.
   */
  readonly outfile?: string;
}

export interface OperatorBundle {
  /** Scripts, their source maps, and the licenses of the packages in them. */
  readonly files: readonly BundleFile[];
  /** Paths of chunks of former builds beside the new chunks, relative to the project. The new bundle does not load them. */
  readonly staleChunks: readonly string[];
  readonly size: BundleSize;
  /** Paths of the operand manifests that are inlined in the bundle, relative to the project. */
  readonly manifests: readonly string[];
  /** Packages of which code is in the bundle, sorted by name and version. */
  readonly packages: readonly BundledPackage[];
  /** Packages that the operator's own code imports, as `name@version`, sorted. */
  readonly directPackages: readonly string[];
  readonly warnings: readonly Finding[];
}

/**
 * Bundles an operator into one ES module for Node 20, with chunks for modules that are loaded on demand. Inlines the manifests of the
 * operator's `loadManifest` calls, and adds the licenses of the packages in the bundle. Does not write files.
 * @throws OpSdkError with all faults of manifests and code
 */
export async function buildOperator(options: BuildOperatorOptions): Promise<OperatorBundle> {
  // The bundler resolves symbolic links. If the path of the project contained a link, the inputs would therefore seem to be outside of the
  // project.
  const projectDir = realpathSync(options.projectDir);
  const entry = posixRelative(projectDir, options.entry ?? 'src/main.ts');
  const outfile = options.outfile ?? 'dist/main.mjs';
  checkPaths(projectDir, entry, outfile);
  const { manifests, schemas, warnings, read } = readManifests(projectDir, entry);
  const request = { projectDir, entry, outfile, chunks: 'chunks', replaced: () => ({ manifests, schemas }) };
  const { build } = await import('esbuild');
  // Identifiers are not minified, since they appear in stack traces, logs and error messages.
  const minified = { ...bundlerOptions(request), minifySyntax: true, minifyWhitespace: true };
  const built = await build(minified).catch((error: unknown) => {
    throw bundleFailure(error, projectDir);
  });
  const { metafile, outputFiles } = built;
  const own = ownRoots(projectDir);
  const faults = new FindingList();
  faults.add(...forbiddenInputs(metafile, { projectDir, entry, ownRoots: own }));
  faults.add(...unreadCalls(metafile, projectDir, read, own));
  faults.throwIfAny();
  const { packages, direct, warnings: unlicensed } = bundledPackages(metafile, projectDir);
  const scripts = filesOfBundle(projectDir, outputFiles);
  return {
    files: [...scripts, thirdPartyNotices(packages, outfile)],
    staleChunks: staleChunks(request, scripts),
    size: bundleSize(metafile, outfile, { projectDir, ownRoots: own }),
    manifests: [...new Set(manifests.map((manifest) => manifest.path))].sort(),
    packages,
    directPackages: direct,
    warnings: [...warnings, ...bundleWarnings(built.warnings, projectDir), ...unlicensed],
  };
}

/** Checks the paths of a build. @throws OpSdkError `build/entry-not-found`, `build/invalid-outfile` */
function checkPaths(projectDir: string, entry: string, outfile: string): void {
  const findings = new FindingList();
  if (!existsSync(path.join(projectDir, entry))) {
    findings.add({
      code: 'build/entry-not-found',
      message: `${entry} does not exist in this folder`,
      where: { file: entry },
      fix: ['run the command in the folder of the project, or name the file with --entry'],
    });
  }
  const normal = path.posix.normalize(outfile.replaceAll('\\', '/'));
  if (
    normal !== outfile ||
    !outfile.endsWith('.mjs') ||
    path.isAbsolute(outfile) ||
    outfile.startsWith('../')
  ) {
    findings.add({
      code: 'build/invalid-outfile',
      message: `'${outfile}' is not an .mjs file inside the project`,
      where: { flag: '--outfile' },
      fix: ['write, for example, --outfile dist/main.mjs'],
    });
  }
  findings.throwIfAny();
}

/** Sizes of a bundle, in bytes. */
interface BundleSize {
  /** Size of all code that is loaded at the start, in bytes: the entry and the modules that it imports statically. */
  readonly hot: number;
  /** Size of all scripts in bytes, including chunks that are loaded on demand. */
  readonly total: number;
  /**
   * Share of each owner in `hot`, in bytes, the largest first. An owner is `opsdk/<room>` (a source folder of op-sdk), the name of a
   * package, or `operator`.
   */
  readonly parts: Readonly<Record<string, number>>;
}

/** Packages that only op-sdk's command line needs. They must not be bundled. */
const tools =
  /\/node_modules\/(commander|handlebars|typescript|ts-json-schema-generator|execa|yaml|esbuild)\//;
/** Source folders ("rooms") of op-sdk that may be bundled into operators. All other source folders must not be. */
const operatorRooms = ['api', 'k8s', 'kube', 'runtime', 'tracing', 'net', 'x509', 'errors', 'util'];

interface InspectOptions {
  /** Absolute path of the project. Paths in the metafile are relative to it. */
  readonly projectDir: string;
  /** Path of the entry, relative to the project. */
  readonly entry: string;
  /** Absolute paths of the opsdk packages, with symbolic links resolved: the installed opsdk and the running opsdk. */
  readonly ownRoots: readonly string[];
}

/**
 * Returns a finding for each development tool that is in the bundle because op-sdk imports it, with the chain of imports. Packages that the
 * operator itself imports are not reported.
 */
export function forbiddenInputs(metafile: Metafile, options: InspectOptions): readonly Finding[] {
  const { projectDir, entry } = options;
  const reachedFrom = importers(metafile, entry);
  const found = new Map<string, Finding>();
  for (const input of Object.keys(metafile.inputs)) {
    const file = path.resolve(projectDir, input).split(path.sep).join('/');
    const room = roomOf(file, options.ownRoots);
    const isTool = room !== undefined && room !== '' && !operatorRooms.includes(room);
    const name = isTool ? `opsdk/${room}` : tools.exec(file)?.[1];
    const chain = chainTo(input, reachedFrom);
    const isOwn = (step: string): boolean =>
      roomOf(path.resolve(projectDir, step), options.ownRoots) !== undefined;
    if (name === undefined || found.has(name) || !chain.some(isOwn)) continue;
    const user = chain.findLast((step) => !isOwn(step) && !step.includes('node_modules/')) ?? entry;
    found.set(name, {
      code: 'build/forbidden-package',
      message: `the operator's bundle would contain ${name}, which is for development only and is imported by way of ${chain.join(' → ')}`,
      where: { file: user },
      fix: ['import from opsdk and opsdk/k8s/* only what runs in the operator'],
    });
  }
  return [...found.values()];
}

/** Folders of op-sdk that contain several rooms (source folders), such as `sdk/api`. */
const wings = ['base', 'sdk', 'kubernetes', 'compiler', 'project', 'olm'];

/**
 * Returns the room (source folder) of a file of op-sdk. Returns '' for a file directly in `src` or `dist`, and undefined for files outside
 * of these folders.
 */
function roomOf(file: string, ownRoots: readonly string[]): string | undefined {
  const root = ownRoots.find((candidate) => file.startsWith(`${candidate}/`));
  const steps = root === undefined ? [] : file.slice(root.length + 1).split('/');
  if (steps[0] !== 'dist' && steps[0] !== 'src') return undefined;
  return steps.length === 2 ? '' : wings.includes(steps[1] ?? '') ? steps[2] : steps[1];
}

/** Maps each input of the bundle to the input that imports it on the shortest chain of imports from the entry. */
function importers(metafile: Metafile, entry: string): ReadonlyMap<string, string | undefined> {
  const reachedFrom = new Map<string, string | undefined>([[entry, undefined]]);
  for (const input of reachedFrom.keys()) {
    for (const { path } of metafile.inputs[input]?.imports ?? [])
      if (!reachedFrom.has(path)) reachedFrom.set(path, input);
  }
  return reachedFrom;
}

function chainTo(input: string, reachedFrom: ReadonlyMap<string, string | undefined>): readonly string[] {
  const chain: string[] = [];
  for (let step: string | undefined = input; step !== undefined; step = reachedFrom.get(step))
    chain.unshift(step);
  return chain;
}

/**
 * Returns the sizes of a bundle's scripts.
 * @param entryOutput path of the entry's output file, relative to the project
 */
export function bundleSize(
  metafile: Metafile,
  entryOutput: string,
  { projectDir, ownRoots }: Pick<InspectOptions, 'projectDir' | 'ownRoots'>,
): BundleSize {
  const scripts = Object.entries(metafile.outputs).filter(([name]) => name.endsWith('.mjs'));
  const hot = new Set([entryOutput]);
  for (const name of hot) {
    for (const { path, kind } of metafile.outputs[name]?.imports ?? [])
      if (kind === 'import-statement') hot.add(path);
  }
  const sum = (outputs: readonly (readonly [string, { readonly bytes: number }])[]): number =>
    outputs.reduce((total, [, { bytes }]) => total + bytes, 0);
  const loaded = scripts.filter(([name]) => hot.has(name));
  const parts = new Map<string, number>();
  for (const [input, { bytesInOutput }] of loaded.flatMap(([, output]) => Object.entries(output.inputs))) {
    const part = partOf(path.resolve(projectDir, input).split(path.sep).join('/'), ownRoots);
    parts.set(part, (parts.get(part) ?? 0) + bytesInOutput);
  }
  const largestFirst = [...parts].sort(([, a], [, b]) => b - a);
  return { hot: sum(loaded), total: sum(scripts), parts: Object.fromEntries(largestFirst) };
}

function partOf(file: string, ownRoots: readonly string[]): string {
  const name = /.*\/node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(file)?.[1];
  if (name !== undefined && name !== 'opsdk') return name;
  const room = roomOf(file, ownRoots);
  return room === undefined ? 'operator' : room === '' ? 'opsdk' : `opsdk/${room}`;
}
