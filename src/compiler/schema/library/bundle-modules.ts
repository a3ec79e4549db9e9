import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { SchemaExport } from '../../source/index.ts';
import type { SchemaModule } from './schema-module.ts';

/** An error of the bundler. */
export interface BundleError {
  readonly text: string;
  /** An import leads to a file that must not be read. */
  readonly isOutside: boolean;
  /** In a module of the project; the file is absolute, lines count from 1 and columns from 0. */
  readonly location: { readonly file: string; readonly line: number; readonly column: number } | null;
}

/** ES modules that import each other by their names in `scripts`. */
export interface Scripts {
  readonly scripts: Readonly<Record<string, string>>;
  /** Chunks that hold nothing of the project. */
  readonly libraries: readonly string[];
  /** For each schema, the one whose export `description` describes it, in JSON. */
  readonly entries: readonly string[];
}

const program = fileURLToPath(new URL('./bundle-program.js', import.meta.url));
// `.ts` when the package runs from its sources, `.js` when it runs from dist.
const extension = import.meta.url.slice(import.meta.url.lastIndexOf('.'));
const describer = fileURLToPath(new URL(`./inside/describe-schema${extension}`, import.meta.url));

/** Milliseconds until the bundler is taken to hang. */
const bundleTimeout = 60_000;
/** Bytes of all scripts together. */
const largestOutput = 64 * 2 ** 20;

/** Makes scripts of the modules of schemas, what they import, and the function that describes a schema. */
export function bundleModules(
  schemas: readonly Pick<SchemaExport, 'file' | 'exportName'>[],
  modules: readonly SchemaModule[],
): Scripts | { readonly errors: readonly BundleError[] } {
  const libraries = new Map(
    modules.flatMap((module) =>
      module.libraries.map((library) => [`${library.specifier} ${library.importer}`, library] as const),
    ),
  );
  const input = JSON.stringify({
    describer,
    schemas: schemas.map(({ file, exportName }) => ({ file, exportName })),
    files: Object.fromEntries(modules.flatMap(({ files }) => [...files])),
    imports: Object.fromEntries(
      modules.flatMap(({ imports }) =>
        [...imports].map(([name, targets]) => [name, Object.fromEntries(targets)] as const),
      ),
    ),
    libraries: [...libraries.values()],
  });
  const env = { ...process.env };
  // Loaders and inspectors of ours are no business of the bundler.
  delete env['NODE_OPTIONS'];
  const { stdout, stderr, error } = spawnSync(process.execPath, [program], {
    input,
    env,
    encoding: 'utf8',
    timeout: bundleTimeout,
    killSignal: 'SIGKILL',
    maxBuffer: largestOutput,
  });
  if (error !== undefined || stdout === '') {
    const text = error?.message ?? stderr.trim();
    return { errors: [{ text: `cannot bundle the module: ${text}`, isOutside: false, location: null }] };
  }
  const bundled = JSON.parse(stdout) as
    Omit<Scripts, 'entries'> | { readonly errors: readonly BundleError[] };
  return 'errors' in bundled
    ? bundled
    : { ...bundled, entries: schemas.map((_, index) => `schema-${index}.js`) };
}
