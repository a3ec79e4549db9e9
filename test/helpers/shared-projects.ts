// Projects of the packed tarball, made once a run by the documented commands and copied by every test that starts from one.
import { cpSync, existsSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { inject } from 'vitest';
import { nginxProjectSteps } from '../../scripts/lib/nginx-project.mjs';
import { withLock } from '../../src/base/util/with-lock.ts';
import { npmSettings } from './npm-settings.ts';
import { restrictedPath } from './restricted-path.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    /** A folder of this run, with the package that is tested. */
    packed?: { readonly folder: string; readonly tarball: string };
  }
}

/** Copies the project as `opsdk init` of the tarball left it, dependencies installed. */
export async function copyFreshProject(to: string): Promise<void> {
  copyProject(await freshProject(), to);
}

/** Copies the nginx operator of the tutorial: types, controller and asset in their places, manifests generated, bundled. */
export async function copyNginxProject(to: string): Promise<void> {
  copyProject(await nginxProject(), to);
}

/** Gives a project the dependencies of a fresh one, op-sdk among them: those that `init` wrote into its package.json. */
export async function linkDependencies(project: string): Promise<void> {
  symlinkSync(join(await freshProject(), 'node_modules'), join(project, 'node_modules'));
}

/** Copies a project without what is installed, which copies share. */
export function copyProject(from: string, to: string): void {
  mkdirSync(dirname(to), { recursive: true });
  cpSync(from, to, { recursive: true, filter: (path) => basename(path) !== 'node_modules' });
  symlinkSync(join(from, 'node_modules'), join(to, 'node_modules'));
}

/** The environment in which they are made: Node is the only tool, and the home is empty but for npm's cache. */
async function environment(home: string): Promise<NodeJS.ProcessEnv> {
  mkdirSync(home, { recursive: true });
  return {
    PATH: restrictedPath(join(home, 'bin')),
    HOME: home,
    ...(await npmSettings()),
    npm_config_update_notifier: 'false',
    npm_config_loglevel: 'error',
  };
}

const freshProject = (): Promise<string> =>
  onlyOnce('fresh', async (folder, env) => {
    const [init] = nginxProjectSteps({ folder, tarball: packed().tarball, env, quiet: true });
    await init?.action();
  });

async function nginxProject(): Promise<string> {
  const fresh = await freshProject();
  return onlyOnce('nginx', async (folder, env) => {
    copyProject(fresh, folder);
    const [, ...steps] = nginxProjectSteps({ folder, tarball: packed().tarball, env, quiet: true });
    for (const { action } of steps) await action();
  });
}

function packed(): { readonly folder: string; readonly tarball: string } {
  const given = inject('packed');
  if (given === undefined) throw new Error('no packed package: run these tests with --project e2e');
  return given;
}

/** Several test files may ask at once: one makes the project, the others wait for it. */
async function onlyOnce(
  name: string,
  make: (folder: string, env: NodeJS.ProcessEnv) => Promise<void>,
): Promise<string> {
  const home = join(packed().folder, name);
  const folder = join(home, 'nginx-operator');
  const done = join(home, 'done');
  mkdirSync(home, { recursive: true });
  await withLock(join(home, 'lock'), {}, async () => {
    if (existsSync(done)) return;
    // Of an attempt that failed.
    for (const path of [folder, join(home, 'bin')]) rmSync(path, { recursive: true, force: true });
    await make(folder, await environment(home));
    writeFileSync(done, '');
  });
  return folder;
}

/** Returns the sample of a version of the tutorial's kind. @param ports entry of its spec */
export function nginxSample(version: string, ports: string): string {
  return `apiVersion: operator.example.com/${version}
kind: NginxOperator
metadata:
  name: nginxoperator-${version}
spec:
  replicas: 1
  ${ports}
`;
}
