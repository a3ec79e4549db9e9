import { existsSync, readdirSync, realpathSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import type { BuildFailure, BuildOptions, Message, OutputFile } from 'esbuild';
import { OpSdkError, type Finding } from '../../base/errors/index.ts';
import { addCommand } from '../../project/project/index.ts';
import { nodeVersionCheck } from '../../base/util/node-version.ts';
import { exemplarPlugin } from './exemplar-plugin.ts';
import { transportPlugin } from './transport-plugin.ts';
import { manifestPlugin, type ReplacedSources } from './manifest-plugin.ts';

/** A file of the bundle. */
export interface BundleFile {
  /** Relative to the project, with forward slashes. */
  readonly path: string;
  readonly content: string;
}

/**
 * The head of each file of a bundle: the first to run must refuse a Node that is too old. Packages in CommonJS call `require`
 * for Node's own modules, which an ES module does not have.
 */
const banner = `import{createRequire as __opsdkCreateRequire}from'node:module';${nodeVersionCheck('runtime/unsupported-node', 'this operator')}const require=__opsdkCreateRequire(import.meta.url);`;

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
  /** Asked each time a bundle is made. */
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
    // Node reads the maps when it starts and keeps them; traces need the places only, and an image holds no sources.
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

/** Where opsdk lies: in the project's dependencies, and where this code runs from. */
export function ownRoots(projectDir: string): readonly string[] {
  const running = fileURLToPath(new URL('../../..', import.meta.url));
  const installed = path.join(projectDir, 'node_modules', 'opsdk');
  return [running, installed]
    .filter((folder) => existsSync(folder))
    .map((folder) => realpathSync(folder).split(path.sep).join('/'));
}

/** Chunks of former builds, relative to the project. Only names that this bundler gives are taken for chunks. */
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

/** Turns refusals of the bundler into findings; returns any other error as it is. */
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

/** The bundler would advise to leave the import out of the bundle, which then fails when it runs. */
function resolveHint(specifier: string, projectDir: string): string {
  if (/^[./]/.test(specifier)) return 'correct the path of the import; it ends in .ts';
  const name = specifier.split('/', specifier.startsWith('@') ? 2 : 1).join('/');
  return `install the package: ${addCommand(projectDir, name)}`;
}
