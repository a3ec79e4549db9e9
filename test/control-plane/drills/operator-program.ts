import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from 'esbuild';
import { repositoryRoot } from '../../helpers/source-files.ts';

/** Program of an example's image. */
export interface OperatorProgram extends AsyncDisposable {
  /** Folder of a project that is built: it has `dist/main.mjs`. */
  readonly folder: string;
  /** Path of `main.mjs`. */
  readonly main: string;
  remove(): Promise<void>;
}

/** Bundles an example with the package as its sources, as `op-sdk build` does in a project that has it installed. */
export async function bundleExample(example: string): Promise<OperatorProgram> {
  const folder = await mkdtemp(join(tmpdir(), `${example}-`));
  const outdir = join(folder, 'dist');
  await build({
    entryPoints: [{ in: join(repositoryRoot, 'examples', example, 'src/main.ts'), out: 'main' }],
    outdir,
    outExtension: { '.js': '.mjs' },
    bundle: true,
    splitting: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    // It has the paths of the package.
    tsconfig: join(repositoryRoot, 'tsconfig.json'),
    banner: { js: "import{createRequire as c}from'node:module';const require=c(import.meta.url);" },
    logLevel: 'error',
  });
  const remove = (): Promise<void> => rm(folder, { recursive: true, force: true });
  return { folder, main: join(outdir, 'main.mjs'), remove, [Symbol.asyncDispose]: remove };
}
