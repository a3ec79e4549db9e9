import { createHash } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { gunzipSync, gzipSync } from 'node:zlib';
import { OpSdkError } from '../../base/errors/index.ts';
import { layout } from '../project/index.ts';
import { runCommand } from '../../base/util/exec.ts';
import { jsonMapOf } from '../../base/util/json-map.ts';
import { readTar } from '../../base/util/read-tar.ts';
import { tarBytes } from '../../base/util/write-tar.ts';

/** The dependency of a new project on op-sdk, together with the package archive if it is stored in the project. */
interface OpsdkDependency {
  /** Version range or path as in package.json: `^1.2.0` or `file:.op-sdk/opsdk-1.3.0-dev.local-3f2a9c81d0e2.tgz`. */
  readonly spec: string;
  readonly tarball?: { readonly path: string; readonly content: Uint8Array };
}

interface OpsdkDependencyOptions {
  /** The dependency that the user requested; it is used unchanged. If absent, the dependency is derived from the running package. */
  readonly requested?: string | undefined;
  /** The folder of the running op-sdk package. */
  readonly packageRoot: string;
  /** The version in the package.json of the running package. */
  readonly version: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly signal: AbortSignal;
}

/**
 * Returns the dependency of a new project on op-sdk. The requested dependency is used if given. Otherwise the version of the running
 * package decides: a release is in the registry, so the range `^1.2.0` names it. A prerelease may be in no registry, so the running package
 * itself is packed into the project, under a version of its own.
 * @throws OpSdkError `scaffold/pack-failed`
 */
export async function opsdkDependency(options: OpsdkDependencyOptions): Promise<OpsdkDependency> {
  const { requested, version } = options;
  if (requested !== undefined) return { spec: requested };
  if (!version.includes('-')) return { spec: `^${version}` };
  const local = await withLocalVersion(await pack(options), version);
  const path = layout.packedSdk(local.version);
  return { spec: `file:${path}`, tarball: { path, content: local.content } };
}

/** Matches the suffix that {@link withLocalVersion} adds to a version. */
const localSuffix = /\.local-[0-9a-f]{12}$/;

/**
 * Gives an npm archive a version made from its content: `1.3.0-dev` becomes `1.3.0-dev.local-3f2a9c81d0e2`. Package managers cache archives
 * by name and version, and would install an older archive of the same version.
 */
async function withLocalVersion(
  archive: Uint8Array,
  version: string,
): Promise<{ readonly version: string; readonly content: Uint8Array }> {
  const manifestPath = 'package/package.json';
  const files = new Map<string, Buffer>();
  for await (const member of readTar(Readable.from([gunzipSync(archive)]))) {
    if (member.type === 'file') files.set(member.path, await buffer(member.content()));
  }
  const manifest = jsonMapOf(JSON.parse(files.get(manifestPath)?.toString('utf8') ?? '{}'));
  const base = version.replace(localSuffix, '');
  const manifestWith = (own: string): Buffer =>
    Buffer.from(`${JSON.stringify({ ...manifest, version: own }, null, 2)}\n`);
  const archiveWith = (own: string): Buffer => {
    files.set(manifestPath, manifestWith(own));
    return tarBytes([...files].map(([path, content]) => ({ path, content, mode: modeOf(path) })));
  };
  const hash = createHash('sha256').update(archiveWith(base)).digest('hex');
  const own = `${base}.local-${hash.slice(0, 12)}`;
  return { version: own, content: gzipSync(archiveWith(own)) };
}

/** Commands are executable, as npm packs them. */
function modeOf(path: string): number {
  return path.startsWith('package/bin/') ? 0o755 : 0o644;
}

async function pack({ packageRoot, env, signal }: OpsdkDependencyOptions): Promise<Uint8Array> {
  const folder = await mkdtemp(join(tmpdir(), 'op-sdk-pack-'));
  try {
    const args = ['pack', '--ignore-scripts', '--loglevel=error', '--pack-destination', folder];
    const end = await runCommand('npm', args, { cwd: packageRoot, env, signal });
    const [archive] = await readdir(folder);
    if (end.exitCode === 0 && archive !== undefined) return await readFile(join(folder, archive));
    throw new OpSdkError({
      code: 'scaffold/pack-failed',
      message: `op-sdk cannot pack itself for the project: ${end.startError ?? reasonOf(end.output)}`,
      where: {
        command: `npm ${args.join(' ')}`,
        ...(end.exitCode === undefined ? {} : { exitCode: end.exitCode }),
      },
      fix: ['name the dependency with --opsdk, such as --opsdk file:../opsdk.tgz', 'install npm'],
    });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Returns the first lines of npm's output, without the path of its log. */
function reasonOf(output: string): string {
  const lines = output.split('\n').filter((line) => !/^\s*$|complete log of this run/.test(line));
  return lines.slice(0, 5).join('\n') || 'npm wrote no archive, and gave no reason';
}
