// The packages of a release, as npm publishes them: opsdk and create-opsdk, with the version of the release.
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { packPackage } from './nginx-project.mjs';
import { rewriteDocuments } from './packed-links.mjs';
import { addressKeys, pageOf } from './release-check.mjs';
import { must, root } from './run.mjs';
import { writeSbom } from './sbom.mjs';

/** The version of the release that a prerelease leads to: `1.3.0` for `1.3.0-dev`. */
export const releaseVersion = (version) => version.replace(/-.*/, '');

/**
 * Packs both packages of what is built, and writes the bill of materials of opsdk. In the packages the version is that of a release, and
 * create-opsdk depends on just that opsdk.
 * @param {{ folder: string, version?: string, repository?: { url: string } }} options `folder`: where the tarballs are written; `version`:
 *   default: the release that the version in package.json leads to; `repository`: the address that the packages name, and to
 *   which their documents link
 * @returns {Promise<{ version: string, opsdk: string, create: string, sbom: string }>} the paths of the tarballs and of the bill
 */
export async function packRelease({ folder, version, repository }) {
  const work = mkdtempSync(join(tmpdir(), 'op-sdk-release-'));
  try {
    mkdirSync(folder, { recursive: true });
    await must('tar', ['-xzf', await packPackage(work), '-C', work], { quiet: true });
    const sdk = join(work, 'package');
    const released = version ?? releaseVersion(readManifest(sdk).version);
    const address = (directory) => (repository === undefined ? {} : addressKeys(repository, directory));
    editManifest(sdk, (manifest) => ({ ...manifest, version: released, ...address() }));
    const sbom = await writeSbom({ manifest: readManifest(sdk), work, folder });
    const create = join(work, 'create-opsdk');
    cpSync(join(root, 'create-opsdk'), create, {
      recursive: true,
      filter: (path) => !path.includes('node_modules'),
    });
    editManifest(create, (manifest) => ({
      ...manifest,
      version: released,
      ...address('create-opsdk'),
      dependencies: { ...manifest.dependencies, opsdk: released },
    }));
    if (repository !== undefined) {
      const page = pageOf(repository);
      rewriteDocuments(sdk, { page, version: released });
      rewriteDocuments(create, { page, version: released, directory: 'create-opsdk' });
    }
    return {
      version: released,
      sbom,
      opsdk: await packFolder(sdk, folder),
      create: await packFolder(create, folder),
    };
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

/**
 * Packs a folder with npm.
 * @returns {Promise<string>} the path of the tarball in `to`
 */
export async function packFolder(folder, to) {
  const args = ['pack', '--ignore-scripts', '--silent', '--pack-destination', to];
  const output = await must('npm', args, { cwd: folder, capture: true });
  return join(to, output.trim().split('\n').at(-1));
}

const readManifest = (folder) => JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));

function editManifest(folder, change) {
  const manifest = change(readManifest(folder));
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`);
}
