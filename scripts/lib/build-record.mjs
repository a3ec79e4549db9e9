// What dist/ was compiled from, so that it is not compiled twice. No dependencies: this runs before `npm ci` has.
import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { root } from './run.mjs';

const record = join(root, 'node_modules', '.cache', 'build.json');
const dist = join(root, 'dist');

/** The hash of everything that the compiler reads: sources, settings, and its own version by the lock file. */
export function sourceHash() {
  const sources = ['src', 'create-opsdk/src']
    .flatMap((folder) => readdirSync(join(root, folder), { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
  const settings = [
    'tsconfig.json',
    'tsconfig.build.json',
    'package-lock.json',
    'scripts/build.mjs',
    'scripts/lib/bundle-cli.mjs',
    'scripts/lib/direct-imports.mjs',
    'scripts/lib/strip-docs.mjs',
  ];
  const hash = createHash('sha256');
  for (const file of [...sources, ...settings.map((name) => join(root, name))])
    hash.update(file).update('\0').update(readFileSync(file)).update('\0');
  return hash.digest('hex');
}

/** Which folder dist/ is: a new one with every build. */
function distFolder() {
  const { ino, mtimeMs } = statSync(dist);
  return `${ino} ${mtimeMs}`;
}

/** Remembers that dist/ is what the sources with this hash give. */
export function recordBuild(hash) {
  mkdirSync(dirname(record), { recursive: true });
  writeFileSync(record, JSON.stringify({ hash, folder: distFolder() }));
}

export function forgetBuild() {
  rmSync(record, { force: true });
}

/** True if dist/ is what the sources give. */
export function isBuilt() {
  try {
    const { hash, folder } = JSON.parse(readFileSync(record, 'utf8'));
    return folder === distFolder() && hash === sourceHash();
  } catch {
    return false;
  }
}
