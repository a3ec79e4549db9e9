import { createHash, randomBytes } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import Module, { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { constants, Script } from 'node:vm';
import { crc32 } from 'node:zlib';
import { errnoOf } from './fs.ts';

/** Milliseconds after which a file of compiled code is deleted if no process has rewritten it. */
const keptFor = 30 * 24 * 60 * 60 * 1000;

let folder: string | undefined;

/**
 * Makes `requireCompiled` cache compiled code in a folder, which is created when the first file is written. Does nothing on Node versions
 * that cache all modules (`module.enableCompileCache`, Node 22 and later).
 */
export function keepCompiledCode(cacheFolder: string): void {
  if (!('enableCompileCache' in Module)) folder = cacheFolder;
}

/**
 * Loads a large CommonJS file without `import()`, as `require` does. Reads V8's compiled code, including that of the functions that ran,
 * from the folder of `keepCompiledCode`, and writes it there when this process ends. If V8 rejects the code (other version or flags) or the
 * folder cannot be used, the file is compiled as usual.
 *
 * @param file absolute path, as returned by `require.resolve`
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

/**
 * Returns path and content of the cached code. V8 compares only the length of a source, so the name of the cache file depends on the size
 * and the modification time of the source.
 */
function cachedCode(within: string, file: string): { readonly path: string; readonly code?: Buffer } {
  const { size, mtimeMs } = statSync(file);
  const state = [file, size, mtimeMs, process.version, process.arch].join('\0');
  const path = join(within, `${createHash('sha256').update(state).digest('hex').slice(0, 32)}.bin`);
  try {
    const bytes = readFileSync(path);
    const code = bytes.subarray(0, Math.max(0, bytes.length - sumLength));
    // Compare the checksum first, because the V8 of Node 20 crashes on damaged code.
    return bytes.subarray(code.length).equals(sumOf(code)) ? { path, code } : { path };
  } catch (error) {
    ignoreSystem(error);
    return { path };
  }
}

const sumLength = 4;

/** Returns the checksum of compiled code. It forms the last bytes of the cache file, after the code. */
function sumOf(code: Buffer): Buffer {
  const sum = Buffer.alloc(sumLength);
  sum.writeUInt32BE(crc32(code));
  return sum;
}

/** Writes a cache file completely or not at all. If the folder is read-only or the disk is full, nothing is written. */
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

/** Ignores errors of the operating system, which only disable the cache. Throws any other error, because it is a bug of op-sdk. */
function ignoreSystem(error: unknown): void {
  if (errnoOf(error) === undefined) throw error;
}
