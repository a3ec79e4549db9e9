// The package managers and JavaScript runtimes that projects are tried with, of pinned versions, from the npm registry into a cache.
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { must } from './run.mjs';

/** Packages with their versions. npm is the one of the Node that runs the tests. */
export const pinnedManagers = {
  '@yarnpkg/cli-dist': '4.18.1',
  bun: '1.4.5',
  deno: '2.9.6',
  pnpm: '12.21.0',
};

/**
 * Installs the package managers, if the cache lacks them.
 * @returns {Promise<string>} the folder with their commands
 */
export async function ensurePackageManagers() {
  const cache = join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'op-sdk', 'package-managers');
  const name = Object.values(pinnedManagers).join('-');
  const folder = join(cache, name);
  const bin = join(folder, 'node_modules', '.bin');
  if (existsSync(bin)) return bin;
  mkdirSync(cache, { recursive: true });
  const fresh = mkdtempSync(join(cache, `.${name}-`));
  try {
    // Their install scripts put the binary of this platform in place.
    const allowScripts = { bun: true, deno: true, pnpm: true };
    const manifest = { private: true, dependencies: pinnedManagers, allowScripts };
    writeFileSync(join(fresh, 'package.json'), JSON.stringify(manifest));
    const flags = ['--no-audit', '--no-fund', '--loglevel=error'];
    await must('npm', ['install', ...flags], { cwd: fresh, quiet: true });
    renameSync(fresh, folder);
  } catch (error) {
    // Another run may have been quicker.
    if (!existsSync(bin)) throw error;
  } finally {
    rmSync(fresh, { recursive: true, force: true });
  }
  return bin;
}
