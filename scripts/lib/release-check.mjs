// What a release needs before it can be published: one list, so that a maintainer sees all that is missing at once.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './run.mjs';

/**
 * Reads what the check is about.
 * @returns {{ manifest: object, createManifest: object, changelog: string }}
 */
export function readRelease(folder = root) {
  const json = (path) => JSON.parse(readFileSync(join(folder, path), 'utf8'));
  return {
    manifest: json('package.json'),
    createManifest: json('create-opsdk/package.json'),
    changelog: readFileSync(join(folder, 'CHANGELOG.md'), 'utf8'),
  };
}

/**
 * Lists what is missing or wrong for the release of a version; empty if it can be published.
 * @param {string} version `X.Y.Z`
 * @param {ReturnType<typeof readRelease>} release
 * @returns {string[]} one sentence each, with what to do
 */
export function missingForRelease(version, { manifest, createManifest, changelog }) {
  const missing = [];
  const isRelease = /^\d+\.\d+\.\d+$/.test(version);
  if (!isRelease) missing.push(`the version ${JSON.stringify(version)} is not a release: give X.Y.Z`);
  const url = manifest.repository?.url ?? '';
  if (!/^git\+https:\/\/[^/]+\/[^/]+\/[^/]+\.git$/.test(url))
    missing.push(
      'package.json names no repository, which the provenance of the package must match: set "repository": { "type": "git", "url": "git+https://HOST/OWNER/NAME.git" }',
    );
  if (!/-/.test(manifest.version))
    missing.push(`package.json has the version ${manifest.version}: between releases it is a prerelease`);
  else if (isRelease && manifest.version.replace(/-.*/, '') !== version)
    missing.push(`package.json has the version ${manifest.version}, which does not lead to ${version}`);
  if (createManifest.version !== manifest.version)
    missing.push(
      `create-opsdk has the version ${createManifest.version}, opsdk ${manifest.version}: they are released together`,
    );
  const notes = notesOf(changelog, version);
  if (isRelease && notes === undefined)
    missing.push(`CHANGELOG.md has no heading "## ${version}": rename "## Unreleased"`);
  if (notes === '') missing.push(`CHANGELOG.md says nothing below "## ${version}"`);
  return missing;
}

/** The text of CHANGELOG.md below the heading of a version; undefined if the heading is missing. */
export function notesOf(changelog, version) {
  const [, notes] =
    new RegExp(`^## ${version.replaceAll('.', '\\.')}\\n([^]*?)(?=^## |$(?![^]))`, 'm').exec(changelog) ?? [];
  return notes?.trim();
}

/** The page of a repository, without a slash at the end. */
export const pageOf = ({ url }) => url.replace(/^git\+/, '').replace(/\.git$/, '');

/**
 * What follows from the address of the repository: the keys of a published package.json.
 * @param {{ url: string }} repository
 * @param {string} [directory] of the package in the repository
 */
export function addressKeys({ url }, directory) {
  const page = pageOf({ url });
  return {
    repository: { type: 'git', url, ...(directory === undefined ? {} : { directory }) },
    homepage: `${page}#readme`,
    bugs: { url: `${page}/issues` },
  };
}
