import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { OpSdkError } from '../../base/errors/index.ts';
import { layout } from '../project/index.ts';
import { runCommand } from '../../base/util/exec.ts';
import { oldestNodeLine } from '../../base/util/node-version.ts';

/** The dependency of a new project on op-sdk, and the archive if it is part of the project. */
interface OpsdkDependency {
  /** Version range or path as in package.json: `^1.2.0` or `file:.op-sdk/opsdk-1.2.0.tgz`. */
  readonly spec: string;
  readonly tarball?: { readonly path: string; readonly content: Uint8Array };
}

interface OpsdkDependencyOptions {
  /** The dependency that the user requested, used unchanged. Default: derived from the running package. */
  readonly requested?: string | undefined;
  /** The folder of the running package. */
  readonly packageRoot: string;
  readonly name: string;
  readonly version: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly signal: AbortSignal;
}

/**
 * Returns the dependency of a new project on op-sdk: the requested one; else the version of the running package if it was installed from a
 * registry; else the running package itself, packed into the project.
 * @throws OpSdkError `scaffold/pack-failed`
 */
export async function opsdkDependency(options: OpsdkDependencyOptions): Promise<OpsdkDependency> {
  const { requested, packageRoot, name, version } = options;
  if (requested !== undefined) return { spec: requested };
  if (await isFromRegistry(packageRoot, name, version)) return { spec: `^${version}` };
  const path = layout.packedSdk(version);
  return { spec: `file:${path}`, tarball: { path, content: await pack(options) } };
}

/** True if npm's record of the installed packages names a registry's archive of this version. */
async function isFromRegistry(packageRoot: string, name: string, version: string): Promise<boolean> {
  const modules = dirname(packageRoot.replace(/[\\/]$/, ''));
  if (basename(modules) !== 'node_modules') return false;
  const resolved = await readFile(join(modules, '.package-lock.json'), 'utf8').then(
    (text) => {
      const lock = JSON.parse(text) as { packages?: Record<string, { resolved?: string }> };
      return lock.packages?.[`node_modules/${name}`]?.resolved;
    },
    // Other package managers keep no such record; packing the package is right for every origin.
    () => undefined,
  );
  return (
    resolved !== undefined &&
    /^https?:/.test(resolved) &&
    resolved.endsWith(`/${name}/-/${name}-${version}.tgz`)
  );
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

/**
 * The versions of the development tools in a scaffolded package.json: those that op-sdk itself is built and tested with.
 * A test compares them with our own package.json.
 */
export const toolVersions = {
  '@types/node': '^20.19.43',
  eslint: '^10.15.0',
  // Added with the first conversion.
  'fast-check': '^4.10.2',
  prettier: '^3.10.1',
  typescript: '~5.9.3',
  'typescript-eslint': '^8.73.0',
  vitest: '~4.1.12',
} as const;

/** The Node versions that scaffolded operators support. */
export const nodeEngine = `>=${oldestNodeLine}`;

/** The Node of the scaffolded image. */
export const imageNode = '24';

/** Base of the scaffolded image and of images that `op-sdk image build` makes: Node without build tools. */
export const baseImage = `node:${imageNode}-slim`;

/** Folder, user and entrypoint of the operator in its image: the same as in the scaffolded Dockerfile. */
export const operatorStart = {
  folder: '/app',
  user: '65532:65532',
  entrypoint: ['node', '--enable-source-maps', '/app/main.mjs'],
} as const;
