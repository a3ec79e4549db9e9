import { createHash, randomBytes } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import Module, { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { constants, Script } from 'node:vm';
import { crc32 } from 'node:zlib';
import { errnoOf } from './fs.ts';

/** Milliseconds after which compiled code that no process has written again is dropped. */
const keptFor = 30 * 24 * 60 * 60 * 1000;

let folder: string | undefined;

/**
 * From now on `requireCompiled` keeps what V8 compiles in a folder, which is made when something is written. Node 22 and later do so for all
 * modules (`module.enableCompileCache`): nothing happens there.
 */
export function keepCompiledCode(cacheFolder: string): void {
  if (!('enableCompileCache' in Module)) folder = cacheFolder;
}

/**
 * `require` for a large CommonJS file without `import()`: the code that V8 made of it, and of its functions that ran, is taken from the folder
 * of `keepCompiledCode`, and put there when this process ends. V8 refuses code of another version or other flags; then, and where the folder
 * cannot be used, the file is compiled as ever.
 *
 * @param file absolute, as `require.resolve` gives it
 */
export function requireCompiled(file: string): unknown {
  const load = createRequire(file);
  const loaded = load.cache[file];
  if (folder === undefined || loaded !== undefined) return load(file);
  const cached = cachedCode(folder, file);
  const script = new Script(Module.wrap(readFileSync(file, 'utf8')), {
    filename: file,
    importModuleDynamically: constants.USE_MAIN_CONTEXT_DEFAULT_LOADER,
    ...(cached.code === undefined ? {} : { cachedData: cached.code }),
  });
  const module = new Module(file);
  module.filename = file;
  load.cache[file] = module;
  try {
    const run = script.runInThisContext() as (...scope: unknown[]) => void;
    run.call(module.exports, module.exports, load, module, file, dirname(file));
  } catch (error) {
    Reflect.deleteProperty(load.cache, file);
    throw error;
  }
  module.loaded = true;
  if (cached.code === undefined || script.cachedDataRejected === true)
    process.once('exit', () => writeCode(cached.path, script.createCachedData()));
  return module.exports;
}

/** V8 compares the length of a source only: the file's own state is part of the name. */
function cachedCode(within: string, file: string): { readonly path: string; readonly code?: Buffer } {
  const { size, mtimeMs } = statSync(file);
  const state = [file, size, mtimeMs, process.version, process.arch].join('\0');
  const path = join(within, `${createHash('sha256').update(state).digest('hex').slice(0, 32)}.bin`);
  try {
    const bytes = readFileSync(path);
    const code = bytes.subarray(0, Math.max(0, bytes.length - sumLength));
    // The V8 of Node 20 dies of code that was damaged on the disk.
    return bytes.subarray(code.length).equals(sumOf(code)) ? { path, code } : { path };
  } catch (error) {
    ignoreSystem(error);
    return { path };
  }
}

const sumLength = 4;

/** The last bytes of the file: a checksum of the code before them. */
function sumOf(code: Buffer): Buffer {
  const sum = Buffer.alloc(sumLength);
  sum.writeUInt32BE(crc32(code));
  return sum;
}

/** Whole or not at all; a folder that cannot be written to, or a full disk, means that nothing is kept. */
function writeCode(path: string, code: Buffer): void {
  const draft = `${path}.${randomBytes(6).toString('hex')}.tmp`;
  try {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    try {
      writeFileSync(draft, Buffer.concat([code, sumOf(code)]), { mode: 0o600, flag: 'wx' });
      renameSync(draft, path);
    } catch (error) {
      rmSync(draft, { force: true });
      throw error;
    }
    dropOld(dirname(path));
  } catch (error) {
    ignoreSystem(error);
  }
}

function dropOld(within: string): void {
  for (const name of readdirSync(within)) {
    const path = join(within, name);
    const stats = statSync(path, { throwIfNoEntry: false });
    if (stats !== undefined && Date.now() - stats.mtimeMs > keptFor) rmSync(path, { force: true });
  }
}

/** Errors of the system disable the cache; any other error is a bug of ours and is thrown. */
function ignoreSystem(error: unknown): void {
  if (errnoOf(error) === undefined) throw error;
}
