// Bundles the operators of the benchmark as `op-sdk build` does, into the cache folder.
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { bundleOperator } from '../lib/programs.mjs';

const folder = dirname(fileURLToPath(import.meta.url));

/** The operators: the name of each is its VARIANT for `run`. */
export const variants = ['create-patch', 'apply'];

/** @throws what `op-sdk build` says of them */
export async function bundleOperators() {
  for (const variant of variants) await bundleOperator(folder, variant);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await bundleOperators();
