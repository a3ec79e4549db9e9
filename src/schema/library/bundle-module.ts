import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { SchemaModule } from './schema-module.ts';

/** An error of the bundler. */
export interface BundleError {
  readonly text: string;
  readonly location: { readonly file: string; readonly line: number; readonly column: number } | null;
}

const program = fileURLToPath(new URL('./bundle-program.js', import.meta.url));
// `.ts` when the package runs from its sources, `.js` when it runs from dist.
const extension = import.meta.url.slice(import.meta.url.lastIndexOf('.'));
const describer = fileURLToPath(new URL(`./inside/describe-schema${extension}`, import.meta.url));

/** Milliseconds until the bundler is taken to hang. */
const bundleTimeout = 60_000;

/**
 * Makes one script of a schema module, what it imports, and the function that describes the schema: its value is the description, in JSON.
 * @param file the module, absolute
 */
export function bundleModule(
  projectDir: string,
  { file, exportName }: { readonly file: string; readonly exportName: string },
  { files, imports }: SchemaModule,
): { readonly code: string } | { readonly errors: readonly BundleError[] } {
  const entry = [
    `import { describeSchema } from ${JSON.stringify(describer)};`,
    `import * as module from ${JSON.stringify(file)};`,
    `globalThis.description = describeSchema(module[${JSON.stringify(exportName)}]);`,
  ].join('\n');
  const input = JSON.stringify({
    entry,
    projectDir,
    files: Object.fromEntries(files),
    imports: Object.fromEntries([...imports].map(([name, targets]) => [name, Object.fromEntries(targets)])),
  });
  const env = { ...process.env };
  // Loaders and inspectors of ours are no business of the bundler.
  delete env['NODE_OPTIONS'];
  const { stdout, stderr, error } = spawnSync(process.execPath, [program], {
    input,
    env,
    encoding: 'utf8',
    timeout: bundleTimeout,
    maxBuffer: Infinity,
  });
  if (error !== undefined || stdout === '') {
    const text = error?.message ?? stderr.trim();
    return { errors: [{ text: `cannot bundle the module: ${text}`, location: null }] };
  }
  return JSON.parse(stdout) as ReturnType<typeof bundleModule>;
}
