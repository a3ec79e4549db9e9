import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { root } from '../../../scripts/lib/run.mjs';
import type { ClusterBed } from './cluster-bed.ts';

/** How a command ended. */
export interface CommandEnd {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** An operator as a project of this checkout's op-sdk. */
export interface OperatorProject extends Disposable {
  readonly folder: string;
  /** The namespace that `deploy` creates. */
  readonly namespace: string;
  /** Runs a command that must succeed. @returns its standard output */
  opSdk(...args: readonly string[]): Promise<string>;
  /** Runs a command, however it ends. */
  try(...args: readonly string[]): Promise<CommandEnd>;
  /** Builds the operator's image, and pushes it to the bed's registry. @returns its name */
  pushImage(tag: string): Promise<string>;
}

/** The kind of {@link createNginxProject}. */
export const nginxKind = ['--group', 'operator', '--version', 'v1alpha1', '--kind', 'NginxOperator'];

/** Scaffolds the nginx operator of the tutorial by the documented commands, with the tutorial's types and controller. */
export async function createNginxProject(bed: ClusterBed, name = 'nginx-operator'): Promise<OperatorProject> {
  const project = openProject(bed, name);
  try {
    linkPackage(project.folder, 'opsdk', root);
    const repository = ['--repo', `github.com/example/${name}`, '--opsdk', '^0.1.0', '--skip-install'];
    await project.opSdk('init', '--domain', 'example.com', ...repository);
    await project.opSdk('create', 'api', ...nginxKind, '--resource', '--controller');
    cpSync(join(root, 'examples', 'nginx-operator'), project.folder, { recursive: true });
    await project.opSdk('generate', 'manifests');
  } catch (error) {
    project[Symbol.dispose]();
    throw error;
  }
  return project;
}

/** Copies an example that is a project of its own. @param name of its folder in `examples` */
export function createExampleProject(bed: ClusterBed, name: string): OperatorProject {
  const project = openProject(bed, name);
  const isSource = (path: string): boolean => !/\/(node_modules|dist)$/.test(path);
  cpSync(join(root, 'examples', name), project.folder, { recursive: true, filter: isSource });
  const { dependencies } = JSON.parse(readFileSync(join(project.folder, 'package.json'), 'utf8')) as {
    readonly dependencies: Readonly<Record<string, string>>;
  };
  for (const dependency of Object.keys(dependencies))
    linkPackage(
      project.folder,
      dependency,
      dependency === 'opsdk' ? root : join(root, 'node_modules', dependency),
    );
  return project;
}

/** Makes an empty folder for a project. */
function openProject(bed: ClusterBed, name: string): OperatorProject {
  const scratch = mkdtempSync(join(tmpdir(), 'op-sdk-project-'));
  const folder = join(scratch, name);
  mkdirSync(folder);
  const env = { PATH: process.env['PATH'], HOME: scratch, KUBECONFIG: bed.kubeconfig };
  const project: OperatorProject = {
    folder,
    namespace: `${name}-system`,
    async opSdk(...args) {
      const { code, stdout, stderr } = await project.try(...args);
      if (code !== 0)
        throw new Error(`op-sdk ${args.join(' ')} ended with exit code ${code}\n${stdout}${stderr}`);
      return stdout;
    },
    try: (...args) => runOpSdk(folder, env, args),
    async pushImage(tag) {
      const image = `${bed.registry}/team/${name}:${tag}`;
      await project.opSdk('image', 'build', '--tag', image, '--base', bed.base, '--push');
      return image;
    },
    [Symbol.dispose]: () => rmSync(scratch, { recursive: true, force: true }),
  };
  return project;
}

function linkPackage(folder: string, name: string, target: string): void {
  const link = join(folder, 'node_modules', name);
  mkdirSync(dirname(link), { recursive: true });
  symlinkSync(target, link);
}

async function runOpSdk(cwd: string, env: NodeJS.ProcessEnv, args: readonly string[]): Promise<CommandEnd> {
  const child = spawn(process.execPath, [join(root, 'bin', 'op-sdk.js'), ...args], {
    cwd,
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let stdout = '';
  let stderr = '';
  child.stdout.setEncoding('utf8').on('data', (part: string) => (stdout += part));
  child.stderr.setEncoding('utf8').on('data', (part: string) => (stderr += part));
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, stdout, stderr };
}
