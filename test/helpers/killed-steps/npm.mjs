// Stands in for npm where nothing may be fetched: installs versions of op-sdk from folders, as npm leaves them, and runs no scripts.
// NPM_VERSIONS maps names of archives to folders of packages.
import { existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';

const [command, ...rest] = process.argv.slice(2);
// There is no compiler to run.
if (command === 'run') process.exit();
if (command !== 'install') throw new Error(`npm ${command} is unknown here`);
const named = rest.find((each, index) => !each.startsWith('-') && rest[index - 1] !== '--prefix');
const { dependencies } = JSON.parse(readFileSync('package.json', 'utf8'));
const spec = named ?? dependencies.opsdk;
const archive = spec.replace(/^file:/, '');
if (!existsSync(archive)) throw new Error(`${archive} does not exist`);
const folder = JSON.parse(process.env.NPM_VERSIONS)[basename(archive)];
const { version } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
mkdirSync('node_modules/.bin', { recursive: true });
for (const [link, target] of [
  ['node_modules/opsdk', folder],
  ['node_modules/.bin/op-sdk', '../opsdk/bin/op-sdk.js'],
]) {
  rmSync(link, { force: true });
  symlinkSync(target, link);
}
if (named === undefined) {
  const packages = { 'node_modules/opsdk': { version, resolved: spec } };
  writeFileSync('package-lock.json', `${JSON.stringify({ lockfileVersion: 3, packages }, null, 2)}\n`);
}
