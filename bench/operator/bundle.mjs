// Bundles the operators of the benchmark as `op-sdk build` does, into the cache folder.
import { mkdirSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const folder = dirname(fileURLToPath(import.meta.url));

/** Where what the benchmark builds is kept. */
export const cache = join(process.env.XDG_CACHE_HOME ?? join(homedir(), '.cache'), 'op-sdk', 'bench');

/** The operators: the name of each is its VARIANT for `run`. */
export const variants = ['create-patch', 'apply'];

/** @throws what `op-sdk build` says of them */
export async function bundleOperators() {
  const { buildOperator } = await import('../../dist/build/index.js');
  for (const variant of variants) {
    const { files } = await buildOperator({
      projectDir: folder,
      entry: `src/${variant}.ts`,
      outfile: `${variant}/main.mjs`,
    });
    for (const { path, content } of files) {
      mkdirSync(dirname(join(cache, path)), { recursive: true });
      writeFileSync(join(cache, path), content);
    }
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await bundleOperators();
