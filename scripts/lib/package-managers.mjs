// The package managers and JavaScript runtimes that projects are tried with, of pinned versions, from the npm registry into a cache.
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { must } from './run.mjs';

/** Packages with their versions. npm is the one of the Node that runs the tests. */
const pinnedManagers = {
  '@yarnpkg/cli-dist': '4.18.1',
  bun: '1.4.5',
  deno: '2.9.6',
  pnpm: '12.21.0',
};

/** Yarn 1 is in a folder of its own, because its command has the name of Yarn 4's. */
const classicManagers = { yarn: '1.22.22' };

/**
 * Installs the package managers, if the cache lacks them.
 * @returns {Promise<{ tools: string, classicYarn: string }>} the folders with their commands
 */
export async function ensurePackageManagers() {
  const cache = join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'op-sdk', 'package-managers');
  const name = Object.values({ ...pinnedManagers, ...classicManagers }).join('-');
  const folder = join(cache, name);
  const bin = join('node_modules', '.bin');
  const found = { tools: join(folder, bin), classicYarn: join(folder, 'classic', bin) };
  if (existsSync(folder)) return found;
  mkdirSync(cache, { recursive: true });
  const fresh = mkdtempSync(join(cache, `.${name}-`));
  try {
    await install(fresh, pinnedManagers);
    await install(join(fresh, 'classic'), classicManagers);
    renameSync(fresh, folder);
  } catch (error) {
    // Another run may have been quicker.
    if (!existsSync(folder)) throw error;
  } finally {
    rmSync(fresh, { recursive: true, force: true });
  }
  return found;
}

async function install(folder, dependencies) {
  mkdirSync(folder, { recursive: true });
  // Their install scripts put the binary of this platform in place.
  const allowScripts = { bun: true, deno: true, pnpm: true };
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ private: true, dependencies, allowScripts }));
  await must('npm', ['install', '--no-audit', '--no-fund', '--loglevel=error'], { cwd: folder, quiet: true });
}
