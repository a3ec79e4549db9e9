import { existsSync, realpathSync } from 'node:fs';
import path from 'node:path';
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
import { bundleSize, forbiddenInputs, type BundleSize } from './inspect-bundle.ts';
import { readManifests } from './read-manifests.ts';
import { unreadCalls } from './unread-calls.ts';

export interface BuildOperatorOptions {
  /** Absolute. Manifest paths and the two files below are relative to it. */
  readonly projectDir: string;
  /** Default: `src/main.ts`. */
  readonly entry?: string;
  /** An `.mjs` file; chunks that are loaded when needed go into `chunks` beside it. Default: `dist/main.mjs`. */
  readonly outfile?: string;
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
  const { manifests, schemas, warnings, read } = readManifests(projectDir, entry);
  const request = { projectDir, entry, outfile, chunks: 'chunks', replaced: () => ({ manifests, schemas }) };
  const { build } = await import('esbuild');
  // Names stay: they are in stack traces, logs and error messages.
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
  const files = filesOfBundle(projectDir, outputFiles);
  return {
    files,
    staleChunks: staleChunks(request, files),
    size: bundleSize(metafile, outfile, { projectDir, ownRoots: own }),
    manifests: [...new Set(manifests.map((manifest) => manifest.path))].sort(),
    warnings: [...warnings, ...bundleWarnings(built.warnings, projectDir)],
  };
}

/** @throws OpSdkError `build/entry-not-found`, `build/invalid-outfile` */
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
