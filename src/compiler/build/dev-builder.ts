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

/** The bundle of an operator under development. */
export interface DevBundle {
  readonly files: readonly BundleFile[];
  /** Chunks of former builds beside the new ones, relative to the project: nothing loads them any more. */
  readonly staleChunks: readonly string[];
  readonly warnings: readonly Finding[];
}

/** Output file of runs on this machine, relative to the project; `main.mjs` beside it goes into images. */
export const devOutfile = 'dist/dev.mjs';

type DevContext = BuildContext<BuildOptions & { readonly metafile: true; readonly write: false }>;

/**
 * Rebuilds an operator repeatedly for a run on this machine. Builds are fast, since the bundler and the compiler cache unchanged files and
 * opsdk is loaded from its installation. The code is not minified, for debuggers.
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
  /** Absolute paths of the files of the last bundle that the compiler does not see. */
  #inputs: readonly string[] = [];

  /** @param projectDir absolute */
  constructor(projectDir: string) {
    // The bundler resolves symbolic links; without this, the inputs of a linked project would lie outside of it.
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
   * Bundles the current sources. Writes no files.
   * @param files observes every file that the bundle depends on, except for those of packages
   * @throws OpSdkError with every fault of manifests and code
   */
  async build(files: FileView): Promise<DevBundle> {
    const projectDir = this.#projectDir;
    checkEntry(projectDir, this.#request.entry, files);
    const { manifests, schemas, warnings, read } = readManifests(projectDir, this.#request.entry, {
      files,
      memory: this.#memory,
    });
    this.#replaced = { manifests, schemas };
    // Observe the inputs before they are read, so that a change in between is noticed.
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

  /** Ends the bundler. */
  async close(): Promise<void> {
    const context = this.#context;
    this.#context = undefined;
    await (await context)?.dispose();
  }

  async #open(): Promise<DevContext> {
    const { context } = await import('esbuild');
    // opsdk is external, so that all packages that import it share one instance.
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

/** Returns the inputs outside of packages: these change only by an installation and may have thousands of files. */
function projectInputs(metafile: Metafile, projectDir: string): readonly string[] {
  return Object.keys(metafile.inputs)
    .filter((input) => !input.split('/').includes('node_modules'))
    .map((input) => path.resolve(projectDir, input))
    .filter((file) => existsSync(file));
}
