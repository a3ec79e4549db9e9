import { createHash, type Hash, randomBytes } from 'node:crypto';
import { join, dirname, extname, resolve } from 'node:path';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { mkdir, readdir, rename, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { observe, stillHolds, type Observations, type FileView } from '../../../base/util/observe-files.ts';
import { errnoOf } from '../../../base/util/fs.ts';

interface CacheRequest<T> {
  /** Folder in which the entries of the cache are stored. */
  readonly folder: string;
  /**
   * Everything that affects the result, except for the files and the generator: the folder of the project and all options. Must be plain
   * JSON.
   */
  readonly key: unknown;
  /**
   * Generates the result, which must be plain JSON. The function may access the file system only through `files`, so that the cache can
   * record what it reads.
   */
  readonly make: (files: FileView) => Promise<T>;
  /** Identity of the generator, which changes with its code. Default: the identity of the running package. */
  readonly identity?: string;
}

/**
 * Returns the stored result of a former run if the generator, the options, and everything that this run read from the file system are
 * unchanged. If not, generates a new result and stores it. Failed runs are not stored.
 *
 * Several processes may use the cache at the same time. Entries are written atomically, and the entry that is written last is kept.
 *
 * @throws any error that `make` throws
 */
export async function throughCache<T>(request: CacheRequest<T>): Promise<T> {
  const { folder } = request;
  const key = JSON.stringify(request.key);
  const identity = request.identity ?? packageIdentity();
  const name = `${createHash('sha256').update(key).digest('hex').slice(0, 32)}.entry`;
  const file = join(folder, name);
  const entry = readEntry(readEntryFile(file) ?? '');
  if (entry?.identity === identity && entry.key === key && stillHolds(entry.observations)) {
    await noteUse(file);
    return entry.value as T;
  }
  const observed = observe();
  const value = await request.make(observed.view);
  const seen = observed.observations();
  if (seen !== undefined) {
    await writeEntryFile(folder, name, writeEntry({ identity, key, observations: seen, value }));
  }
  return value;
}

/** Cache entry of one run. */
export interface CacheEntry {
  /** Identity of the generator that made the result. */
  readonly identity: string;
  /** Key of the request, as JSON text. */
  readonly key: string;
  /** Everything that the run observed in the file system. */
  readonly observations: Observations;
  /** Result of the run, as plain JSON. */
  readonly value: unknown;
}

const signature = 'op-sdk-manifests 1';

/** The text of a file that holds an entry. */
export function writeEntry(entry: CacheEntry): string {
  const body = JSON.stringify(entry);
  return `${signature} ${checksum(body)}\n${body}`;
}

/**
 * Parses an entry. Returns undefined if the text differs in any character from the written text, or if another version of op-sdk wrote it.
 */
export function readEntry(text: string): CacheEntry | undefined {
  const end = text.indexOf('\n');
  const body = text.slice(end + 1);
  if (end < 0 || text.slice(0, end) !== `${signature} ${checksum(body)}`) return undefined;
  return JSON.parse(body) as CacheEntry;
}

function checksum(body: string): string {
  return createHash('sha256').update(body).digest('base64url');
}

/** Rooms (source folders of op-sdk) whose code affects the generated output. */
const rooms = [
  ...['base/errors', 'base/util', 'sdk/api', 'kubernetes/crd', 'kubernetes/tables', 'kubernetes/yaml'],
  ...['compiler/import', 'compiler/manifests', 'compiler/schema', 'compiler/source', 'project'],
];

/** Packages on which the generated output depends. */
const packages = ['handlebars', 're2js', 'ts-json-schema-generator', 'typescript', 'yaml'];

const here = fileURLToPath(import.meta.url);
const source = resolve(here, '../../../..');
const root = dirname(source);

/** Folder below `dist/` into which the build writes the bundle of the command line. */
const bundleFolder = 'op-sdk';

/**
 * Returns the identity of the running generator: a hash of its code, its templates and the versions of its packages. The version in
 * package.json is not sufficient, because a checkout under development, or a package that was packed again, may have a different generator
 * with the same version.
 *
 * @throws the error of the system if the files of the package cannot be read
 */
function packageIdentity(): string {
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

/**
 * Adds the bundle to a hash. All files except the first have a hash of their content and imports in their names, so the names suffice. The
 * tables are separate files.
 */
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

/** Returns the nearest package.json above a file. Not all packages export their package.json. */
function packageFileOf(file: string): string {
  let folder = dirname(file);
  while (!existsSync(join(folder, 'package.json')) && folder !== dirname(folder)) folder = dirname(folder);
  return join(folder, 'package.json');
}

/** Maximum number of entries in the cache. If there are more, the least recently used entries are deleted. */
const maxEntries = 64;
/** Maximum size of all entries together, in bytes. */
const maxBytes = 256 * 1024 * 1024;
/** Age in milliseconds from which a partly written file is deleted, because the process that wrote it has certainly ended. */
const abandonedAfter = 60 * 60 * 1000;
/** Minimum time between two updates of an entry's last use, in milliseconds. */
const noteEvery = 60 * 60 * 1000;

/** Reads the text of an entry. Returns undefined if the file does not exist or cannot be read. */
function readEntryFile(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    return ignoreSystem(error);
  }
}

/**
 * Writes an entry atomically and deletes old entries. If the folder is not writable or the disk is full, the entry is not stored, but the
 * run still succeeds.
 */
async function writeEntryFile(folder: string, name: string, text: string): Promise<void> {
  const draft = join(folder, `${name}.${randomBytes(6).toString('hex')}.tmp`);
  try {
    await mkdir(folder, { recursive: true });
    try {
      await writeFile(draft, text, { mode: 0o600, flag: 'wx' });
      await rename(draft, join(folder, name));
    } catch (error) {
      await rm(draft, { force: true });
      throw error;
    }
    await dropOld(folder, name);
  } catch (error) {
    ignoreSystem(error);
  }
}

/** Records that an entry is used now, so that it is not deleted as one of the least recently used. */
async function noteUse(file: string): Promise<void> {
  try {
    const now = new Date();
    if (now.getTime() - (await stat(file)).mtimeMs > noteEvery) await utimes(file, now, now);
  } catch (error) {
    ignoreSystem(error);
  }
}

async function dropOld(folder: string, kept: string): Promise<void> {
  const files = await Promise.all(
    (await readdir(folder)).map(async (name) => {
      const path = join(folder, name);
      // Another process may have deleted the file since the folder was read.
      const stats = await stat(path).catch(ignoreSystem);
      return { name, path, size: stats?.size ?? 0, time: stats?.mtimeMs ?? 0 };
    }),
  );
  const now = Date.now();
  const abandoned = files.filter(({ name, time }) => name.endsWith('.tmp') && now - time > abandonedAfter);
  const entries = files
    .filter(({ name }) => name.endsWith('.entry'))
    .sort((a, b) => Number(b.name === kept) - Number(a.name === kept) || b.time - a.time);
  let bytes = 0;
  const surplus = entries.filter(({ size }, index) => {
    bytes += size;
    return index > 0 && (index >= maxEntries || bytes > maxBytes);
  });
  await Promise.all([...abandoned, ...surplus].map(({ path }) => rm(path, { force: true })));
}

/** Ignores errors of the system, because they only make the cache unusable. Throws any other error, because it is a bug of op-sdk. */
function ignoreSystem(error: unknown): undefined {
  if (errnoOf(error) === undefined) throw error;
  return undefined;
}
