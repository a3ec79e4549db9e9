import { existsSync, realpathSync } from 'node:fs';
import path from 'node:path';
import type { BuildContext, BuildOptions, Metafile } from 'esbuild';
import { FindingList, OpSdkError, type Finding } from '../../base/errors/index.ts';
import { createSourceMemory } from '../schema/index.ts';
import type { FileView } from '../../base/util/observe-files.ts';
import {
  bundleFailure,
  filesOfBundle,
  bundlerOptions,
  bundleWarnings,
  ownRoots,
  staleChunks,
  type BundleFile,
  type BundleRequest,
} from './bundler.ts';
import { readManifests, unreadCalls } from './read-manifests.ts';

/** Bundle of an operator for a development run on this machine. */
export interface DevBundle {
  readonly files: readonly BundleFile[];
  /** Paths of chunks of former builds beside the new chunks, relative to the project. The new bundle does not load them. */
  readonly staleChunks: readonly string[];
  readonly warnings: readonly Finding[];
}

/** Path of the bundle for runs on this machine, relative to the project. Images contain `main.mjs` from the same folder instead. */
export const devOutfile = 'dist/dev.mjs';

type DevContext = BuildContext<BuildOptions & { readonly metafile: true; readonly write: false }>;

/**
 * Builds an operator repeatedly for runs on this machine. Builds are fast, because the bundler and the compiler cache unchanged files, and
 * opsdk is not bundled but loaded from its installation. The code is not minified, so that debuggers can show it.
 */
export class DevBuilder {
  readonly #projectDir: string;
  readonly #request: BundleRequest;
  readonly #memory = createSourceMemory();
  #replaced: ReturnType<BundleRequest['replaced']> = {
    manifests: [],
    schemas: { splices: [], modules: new Set() },
  };
  #context: Promise<DevContext> | undefined;
  /** Absolute paths of the files in the last bundle that the bundler reads but the compiler does not. */
  #inputs: readonly string[] = [];

  /** @param projectDir absolute path of the project */
  constructor(projectDir: string) {
    // The bundler resolves symbolic links. If the path of the project contained a link, the inputs would therefore seem to be outside of
    // the project.
    this.#projectDir = realpathSync(projectDir);
    this.#request = {
      projectDir: this.#projectDir,
      entry: 'src/main.ts',
      outfile: devOutfile,
      chunks: 'dev-chunks',
      replaced: () => this.#replaced,
    };
  }

  /**
   * Bundles the current sources. Does not write files.
   * @param files observes every file that the bundle depends on, except for files of packages
   * @throws OpSdkError with all faults of manifests and code
   */
  async build(files: FileView): Promise<DevBundle> {
    const projectDir = this.#projectDir;
    checkEntry(projectDir, this.#request.entry, files);
    const { manifests, schemas, warnings, read } = readManifests(projectDir, this.#request.entry, {
      files,
      memory: this.#memory,
    });
    this.#replaced = { manifests, schemas };
    // Observe the inputs before the bundler reads them, so that a change between both is noticed.
    this.#look(files, this.#inputs);
    this.#context ??= this.#open();
    const built = await (await this.#context).rebuild().catch((error: unknown) => {
      throw bundleFailure(error, projectDir);
    });
    this.#inputs = projectInputs(built.metafile, projectDir);
    this.#look(files, this.#inputs);
    const faults = new FindingList();
    faults.add(...unreadCalls(built.metafile, projectDir, read, ownRoots(projectDir)));
    faults.throwIfAny();
    const bundled = filesOfBundle(projectDir, built.outputFiles);
    return {
      files: bundled,
      staleChunks: staleChunks(this.#request, bundled),
      warnings: [...warnings, ...bundleWarnings(built.warnings, projectDir)],
    };
  }

  /** Stops the bundler. */
  async close(): Promise<void> {
    const context = this.#context;
    this.#context = undefined;
    await (await context)?.dispose();
  }

  async #open(): Promise<DevContext> {
    const { context } = await import('esbuild');
    // Do not bundle opsdk, so that the operator and all packages that import opsdk share one instance of it.
    return context({ ...bundlerOptions(this.#request), external: ['opsdk', 'opsdk/*'] });
  }

  #look(files: FileView, paths: readonly string[]): void {
    for (const file of paths) files.readFile(file);
  }
}

function checkEntry(projectDir: string, entry: string, files: FileView): void {
  const file = path.join(projectDir, entry);
  files.readFile(file);
  if (existsSync(file)) return;
  throw new OpSdkError({
    code: 'build/entry-not-found',
    message: `${entry} does not exist in this folder`,
    where: { file: entry },
    fix: [`restore ${entry}: it creates the manager and adds the controllers`],
  });
}

/**
 * Returns the inputs that are not part of packages. Files of packages change only by an installation, and there may be thousands of them.
 */
function projectInputs(metafile: Metafile, projectDir: string): readonly string[] {
  return Object.keys(metafile.inputs)
    .filter((input) => !input.split('/').includes('node_modules'))
    .map((input) => path.resolve(projectDir, input))
    .filter((file) => existsSync(file));
}
