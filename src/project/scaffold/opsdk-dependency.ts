import { createHash } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join, posix, resolve } from 'node:path';
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
  const local = archiveOf(await packageFiles(options), version);
  const path = layout.packedSdk(local.version);
  return { spec: `file:${path}`, tarball: { path, content: local.content } };
}

/** The files of a package, by their paths in it: `bin/op-sdk.js`. */
type PackageFiles = ReadonlyMap<string, Uint8Array>;

/** Matches the suffix that {@link archiveOf} adds to a version. */
const localSuffix = /\.local-[0-9a-f]{12}$/;

/**
 * Makes an npm archive whose version depends on its content: `1.3.0-dev` becomes `1.3.0-dev.local-3f2a9c81d0e2`. Package managers cache
 * archives by name and version, and would install an older archive of the same version.
 */
function archiveOf(
  files: PackageFiles,
  version: string,
): { readonly version: string; readonly content: Uint8Array } {
  const manifest = jsonMapOf(JSON.parse(Buffer.from(files.get('package.json') ?? '{}').toString('utf8')));
  const base = version.replace(localSuffix, '');
  const archiveWith = (own: string): Buffer => {
    const text = `${JSON.stringify({ ...manifest, version: own }, null, 2)}\n`;
    const entries = [...files, ['package.json', Buffer.from(text)] as const];
    return tarBytes(
      [...new Map(entries)].map(([path, content]) => ({
        path: `package/${path}`,
        content,
        mode: modeOf(path),
      })),
    );
  };
  const hash = createHash('sha256').update(archiveWith(base)).digest('hex');
  const own = `${base}.local-${hash.slice(0, 12)}`;
  return { version: own, content: gzipSync(archiveWith(own)) };
}

/** Files in `bin` are executable, as npm packs them. */
function modeOf(path: string): number {
  return path.startsWith('bin/') ? 0o755 : 0o644;
}

/**
 * Returns the files of the running op-sdk package. An installed package contains exactly these files. A checkout of op-sdk contains other
 * files too, so npm selects the files that belong to the package.
 */
async function packageFiles(options: OpsdkDependencyOptions): Promise<PackageFiles> {
  const { packageRoot } = options;
  const isInstalled = basename(dirname(resolve(packageRoot))) === 'node_modules';
  return isInstalled ? filesIn(packageRoot) : packedFiles(options);
}

/**
 * Reads the files of an installed package, without the dependencies that are nested in it. Uses only file functions that Yarn's Plug'n'Play
 * replaces, because Plug'n'Play keeps packages in zip files.
 */
async function filesIn(packageRoot: string): Promise<PackageFiles> {
  const files = new Map<string, Uint8Array>();
  const folders = [''];
  for (const folder of folders) {
    for (const entry of await readdir(join(packageRoot, folder), { withFileTypes: true })) {
      const path = posix.join(folder, entry.name);
      if (entry.isDirectory()) {
        if (path !== 'node_modules') folders.push(path);
      } else files.set(path, await readFile(join(packageRoot, path)));
    }
  }
  return files;
}

/** Packs the package with npm, and reads the files from the archive. */
async function packedFiles({ packageRoot, env, signal }: OpsdkDependencyOptions): Promise<PackageFiles> {
  const folder = await mkdtemp(join(tmpdir(), 'op-sdk-pack-'));
  try {
    const args = ['pack', '--ignore-scripts', '--loglevel=error', '--pack-destination', folder];
    const end = await runCommand('npm', args, { cwd: packageRoot, env, signal });
    const [archive] = await readdir(folder);
    if (end.exitCode !== 0 || archive === undefined)
      throw new OpSdkError({
        code: 'scaffold/pack-failed',
        message: `op-sdk cannot pack itself for the project: ${end.startError ?? reasonOf(end.output)}`,
        where: {
          command: `npm ${args.join(' ')}`,
          ...(end.exitCode === undefined ? {} : { exitCode: end.exitCode }),
        },
        fix: ['name the dependency with --opsdk, such as --opsdk file:../opsdk.tgz', 'install npm'],
      });
    const files = new Map<string, Uint8Array>();
    for await (const member of readTar(Readable.from([gunzipSync(await readFile(join(folder, archive)))]))) {
      if (member.type === 'file')
        files.set(member.path.replace(/^package\//, ''), await buffer(member.content()));
    }
    return files;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Returns the first lines of npm's output, without the path of its log. */
function reasonOf(output: string): string {
  const lines = output.split('\n').filter((line) => !/^\s*$|complete log of this run/.test(line));
  return lines.slice(0, 5).join('\n') || 'npm wrote no archive, and gave no reason';
}
