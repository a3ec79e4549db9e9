// `node scripts/publish.mjs X.Y.Z --dry-run`: checks what a release needs, packs both packages, and lists what a release would do.
// `node scripts/publish.mjs X.Y.Z --output-dir DIR`: checks and packs; DIR gets all that a release publishes.
// `node scripts/publish.mjs X.Y.Z --packed DIR`: publishes what was packed there, and needs no dependency for it.
// `node scripts/publish.mjs X.Y.Z`: all of it, for the first version of a name, which no trusted publisher can publish.
import { createHash } from 'node:crypto';
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { checkPackage } from './lib/package-checks.mjs';
import { ensureBuild, ensureDependencies } from './lib/provision.mjs';
import { missingForRelease, notesOf, readRelease } from './lib/release-check.mjs';
import { packRelease } from './lib/release-packages.mjs';
import { must, run } from './lib/run.mjs';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    'dry-run': { type: 'boolean', default: false },
    'output-dir': { type: 'string' },
    packed: { type: 'string' },
    root: { type: 'string' },
  },
});
const [version = ''] = positionals;
const release = readRelease(values.root);
const isDryRun = values['dry-run'];

try {
  await main();
} catch (error) {
  console.error(error.message);
  process.exitCode = 1;
}

async function main() {
  const missing = [...missingForRelease(version, release), ...(await missingHere())];
  if (missing.length > 0) {
    console.error(`${version === '' ? 'a release' : version} cannot be published:`);
    for (const sentence of missing) console.error(`- ${sentence}`);
    process.exitCode = 1;
  } else if (values.packed !== undefined) {
    await publishAll(resolve(values.packed));
  } else if (values['output-dir'] !== undefined) {
    await pack(resolve(values['output-dir']));
  } else {
    const folder = mkdtempSync(join(tmpdir(), 'op-sdk-publish-'));
    try {
      if (await pack(folder)) await publishAll(folder);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  }
}

/** The packages of the release in a folder, in the order in which they are published: create-opsdk depends on opsdk. */
function packagesIn(folder) {
  return ['opsdk', 'create-opsdk'].map((name) => ({
    name,
    tarball: join(folder, `${name}-${version}.tgz`),
  }));
}

/** Lists what this way of publishing needs besides. */
async function missingHere() {
  if (values.packed !== undefined)
    return packagesIn(resolve(values.packed))
      .filter(({ tarball }) => !existsSync(tarball))
      .map(({ tarball }) => `${tarball} is missing: pack it with --output-dir ${values.packed}`);
  const { output: changes } = await run('git', ['status', '--porcelain'], { capture: true });
  return changes.trim() === '' || isDryRun ? [] : ['the working tree has changes: commit them'];
}

/**
 * Packs, checks and lists the files of the release.
 * @returns {Promise<boolean>} false if a package has findings
 */
async function pack(folder) {
  await ensureDependencies();
  await ensureBuild();
  const { opsdk, create, sbom } = await packRelease({
    folder,
    version,
    repository: release.manifest.repository,
  });
  const notes = join(folder, 'notes.md');
  writeFileSync(notes, `${notesOf(release.changelog, version)}\n`);
  for (const path of [opsdk, create, sbom, notes])
    console.log(`packed: ${basename(path)}, ${Math.ceil(statSync(path).size / 1024)} KiB`);
  const findings = [...(await checkPackage(opsdk)), ...(await checkPackage(create))];
  for (const finding of findings) console.error(finding);
  if (findings.length > 0) process.exitCode = 1;
  return findings.length === 0;
}

async function publishAll(folder) {
  for (const { name, tarball } of packagesIn(folder)) await publish(name, tarball);
  if (isDryRun) console.log(`would create: the release v${version}, with the notes of CHANGELOG.md`);
}

/** Publishes a package, unless the registry has it already: a release that was interrupted is repeated. */
async function publish(name, tarball) {
  // Provenance is what GitHub says of the workflow that packed; elsewhere nobody can say it.
  const isWorkflow = process.env.GITHUB_ACTIONS === 'true';
  const args = ['publish', tarball, '--access', 'public', ...(isWorkflow ? [] : ['--no-provenance'])];
  if (isDryRun) return console.log(`would run: npm ${args.join(' ')}`);
  const published = await integrityOf(name);
  if (published === undefined) return must('npm', args);
  const packed = `sha512-${createHash('sha512').update(readFileSync(tarball)).digest('base64')}`;
  if (published !== packed)
    throw new Error(`${name} ${version} is published with other content: release the next version`);
  console.log(`${name} ${version} is published already`);
}

/** The integrity of this version on the registry; undefined if it has none such. */
async function integrityOf(name) {
  const args = ['view', `${name}@${version}`, 'dist.integrity', '--json'];
  const { code, output } = await run('npm', args, { capture: true });
  const answer = output.trim() === '' ? undefined : JSON.parse(output);
  if (code === 0) return answer;
  if (answer?.error?.code === 'E404') return undefined;
  throw new Error(`npm ${args.join(' ')} ended with exit code ${code}`);
}
