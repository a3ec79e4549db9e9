// The first minutes with each package manager: `init` from a registry or from a tarball, a first kind, and every script of the project.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, inject, test } from 'vitest';
import { managerMachine, managers, type ManagerName } from '../helpers/package-manager.ts';
import { isThorough } from '../helpers/thorough.ts';

const sources = ['registry', 'tarball'] as const;

/** A thorough run tries all pairs; elsewhere two, of the managers that differ most from npm, which all other tests use. */
const pairs = (Object.keys(managers) as ManagerName[])
  .flatMap((name) => sources.map((source) => ({ name, source })))
  .filter(
    ({ name, source }) =>
      isThorough ||
      (name === 'pnpm' && source === 'registry') ||
      (name === 'yarn with Plug’n’Play' && source === 'tarball'),
  );

test.concurrent.each(pairs)(
  '$name, op-sdk from a $source',
  { timeout: 900_000 },
  async ({ name, source }) => {
    const { tarball } = inject('managers') ?? expect.fail('run with --project managers');
    const { commands, project, run } = await managerMachine(name, source);
    const packed = source === 'tarball' ? tarball : undefined;
    const talk = await run(commands.download(packed), 'init', '--domain', 'example.com');
    const { dependencies } = JSON.parse(readFileSync(join(project, 'package.json'), 'utf8')) as {
      dependencies: { opsdk: string };
    };
    expect(dependencies.opsdk).toMatch(
      source === 'registry' ? /^\^\d+\.\d+\.\d+$/ : /^file:\.op-sdk\/opsdk-.*\.local-[0-9a-f]{12}\.tgz$/,
    );
    // After the files come the words of the installation: a newcomer has nothing to decide about install scripts.
    expect(talk.slice(talk.indexOf('create  package.json'))).not.toMatch(
      /not yet covered|approve|have been disabled|Ignored build/i,
    );
    const opSdk = (...args: string[]) => run([...commands.exec, 'op-sdk'], ...args);
    await opSdk('create', 'api', '--group', 'cache', '--version', 'v1alpha1', '--kind', 'Memcached');
    if (source === 'registry') await run(commands.script, 'lint');
    for (const script of ['typecheck', 'test', 'build']) await run(commands.script, script);
    expect(existsSync(join(project, 'dist/main.mjs'))).toBe(true);
    await opSdk('generate', 'manifests', '--check');
    await opSdk('doctor');
    await run(['make'], 'test', 'build-installer');
    expect(readFileSync(join(project, 'dist/install.yaml'), 'utf8')).toContain('kind: Deployment');
  },
);
