import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

/** Bundles the source of an operator, which imports `./src/index.ts`, as `op-sdk build` does: `main.mjs` in the folder. */
export async function bundleOperator(source: string, folder: string): Promise<void> {
  await build({
    stdin: {
      contents: source,
      resolveDir: fileURLToPath(new URL('../../../../', import.meta.url)),
      loader: 'ts',
    },
    outdir: folder,
    entryNames: 'main',
    outExtension: { '.js': '.mjs' },
    bundle: true,
    splitting: true,
    minify: true,
    platform: 'node',
    target: 'node20',
    format: 'esm',
    banner: { js: `import{createRequire}from'node:module';const require=createRequire(import.meta.url);` },
    logLevel: 'silent',
  });
}
