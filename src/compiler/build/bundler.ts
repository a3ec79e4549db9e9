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

export interface BundleFile {
  /** Relative to the project, with forward slashes. */
  readonly path: string;
  readonly content: string;
}

/**
 * Banner of each file of a bundle: refuses a Node version that is too old, and defines `require`, which CommonJS packages call for Node's
 * own modules and which an ES module lacks.
 */
const banner = `import{createRequire as __require_of}from'node:module';${nodeVersionCheck('runtime/unsupported-node', 'this operator')}const require=__require_of(import.meta.url);`;

/** Entry that is bundled, and its target. */
export interface BundleRequest {
  /** Absolute, links followed. */
  readonly projectDir: string;
  /** Relative to the project, with forward slashes. */
  readonly entry: string;
  /** An `.mjs` file, relative to the project. */
  readonly outfile: string;
  /** The folder for chunks, beside the file. */
  readonly chunks: string;
  /** Called for each build. */
  readonly replaced: () => ReplacedSources;
}

/** The options that the bundles of all commands have in common. */
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
    // Node keeps loaded source maps in memory; stack traces need only positions, and an image contains no sources.
    sourcesContent: false,
    banner: { js: banner },
    metafile: true,
    write: false,
    logLevel: 'silent',
    plugins: [manifestPlugin(replaced), exemplarPlugin, transportPlugin],
  };
}

/** A path as the bundler names it: relative to the project, with forward slashes, without `./`. */
export function posixRelative(projectDir: string, file: string): string {
  return path.relative(projectDir, path.resolve(projectDir, file)).split(path.sep).join('/');
}

/** Returns the folders of opsdk: the one in the project's dependencies and the one that this code runs from. */
export function ownRoots(projectDir: string): readonly string[] {
  const running = fileURLToPath(new URL('../../..', import.meta.url));
  const installed = path.join(projectDir, 'node_modules', 'opsdk');
  return [running, installed]
    .filter((folder) => existsSync(folder))
    .map((folder) => realpathSync(folder).split(path.sep).join('/'));
}

/** Returns the chunks of former builds, relative to the project. Only files with names that this bundler generates count as chunks. */
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
 * Returns the fix for an import that cannot be resolved. The bundler would advise to exclude it from the bundle, which then fails when it
 * runs.
 */
function resolveHint(specifier: string, projectDir: string): string {
  if (/^[./]/.test(specifier)) return 'correct the path of the import; it ends in .ts';
  const name = specifier.split('/', specifier.startsWith('@') ? 2 : 1).join('/');
  return `install the package: ${addCommand(projectDir, name)}`;
}

/**
 * Replaces pino's transports, which are worker threads with files of their own, by a clear error; otherwise they would fail with a missing
 * file.
 */
const stub = `module.exports = () => {
  throw new Error('pino.transport: expected a log without transports, as a bundled operator is one file; write to stdout, or pass a stream');
};`;

/** Leaves out pino's transports, which cannot work in a bundle of one file, and would be a tenth of what an operator loads at its start. */
const transportPlugin: Plugin = {
  name: 'opsdk-transport',
  setup(build) {
    build.onLoad({ filter: /[\\/]pino[\\/]lib[\\/]transport\.js$/ }, () => ({
      contents: stub,
      loader: 'js',
    }));
  },
};

/**
 * The part of `@opentelemetry/api` (44 kB) that prom-client uses: the active span, for the exemplars of the CPU counters. Tracing libraries
 * register the API globally, and every copy of the API looks for it there. This replacement does the same. Source: `api/trace.ts`,
 * `api/context.ts`, `trace/context-utils.ts` and `internal/global-utils.ts` of @opentelemetry/api 1.x
 */
export const activeSpan = `
const api = () => globalThis[Symbol.for('opentelemetry.js.api.1')];
exports.context = { active: () => api()?.context?.active() };
exports.trace = { getSpan: (context) => context?.getValue(Symbol.for('OpenTelemetry Context Key SPAN')) };
`;

/** Gives prom-client {@link activeSpan} instead of the entire API. An operator that imports the API itself gets the entire API. */
const exemplarPlugin: Plugin = {
  name: 'opsdk-exemplars',
  setup(build) {
    build.onResolve({ filter: /^@opentelemetry\/api$/ }, ({ importer }) =>
      /[\\/]node_modules[\\/]prom-client[\\/]/.test(importer)
        ? { path: 'active-span.cjs', namespace: 'opsdk' }
        : undefined,
    );
    build.onLoad({ filter: /^active-span\.cjs$/, namespace: 'opsdk' }, () => ({
      contents: activeSpan,
      loader: 'js',
    }));
  },
};

/** Sources that are bundled in another form than they were written. */
interface ReplacedSources {
  readonly manifests: readonly CheckedManifest[];
  readonly schemas: LibrarySchemas;
}

/**
 * Loads source files for esbuild with the manifests in place of the paths of `loadManifest` calls, and without the schemas of libraries.
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
        // The compiler counts positions without a byte order mark.
        const text = readFileSync(file.path, 'utf8').replace(/^\uFEFF/, '');
        const contents = inlineManifests(text, path.basename(file.path), inFile);
        return { contents, loader: 'ts' };
      });
      build.onResolve({ filter: /./ }, async ({ path: specifier, pluginData, ...from }) => {
        if (schemaModules.size === 0 || pluginData === resolving || from.kind === 'entry-point')
          return undefined;
        if (from.importer.includes('/node_modules/')) return undefined;
        const { importer, namespace, resolveDir, kind } = from;
        const found = await build.resolve(specifier, {
          importer,
          namespace,
          resolveDir,
          kind,
          pluginData: resolving,
        });
        // The bundler keeps imports for their side effects; a schema module has none.
        return found.errors.length === 0 && schemaModules.has(found.path)
          ? { ...found, sideEffects: false }
          : undefined;
      });
    },
  };
}

/** Marks a resolution that the plugin itself requested, which it must not handle again. */
const resolving = Symbol('resolving');

/** Groups splices by the real path of their file. */
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
