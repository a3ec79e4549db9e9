// Tools that tests use, from Debian's packages: installed where that is allowed, else left out.
import { accessSync, constants, readdirSync } from 'node:fs';
import { delimiter, isAbsolute, join } from 'node:path';
import { ProgramsUnavailable } from './go-programs.mjs';
import { step } from './provision.mjs';
import { must, run } from './run.mjs';

/** Seconds for one run of apt-get: others may hold its lock, or the network may be slow. */
const limit = 1200;

/** The commands that the peers tests use, and the packages that bring them. */
const peers = {
  skopeo: 'skopeo',
  umoci: 'umoci',
  buildah: 'buildah',
  runc: 'runc',
  'docker-registry': 'docker-registry',
  htpasswd: 'apache2-utils',
  prometheus: 'prometheus',
  chromium: 'chromium',
};

/** @param {string} command a name to be found on the PATH, or an absolute path @returns {boolean} */
function isInstalled(command) {
  const folders = isAbsolute(command) ? [''] : (process.env.PATH ?? '').split(delimiter);
  return folders.some((folder) => {
    try {
      accessSync(join(folder, command), constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });
}

/**
 * Installs what is missing, as root on Debian and its relatives.
 * @param {Record<string, string>} tools packages by the commands that they bring
 * @returns {Promise<string[]>} the commands that are still missing
 */
export async function installDebianTools(tools) {
  const missing = () => Object.keys(tools).filter((command) => !isInstalled(command));
  if (missing().length > 0 && process.getuid?.() === 0 && isInstalled('apt-get')) {
    const packages = [...new Set(missing().map((command) => tools[command]))];
    await step(`apt-get install ${packages.join(' ')}`, async () => {
      const options = { quiet: true, limit, env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' } };
      const aptGet = (...args) =>
        run('apt-get', ['--option', 'DPkg::Lock::Timeout=600', '--yes', ...args], options);
      const install = () => aptGet('install', '--no-install-recommends', ...packages);
      // The lists of packages may be missing or old.
      if ((await install()).code !== 0 && (await aptGet('update')).code === 0) await install();
    });
  }
  return missing();
}

/**
 * Unpacks the files of packages into a folder. Nothing is installed, and no script of a package runs.
 * @param {string[]} packages
 * @param {string} folder
 * @throws ProgramsUnavailable if they cannot be downloaded
 */
export async function unpackDebianPackages(packages, folder) {
  const options = { cwd: folder, quiet: true, limit };
  const download = async () => {
    if (!isInstalled('apt-get') || !isInstalled('dpkg-deb')) return false;
    return (
      (await run('apt-get', ['--option', 'APT::Sandbox::User=root', 'download', ...packages], options))
        .code === 0
    );
  };
  // The lists of packages may be missing or old.
  if (!(await download())) {
    await run('apt-get', ['update'], options).catch(() => undefined);
    if (!(await download()))
      throw new ProgramsUnavailable(`not downloaded: the Debian packages ${packages.join(', ')}`);
  }
  for (const name of readdirSync(folder).filter((name) => name.endsWith('.deb')))
    await must('dpkg-deb', ['--extract', name, '.'], options);
}

/**
 * Installs the tools of the peers tests.
 * @param {{ skip(reason: string): void }} tally gets each tool that is unavailable; its tests are skipped visibly
 */
export async function ensureDebianTools(tally) {
  for (const command of await installDebianTools(peers))
    tally.skip(`${command}: not installed (Debian package ${peers[command]})`);
}
