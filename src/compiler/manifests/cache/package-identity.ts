import { createHash, type Hash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, extname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The rooms whose code decides what is generated. */
const rooms = [
  ...['base/errors', 'base/util', 'sdk/api', 'kubernetes/crd', 'kubernetes/tables', 'kubernetes/yaml'],
  ...['compiler/import', 'compiler/manifests', 'compiler/schema', 'compiler/source', 'project'],
];

/** The packages that decide with them. */
const packages = ['handlebars', 're2js', 'ts-json-schema-generator', 'typescript', 'yaml'];

const here = fileURLToPath(import.meta.url);
const source = resolve(here, '../../../..');
const root = dirname(source);

/** Where the build puts the command line, below dist/. */
const bundleFolder = 'op-sdk';

/**
 * Identifies the running generator: a hash of its code, its templates and the versions of its packages. Not the
 * version in package.json alone: a checkout that somebody works on, or a package that was packed again, has another generator under the same
 * version.
 *
 * @throws the error of the system if the package cannot read itself
 */
export function packageIdentity(): string {
  const hash = createHash('sha256').update(process.version);
  addFile(hash, join(root, 'package.json'));
  if (extname(here) === '.ts') for (const room of rooms) addFolder(hash, join(source, room), '.ts');
  else addBundle(hash, source);
  for (const set of ['generated', 'machine']) addFolder(hash, join(root, 'templates', set), '.hbs');
  const own = createRequire(import.meta.url);
  const generator = createRequire(own.resolve('ts-json-schema-generator'));
  for (const name of packages) {
    addFile(hash, packageFileOf((name === 'typescript' ? generator : own).resolve(name)));
  }
  return hash.digest('base64url');
}

/** All files of the bundle but the first are named by a hash of what they hold and import; tables are no part of it. */
function addBundle(hash: Hash, folder: string): void {
  const bundle = join(folder, bundleFolder);
  hash.update(readdirSync(bundle).sort().join('\0'));
  addFile(hash, join(bundle, 'start.js'));
  addFolder(hash, join(folder, 'kubernetes', 'tables', 'generated'), '.js');
}

function addFolder(hash: Hash, folder: string, extension: string): void {
  const entries = readdirSync(folder, { withFileTypes: true });
  for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) addFolder(hash, path, extension);
    else if (entry.name.endsWith(extension)) addFile(hash, path);
  }
}

function addFile(hash: Hash, file: string): void {
  const bytes = readFileSync(file);
  hash.update(`${file}\0${bytes.length}\0`).update(bytes);
}

/** The package.json above a file; not all packages let theirs be imported by name. */
function packageFileOf(file: string): string {
  let folder = dirname(file);
  while (!existsSync(join(folder, 'package.json')) && folder !== dirname(folder)) folder = dirname(folder);
  return join(folder, 'package.json');
}
