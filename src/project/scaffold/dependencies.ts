import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { OpSdkError } from '../../base/errors/index.ts';
import { layout } from '../project/index.ts';
import { runCommand } from '../../base/util/exec.ts';
import { oldestNodeLine } from '../../base/util/node-version.ts';

/** The dependency of a new project on op-sdk, together with the package archive if it is stored in the project. */
interface OpsdkDependency {
  /** Version range or path as in package.json: `^1.2.0` or `file:.op-sdk/opsdk-1.2.0.tgz`. */
  readonly spec: string;
  readonly tarball?: { readonly path: string; readonly content: Uint8Array };
}

interface OpsdkDependencyOptions {
  /** The dependency that the user requested; it is used unchanged. If absent, the dependency is derived from the running package. */
  readonly requested?: string | undefined;
  /** The folder of the running op-sdk package. */
  readonly packageRoot: string;
  readonly name: string;
  readonly version: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly signal: AbortSignal;
}

/**
 * Returns the dependency of a new project on op-sdk. The requested dependency is used if given. Otherwise, if the running package was
 * installed from a registry, its version is used; if not, the running package itself is packed into the project.
 * @throws OpSdkError `scaffold/pack-failed`
 */
export async function opsdkDependency(options: OpsdkDependencyOptions): Promise<OpsdkDependency> {
  const { requested, packageRoot, name, version } = options;
  if (requested !== undefined) return { spec: requested };
  if (await isFromRegistry(packageRoot, name, version)) return { spec: `^${version}` };
  const path = layout.packedSdk(version);
  return { spec: `file:${path}`, tarball: { path, content: await pack(options) } };
}

/** Returns true if npm's record of the installed packages shows that this version came from a registry. */
async function isFromRegistry(packageRoot: string, name: string, version: string): Promise<boolean> {
  const modules = dirname(packageRoot.replace(/[\\/]$/, ''));
  if (basename(modules) !== 'node_modules') return false;
  const resolved = await readFile(join(modules, '.package-lock.json'), 'utf8').then(
    (text) => {
      const lock = JSON.parse(text) as { packages?: Record<string, { resolved?: string }> };
      return lock.packages?.[`node_modules/${name}`]?.resolved;
    },
    // Other package managers keep no such record. The result is false then, because packing the package works wherever it came from.
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
 * The versions of the development tools in a scaffolded package.json. op-sdk itself is built and tested with the same versions; a test
 * compares them with its package.json.
 */
export const toolVersions = {
  '@types/node': '^20.19.43',
  eslint: '^10.15.0',
  // This tool is added to a project with its first conversion.
  'fast-check': '^4.10.2',
  prettier: '^3.10.1',
  typescript: '~5.9.3',
  'typescript-eslint': '^8.73.0',
  vitest: '~4.1.12',
} as const;

/** The Node versions that scaffolded operators support. */
export const nodeEngine = `>=${oldestNodeLine}`;

/** The Node version of the scaffolded image. */
export const imageNode = '24';

/** Base image of the scaffolded image and of images that `op-sdk image build` makes. It contains Node without build tools. */
export const baseImage = `node:${imageNode}-slim`;

/** Folder, user and entrypoint of the operator in its image. They are the same in the scaffolded Dockerfile. */
export const operatorStart = {
  folder: '/app',
  user: '65532:65532',
  entrypoint: ['node', '--enable-source-maps', '/app/main.mjs'],
} as const;
