// The programs that benchmarks compare, built into the cache folder: bundled operators and Go modules.
import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { must } from '../../scripts/lib/run.mjs';

/** Where what the benchmarks build is kept. */
export const cache = join(process.env.XDG_CACHE_HOME ?? join(homedir(), '.cache'), 'op-sdk', 'bench');

/** Whether these programs can be started. */
export const installed = (...programs) =>
  programs.every((name) => spawnSync('sh', ['-c', `command -v ${name}`]).status === 0);

/**
 * Bundles `src/<name>.ts` of a folder as `op-sdk build` does.
 *
 * @returns {Promise<{ entry: string, size: { hot: number, total: number } }>} the file to start, and the bytes of the bundle
 * @throws what `op-sdk build` says of it
 */
export async function bundleOperator(folder, name) {
  const { buildOperator } = await import('../../dist/compiler/build/index.js');
  const outfile = `${name}/main.mjs`;
  const { files, size } = await buildOperator({ projectDir: folder, entry: `src/${name}.ts`, outfile });
  for (const { path, content } of files) {
    mkdirSync(dirname(join(cache, path)), { recursive: true });
    writeFileSync(join(cache, path), content);
  }
  return { entry: join(cache, outfile), size };
}

/** Builds the Go module in a folder. @returns {Promise<string>} the program */
export async function buildGo(folder, name) {
  mkdirSync(cache, { recursive: true });
  const program = join(cache, name);
  await must('go', ['build', '-o', program, '.'], { cwd: folder });
  return program;
}
