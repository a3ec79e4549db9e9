import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { open, rm } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import { OpSdkError } from '../../base/errors/index.ts';
import { readTar, type TarMember } from '../../base/util/read-tar.ts';
import { download } from '../../sdk/net/index.ts';
import { executable } from './binaries.ts';
import { WayFailed, type WayRequest } from './way.ts';

/** An archive, and the SHA-512 that it must have. */
interface Archive {
  readonly url: string;
  /** SHA-512 in hexadecimal. */
  readonly sha512: string;
  /** The place that names the SHA-512, for the error. */
  readonly source: string;
}

/**
 * Downloads a gzipped tar archive, checks its SHA-512, and only then extracts programs from it into `request.target`.
 * @param required names of the programs that the archive must contain, without `.exe`
 * @param optional names of those that are extracted too, if the archive contains them
 * @returns the programs that were extracted
 * @throws WayFailed if the archive cannot be downloaded or extracted, or lacks a required program
 * @throws OpSdkError testenv/checksum-mismatch
 */
export async function installFromArchive(
  { url, sha512, source }: Archive,
  request: WayRequest,
  required: readonly string[],
  optional: readonly string[] = [],
): Promise<readonly string[]> {
  request.progress(`downloading ${url}`);
  const file = join(request.work, 'archive.tar.gz');
  const hash = await downloadFile(url, file, request);
  if (hash !== sha512.toLowerCase()) {
    await rm(file);
    throw new OpSdkError({
      code: 'testenv/checksum-mismatch',
      message: `the SHA-512 of ${url} is ${hash}; ${source} says ${sha512.toLowerCase()}`,
      where: { file: url },
      fix: ['try again; if it happens again, look for a proxy or mirror that changes files'],
    });
  }
  const found = await extract(file, request.target, [...required, ...optional]).catch((error: unknown) => {
    throw new WayFailed(`${url} cannot be extracted: ${(error as Error).message}`);
  });
  await rm(file);
  const missing = required.filter((program) => !found.includes(program));
  if (missing.length > 0) throw new WayFailed(`${url} holds no ${missing.join(', ')}`);
  return found;
}

async function extract(
  file: string,
  target: string,
  programs: readonly string[],
): Promise<readonly string[]> {
  const source = createReadStream(file);
  const unzip = createGunzip();
  source.on('error', (error) => unzip.destroy(error));
  try {
    const found = await untar(source.pipe(unzip), target, new Set(programs.map(executable)));
    return programs.filter((program) => found.has(executable(program)));
  } finally {
    // Stop the download and the decompression at the end of the archive or after a failure, because nothing reads their data any more.
    source.destroy();
    unzip.destroy();
  }
}

const systems: Readonly<Record<string, string>> = { linux: 'linux', darwin: 'darwin', win32: 'windows' };
const architectures: Readonly<Record<string, string>> = {
  x64: 'amd64',
  arm64: 'arm64',
  ppc64: 'ppc64le',
  s390x: 's390x',
};

/** Returns this machine's platform in Go's notation, such as `linux-amd64`. */
export function goPlatform(): string {
  const system = systems[process.platform] ?? process.platform;
  return `${system}-${architectures[process.arch] ?? process.arch}`;
}

/** Milliseconds between two progress lines of a download. */
const progressInterval = 10_000;

/** Limits in milliseconds: for establishing a connection, and for the time without a received byte. */
const timeouts = { connectTimeout: 8_000, idleTimeout: 30_000 };

/**
 * Downloads a file, using the proxies that the environment sets.
 * @returns the SHA-512 of the written bytes, in lower-case hexadecimal
 * @throws WayFailed with the reason if the download fails; the reason of the signal if the signal is aborted
 */
export async function downloadFile(
  url: string,
  file: string,
  { signal, progress }: Pick<WayRequest, 'signal' | 'progress'>,
): Promise<string> {
  const hash = createHash('sha512');
  const stop = signal ?? new AbortController().signal;
  let received = 0;
  const timer = setInterval(
    () => progress(`downloading ${url}: ${Math.round(received / 1e6)} MB`),
    progressInterval,
  );
  try {
    const { env } = process;
    const chunks = download(new URL(url), { env, signal: stop, userAgent: 'op-sdk', ...timeouts });
    const observe = async function* (): AsyncGenerator<Uint8Array> {
      for await (const chunk of chunks) {
        hash.update(chunk);
        received += chunk.length;
        yield chunk;
      }
    };
    await pipeline(observe, createWriteStream(file), { signal: stop });
    return hash.digest('hex');
  } catch (error) {
    stop.throwIfAborted();
    throw new WayFailed(`${url}: ${error instanceof Error ? error.message : String(error)}`);
  } finally {
    clearInterval(timer);
  }
}

/**
 * Extracts the wanted files of a tar stream into a folder, as executables. The folders inside the archive are ignored.
 * @param wanted base names of the files
 * @returns the base names that were found
 * @throws Error if the stream is not a tar archive or ends too early
 */
export async function untar(
  stream: AsyncIterable<Uint8Array>,
  folder: string,
  wanted: ReadonlySet<string>,
): Promise<ReadonlySet<string>> {
  const found = new Set<string>();
  for await (const member of readTar(stream)) {
    const name = basename(member.path);
    if (member.type !== 'file' || !wanted.has(name)) continue;
    await writeExecutable(join(folder, name), member);
    found.add(name);
  }
  return found;
}

async function writeExecutable(path: string, member: TarMember): Promise<void> {
  const file = await open(path, 'wx', 0o755);
  try {
    // `write` is not used, because it may write only a part of the chunk, for example when the disk is nearly full.
    for await (const chunk of member.content()) await file.writeFile(chunk);
  } finally {
    await file.close();
  }
}
