// The software bill of materials of a release: what `npm install opsdk` may install, from the lock file.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { must, root } from './run.mjs';

/**
 * Writes the bill of opsdk in the format CycloneDX.
 * @param {{ manifest: object, work: string, folder: string }} options `manifest`: as it is published; `work`: a folder of this run;
 *   `folder`: where the file is written
 * @returns {Promise<string>} the path of the file
 */
export async function writeSbom({ manifest, work, folder }) {
  // npm names the component by its folder.
  const place = join(work, 'sbom', manifest.name);
  mkdirSync(place, { recursive: true });
  const write = (name, value) => writeFileSync(join(place, name), JSON.stringify(value));
  write('package.json', { ...manifest, devDependencies: {} });
  write('package-lock.json', lockWithoutDevelopment(manifest.version));
  const args = ['sbom', '--package-lock-only', '--sbom-format', 'cyclonedx', '--omit', 'dev'];
  const bill = await must('npm', args, { cwd: place, capture: true });
  const path = join(folder, `${manifest.name}-${manifest.version}.cdx.json`);
  writeFileSync(path, bill);
  return path;
}

/** The lock file without development: `--omit dev` alone also leaves out a dependency that a development dependency uses, too. */
function lockWithoutDevelopment(version) {
  const lock = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'));
  const { devDependencies: _, ...own } = lock.packages[''];
  const installed = Object.entries(lock.packages).filter(
    ([path, entry]) => path !== '' && entry.dev !== true,
  );
  return { ...lock, version, packages: { '': { ...own, version }, ...Object.fromEntries(installed) } };
}
