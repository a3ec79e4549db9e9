import { existsSync, readdirSync, realpathSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import type { BuildFailure, BuildOptions, Message, OutputFile } from 'esbuild';
import { FindingList, OpSdkError, type Finding } from '../errors/index.ts';
import { isProjectFile, loadProgram, readDeclarations } from '../schema/index.ts';
import { nodeVersionCheck } from '../util/node-version.ts';
import { checkManifests, type CheckedManifest } from './check-manifests.ts';
import { exemplarPlugin } from './exemplar-plugin.ts';
import { bundleSize, forbiddenInputs, type BundleSize } from './inspect-bundle.ts';
import { manifestPlugin } from './manifest-plugin.ts';
import { schemaLookup } from './manifest-schema.ts';
import { unreadCalls } from './unread-calls.ts';

export interface BuildOperatorOptions {
  /** Absolute. Manifest paths and the two files below are relative to it. */
  readonly projectDir: string;
  /** Default: `src/main.ts`. */
  readonly entry?: string;
  /** An `.mjs` file; chunks that are loaded when needed go into `chunks` beside it. Default: `dist/main.mjs`. */
  readonly outfile?: string;
}

/** A file of the bundle. */
export interface BundleFile {
  /** Relative to the project, with forward slashes. */
  readonly path: string;
  readonly content: string;
}

export interface OperatorBundle {
  readonly files: readonly BundleFile[];
  /** Chunks of former builds beside the new ones, relative to the project: nothing loads them any more. */
  readonly staleChunks: readonly string[];
  readonly size: BundleSize;
  /** The operand manifests inside, relative to the project. */
  readonly manifests: readonly string[];
  readonly warnings: readonly Finding[];
}

/**
 * The head of each file of a bundle: the first to run must refuse a Node that is too old. Packages in CommonJS call `require`
 * for Node's own modules, which an ES module does not have.
 */
const banner = `import{createRequire as __opsdkCreateRequire}from'node:module';${nodeVersionCheck('runtime/unsupported-node', 'this operator')}const require=__opsdkCreateRequire(import.meta.url);`;

/**
 * Bundles an operator into one ES module for Node 20 (and chunks for what it loads only when needed), with the manifests
 * of its `loadManifest` calls inside. Writes nothing.
 * @throws OpSdkError with every fault of manifests and code
 */
export async function buildOperator(options: BuildOperatorOptions): Promise<OperatorBundle> {
  // The bundler follows links; a project behind one would not be below itself.
  const projectDir = realpathSync(options.projectDir);
  const entry = posixRelative(projectDir, options.entry ?? 'src/main.ts');
  const outfile = options.outfile ?? 'dist/main.mjs';
  checkPaths(projectDir, entry, outfile);
  const { manifests, warnings, read } = readManifests(projectDir, entry);
  const { build } = await import('esbuild');
  const built = await build(esbuildOptions({ projectDir, entry, outfile }, manifests)).catch(
    (error: unknown) => {
      throw bundleFailure(error);
    },
  );
  const { metafile, outputFiles } = built;
  const own = ownRoots(projectDir);
  const faults = new FindingList();
  faults.add(...forbiddenInputs(metafile, { projectDir, entry, ownRoots: own }));
  faults.add(...unreadCalls(metafile, projectDir, read, own));
  faults.throwIfAny();
  const files = outputFiles
    .map((file) => bundleFile(projectDir, file))
    .sort((a, b) => (a.path < b.path ? -1 : 1));
  return {
    files,
    staleChunks: staleChunks(projectDir, outfile, files),
    size: bundleSize(metafile, outfile, { projectDir, ownRoots: own }),
    manifests: [...new Set(manifests.map((manifest) => manifest.path))].sort(),
    warnings: [
      ...warnings,
      ...built.warnings.map((message) => bundlerFinding('build/bundle-warning', message)),
    ],
  };
}

/** A path as the bundler names it: relative to the project, with forward slashes, without `./`. */
function posixRelative(projectDir: string, file: string): string {
  return path.relative(projectDir, path.resolve(projectDir, file)).split(path.sep).join('/');
}

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

function readManifests(
  projectDir: string,
  entry: string,
): {
  readonly manifests: readonly CheckedManifest[];
  readonly warnings: readonly Finding[];
  /** The files whose calls were read, absolute, links followed. */
  readonly read: ReadonlySet<string>;
} {
  const program = loadProgram({ projectDir, rootFiles: [entry] });
  const findings = new FindingList();
  findings.add(...program.diagnostics);
  findings.throwIfAny();
  const declared = readDeclarations(program);
  findings.add(...declared.findings);
  const checked = checkManifests(
    findings,
    projectDir,
    declared.manifests,
    schemaLookup(program, declared.resources),
  );
  findings.throwIfAny();
  const files = program.program.getSourceFiles().filter((file) => isProjectFile(program.program, file));
  const read = files.map(({ fileName }) => realpathSync(fileName).split(path.sep).join('/'));
  return { ...checked, read: new Set(read) };
}

function esbuildOptions(
  options: BuildOperatorOptions & { readonly entry: string; readonly outfile: string },
  manifests: readonly CheckedManifest[],
): BuildOptions & { readonly metafile: true; readonly write: false } {
  const { entry, outfile, projectDir } = options;
  const name = path.posix.basename(outfile, '.mjs');
  return {
    absWorkingDir: projectDir,
    entryPoints: [{ in: entry, out: name }],
    outdir: path.posix.dirname(outfile),
    outExtension: { '.js': '.mjs' },
    chunkNames: 'chunks/[name]-[hash]',
    splitting: true,
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    // Names stay: they are in stack traces, logs and error messages.
    minifySyntax: true,
    minifyWhitespace: true,
    sourcemap: 'linked',
    // Node reads the maps when it starts and keeps them; traces need the places only, and an image holds no sources.
    sourcesContent: false,
    banner: { js: banner },
    metafile: true,
    write: false,
    logLevel: 'silent',
    plugins: [manifestPlugin(manifests), exemplarPlugin],
  };
}

/** Where opsdk lies: in the project's dependencies, and where this code runs from. */
function ownRoots(projectDir: string): readonly string[] {
  const running = path.dirname(path.dirname(path.dirname(fileURLToPath(import.meta.url))));
  const installed = path.join(projectDir, 'node_modules', 'opsdk');
  return [running, installed]
    .filter((folder) => existsSync(folder))
    .map((folder) => realpathSync(folder).split(path.sep).join('/'));
}

/** Only names that this bundler gives are taken for chunks. */
function staleChunks(projectDir: string, outfile: string, files: readonly BundleFile[]): readonly string[] {
  const folder = path.posix.join(path.posix.dirname(outfile), 'chunks');
  const absolute = path.join(projectDir, folder);
  const current = new Set(files.map((file) => file.path));
  const names = existsSync(absolute) ? readdirSync(absolute) : [];
  return names
    .filter((name) => /-[A-Z0-9]{8}\.mjs(?:\.map)?$/.test(name))
    .map((name) => `${folder}/${name}`)
    .filter((name) => !current.has(name))
    .sort();
}

function bundleFile(projectDir: string, file: OutputFile): BundleFile {
  return { path: posixRelative(projectDir, file.path), content: file.text };
}

function bundleFailure(error: unknown): unknown {
  const { errors } = error as Partial<BuildFailure>;
  if (errors === undefined || errors.length === 0) return error;
  return new OpSdkError(
    errors.map((message) => bundlerFinding('build/bundle-failed', message)),
    { cause: error },
  );
}

function bundlerFinding(code: 'build/bundle-failed' | 'build/bundle-warning', message: Message): Finding {
  const { location, text, notes } = message;
  const hints = notes.map((note) => note.text).filter((note) => note !== '');
  const missing = /^Could not resolve "([^"]+)"/.exec(text)?.[1];
  const fix =
    missing !== undefined
      ? [resolveHint(missing)]
      : hints.length > 0
        ? hints
        : ['correct the code at this place'];
  if (location === null) return { code, message: text, fix };
  const where = { file: location.file, line: location.line, column: location.column + 1 };
  return { code, message: text, where, fix };
}

/** The bundler would advise to leave the import out of the bundle, which then fails when it runs. */
function resolveHint(specifier: string): string {
  if (/^[./]/.test(specifier)) return 'correct the path of the import; it ends in .ts';
  const name = specifier.split('/', specifier.startsWith('@') ? 2 : 1).join('/');
  return `install the package: npm install ${name}`;
}
