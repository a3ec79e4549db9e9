import path from 'node:path';
import { existsSync, readdirSync, realpathSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { BuildFailure, BuildOptions, Message, OutputFile, Plugin } from 'esbuild';
import { OpSdkError, type Finding } from '../../base/errors/index.ts';
import { addCommand } from '../../project/project/index.ts';
import { nodeVersionCheck } from '../../base/util/node-version.ts';
import type { CheckedManifest } from './check-manifests.ts';
import { inlineManifests, jsonLiteral, type Splice } from './inline-manifests.ts';
import type { LibrarySchemas } from './read-manifests.ts';
import { isOnward, resolveOnward } from './resolve-onward.ts';
import { trimmedPackages } from './trimmed-packages.ts';

export interface BundleFile {
  /** Path of the file, relative to the project, with forward slashes. */
  readonly path: string;
  readonly content: string;
}

/**
 * Code at the beginning of each file of a bundle. It throws an error on a Node version that is too old. It also defines `require`, because
 * CommonJS packages call it for Node's own modules, but ES modules do not have it.
 */
const banner = `import{createRequire as __require_of}from'node:module';${nodeVersionCheck('runtime/unsupported-node', 'this operator')}const require=__require_of(import.meta.url);`;

/** Input and output paths of a bundle. */
export interface BundleRequest {
  /** Absolute path of the project, with symbolic links resolved. */
  readonly projectDir: string;
  /** Path of the entry, relative to the project, with forward slashes. */
  readonly entry: string;
  /** Path of the output file, relative to the project. It ends in `.mjs`. */
  readonly outfile: string;
  /** Name of the folder for chunks, beside the output file. */
  readonly chunks: string;
  /** Returns the sources to replace. It is called at the start of each build. */
  readonly replaced: () => ReplacedSources;
}

/** Returns the bundler options that all bundles share. */
export function bundlerOptions(
  request: BundleRequest,
): BuildOptions & { readonly metafile: true; readonly write: false } {
  const { entry, outfile, chunks, projectDir, replaced } = request;
  const name = path.posix.basename(outfile, '.mjs');
  return {
    absWorkingDir: projectDir,
    entryPoints: [{ in: entry, out: name }],
    outdir: path.posix.dirname(outfile),
    outExtension: { '.js': '.mjs' },
    chunkNames: `${chunks}/[name]-[hash]`,
    splitting: true,
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    sourcemap: 'linked',
    // Leave the sources out of the source map. Node keeps loaded source maps in memory, and stack traces need only positions. An image does
    // not contain the sources either.
    sourcesContent: false,
    banner: { js: banner },
    metafile: true,
    write: false,
    logLevel: 'silent',
    plugins: [manifestPlugin(replaced), ...trimmedPackages(ownRoots(projectDir))],
  };
}

/** Returns a path in the form that the bundler uses: relative to the project, with forward slashes, without `./`. */
export function posixRelative(projectDir: string, file: string): string {
  return path.relative(projectDir, path.resolve(projectDir, file)).split(path.sep).join('/');
}

/** Returns the folders of two opsdk packages: the one in the project's dependencies, and the one that contains the running code. */
export function ownRoots(projectDir: string): readonly string[] {
  const running = fileURLToPath(new URL('../../..', import.meta.url));
  const installed = path.join(projectDir, 'node_modules', 'opsdk');
  return [running, installed]
    .filter((folder) => existsSync(folder))
    .map((folder) => realpathSync(folder).split(path.sep).join('/'));
}

/**
 * Returns the paths of chunks of former builds, relative to the project. Only files with names that this bundler generates are regarded as
 * chunks.
 */
export function staleChunks(
  { projectDir, outfile, chunks }: Pick<BundleRequest, 'projectDir' | 'outfile' | 'chunks'>,
  files: readonly BundleFile[],
): readonly string[] {
  const folder = path.posix.join(path.posix.dirname(outfile), chunks);
  const absolute = path.join(projectDir, folder);
  const current = new Set(files.map((file) => file.path));
  const names = existsSync(absolute) ? readdirSync(absolute) : [];
  return names
    .filter((name) => /-[A-Z0-9]{8}\.mjs(?:\.map)?$/.test(name))
    .map((name) => `${folder}/${name}`)
    .filter((name) => !current.has(name))
    .sort();
}

/** The files of a bundle in the order of their paths. */
export function filesOfBundle(projectDir: string, outputs: readonly OutputFile[]): readonly BundleFile[] {
  return outputs
    .map((file) => ({ path: posixRelative(projectDir, file.path), content: file.text }))
    .sort((a, b) => (a.path < b.path ? -1 : 1));
}

/** Converts errors of the bundler to findings; returns any other error unchanged. */
export function bundleFailure(error: unknown, projectDir: string): unknown {
  const { errors } = error as Partial<BuildFailure>;
  if (errors === undefined || errors.length === 0) return error;
  return new OpSdkError(
    errors.map((message) => bundlerFinding('build/bundle-failed', message, projectDir)),
    { cause: error },
  );
}

/** Turns warnings of the bundler into findings. */
export function bundleWarnings(messages: readonly Message[], projectDir: string): readonly Finding[] {
  return messages.map((message) => bundlerFinding('build/bundle-warning', message, projectDir));
}

function bundlerFinding(
  code: 'build/bundle-failed' | 'build/bundle-warning',
  message: Message,
  projectDir: string,
): Finding {
  const { location, text, notes } = message;
  const hints = notes.map((note) => note.text).filter((note) => note !== '');
  const missing = /^Could not resolve "([^"]+)"/.exec(text)?.[1];
  const fix =
    missing !== undefined
      ? [resolveHint(missing, projectDir)]
      : hints.length > 0
        ? hints
        : ['correct the code at this place'];
  if (location === null) return { code, message: text, fix };
  const where = { file: location.file, line: location.line, column: location.column + 1 };
  return { code, message: text, where, fix };
}

/**
 * Returns the fix for an import that cannot be resolved. It replaces the bundler's own advice to exclude the import from the bundle,
 * because the bundle would then fail at run time.
 */
function resolveHint(specifier: string, projectDir: string): string {
  if (/^[./]/.test(specifier)) return 'correct the path of the import; it ends in .ts';
  const name = specifier.split('/', specifier.startsWith('@') ? 2 : 1).join('/');
  return `install the package: ${addCommand(projectDir, name)}`;
}

/** Changes to make in sources when they are bundled. */
interface ReplacedSources {
  readonly manifests: readonly CheckedManifest[];
  readonly schemas: LibrarySchemas;
}

/**
 * Creates the esbuild plugin that loads source files with two changes: manifests replace the paths in `loadManifest` calls, and schemas of
 * libraries are removed.
 * @param replaced called at the start of each build
 */
function manifestPlugin(replaced: () => ReplacedSources): Plugin {
  return {
    name: 'opsdk-manifests',
    setup(build) {
      let splices: ReadonlyMap<string, readonly Splice[]> = new Map();
      let schemaModules: ReadonlySet<string> = new Set();
      build.onStart(() => {
        const { manifests, schemas } = replaced();
        splices = splicesOf(manifests, schemas);
        schemaModules = schemas.modules;
      });
      build.onLoad({ filter: /\.[cm]?tsx?$/, namespace: 'file' }, (file) => {
        const inFile = splices.get(file.path);
        if (inFile === undefined) return undefined;
        // Remove a byte order mark, because the compiler counts positions without it.
        const text = readFileSync(file.path, 'utf8').replace(/^\uFEFF/, '');
        const contents = inlineManifests(text, path.basename(file.path), inFile);
        return { contents, loader: 'ts' };
      });
      build.onResolve({ filter: /./ }, async (args) => {
        if (schemaModules.size === 0 || isOnward(args) || args.kind === 'entry-point') return undefined;
        if (args.importer.includes('/node_modules/')) return undefined;
        const found = await resolveOnward(build, args);
        // Mark schema modules as free of side effects, so that the bundler drops their unused imports.
        return found.errors.length === 0 && schemaModules.has(found.path)
          ? { ...found, sideEffects: false }
          : undefined;
      });
    },
  };
}

/** Groups splices (replacements of source text) by the real path of their file. */
function splicesOf(
  manifests: readonly CheckedManifest[],
  schemas: LibrarySchemas,
): ReadonlyMap<string, readonly Splice[]> {
  const splices = new Map<string, Splice[]>();
  const add = (file: string, splice: Splice): unknown =>
    splices.set(file, [...(splices.get(file) ?? []), splice]);
  for (const { call, value } of manifests)
    if (call.range !== undefined) add(realpathSync(call.file), { ...call.range, text: jsonLiteral(value) });
  for (const { file, ...splice } of schemas.splices) add(file, splice);
  return splices;
}
