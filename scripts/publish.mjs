// `node scripts/publish.mjs X.Y.Z --dry-run`: checks what a release needs, and packs both packages as they would be published.
// `node scripts/publish.mjs X.Y.Z`: publishes opsdk, then create-opsdk. The release workflow runs it, with trusted publishing.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { ensureBuild, ensureDependencies } from './lib/provision.mjs';
import { missingForRelease, readRelease } from './lib/release-check.mjs';
import { packRelease } from './lib/release-packages.mjs';
import { must, run } from './lib/run.mjs';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { 'dry-run': { type: 'boolean' }, root: { type: 'string' } },
});
const [version = ''] = positionals;
const release = readRelease(values.root);
const missing = missingForRelease(version, release);
const { output: changes } = await run('git', ['status', '--porcelain'], { capture: true });
if (changes.trim() !== '' && values['dry-run'] !== true)
  missing.push('the working tree has changes: commit them');

if (missing.length > 0) {
  console.error(`${version === '' ? 'a release' : version} cannot be published:`);
  for (const sentence of missing) console.error(`- ${sentence}`);
  process.exitCode = 1;
} else {
  await ensureDependencies();
  await ensureBuild();
  const folder = mkdtempSync(join(tmpdir(), 'op-sdk-publish-'));
  try {
    const { opsdk, create } = await packRelease({ folder, version, repository: release.manifest.repository });
    for (const tarball of [opsdk, create]) await checkPackage(tarball);
    if (process.exitCode !== 1) {
      for (const tarball of [opsdk, create]) await publish(tarball);
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Runs publint on a packed package: it names what Node, bundlers and TypeScript would stumble over. */
async function checkPackage(tarball) {
  const { publint } = await import('publint');
  const { formatMessage } = await import('publint/utils');
  const { buffer } = new Uint8Array(readFileSync(tarball));
  const { messages, pkg } = await publint({ pack: { tarball: buffer }, strict: true });
  for (const message of messages) {
    console.error(`${pkg.name}: ${formatMessage(message, pkg)}`);
    process.exitCode = 1;
  }
}

async function publish(tarball) {
  const args = ['publish', tarball, '--access', 'public'];
  if (values['dry-run'] === true) return console.log(`would run: npm ${args.join(' ')}`);
  await must('npm', args);
}
