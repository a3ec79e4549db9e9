// The scaffolded Makefile, with nothing on the PATH but make, sh and coreutils: its help, and the commands behind each target.
import { execFile, spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { runCli } from '../../helpers/run-cli.ts';

/** Every target but `all`, which people reach by saying nothing. */
const targets = [
  ...['help', 'manifests', 'generate', 'fmt', 'vet', 'lint', 'test', 'test-integration'],
  ...['build', 'run', 'dev', 'docker-build', 'docker-push', 'build-installer'],
  ...['install', 'uninstall', 'deploy', 'undeploy', 'bundle', 'bundle-build', 'bundle-push'],
  ...['helm', 'helm-package', 'helm-push'],
];

let scratch = '';
let project = '';
let tools = '';

beforeAll(async () => {
  scratch = mkdtempSync(join(tmpdir(), 'op-sdk-make-'));
  tools = join(scratch, 'tools');
  // A blank in the path: the targets must quote it.
  project = join(scratch, 'cache operator');
  mkdirSync(tools);
  mkdirSync(project);
  for (const tool of ['make', 'sh', 'cat', 'test', 'echo', 'printf']) linkTool(tool);
  const init = ['init', '--domain', 'example.com', '--skip-install', '--opsdk', '^0.1.0'];
  const run = await runCli(init, { cwd: project });
  expect(run.code, run.stderr).toBe(0);
});

afterAll(() => rmSync(scratch, { recursive: true, force: true }));

function linkTool(name: string): void {
  const folders = (process.env['PATH'] ?? '').split(delimiter);
  const found = folders.map((folder) => join(folder, name)).find((file) => existsSync(file));
  if (found === undefined) throw new Error(`there is no ${name} on the PATH: install it to run this test`);
  symlinkSync(found, join(tools, name));
}

/** What make says; in the golden files the folder of the project is `.`. */
async function make(...args: readonly string[]): Promise<string> {
  const { stdout } = await promisify(execFile)('make', [...args], { cwd: project, env: { PATH: tools } });
  return stdout.replaceAll(project, '.');
}

/** The commands behind a target, without those of the targets that it depends on. */
async function commandsOf(target: string, ...variables: readonly string[]): Promise<string> {
  const all = await make('--dry-run', target, ...variables);
  const lines = all
    .split('\n')
    .filter((line) => !/^(test -x|npm run (generate|format|typecheck|test)$)/.test(line));
  return lines.join('\n').trim();
}

/** Stands for op-sdk and npm: writes down how it was called. */
function fakeTool(file: string): void {
  mkdirSync(join(file, '..'), { recursive: true });
  writeFileSync(file, '#!/bin/sh\nprintf "%s:" "${0##*/}"\nprintf " [%s]" "$@"\necho\n');
  chmodSync(file, 0o755);
}

test('make help', async () => {
  await expect(await make('help')).toMatchFileSnapshot('help.txt');
});

test('every target has a help text, and help lists nothing else', async () => {
  const listed = [...(await make('help')).matchAll(/^ {2}([a-z-]+) +[A-Z]/gm)].map(([, name]) => name);
  expect(listed).toEqual(targets);
});

test('AS8.3: what every target does', async () => {
  const parts: string[] = [];
  for (const target of targets.filter((name) => name !== 'help')) {
    parts.push(`# make ${target} IMG=registry.example.com/cache:v1\n`);
    parts.push(await make('--dry-run', target, 'IMG=registry.example.com/cache:v1'), '\n');
  }
  await expect(parts.join('')).toMatchFileSnapshot('recipes.txt');
});

describe('variables', () => {
  test('CONTAINER_TOOL builds and pushes in place of op-sdk', async () => {
    const tool = ['CONTAINER_TOOL=podman', 'IMG=r.example.com/c:v1', 'BUNDLE_IMG=r.example.com/b:v1'];
    expect(await commandsOf('docker-build', ...tool)).toBe('podman build --tag "r.example.com/c:v1" .');
    expect(await commandsOf('docker-push', ...tool)).toBe('podman push "r.example.com/c:v1"');
    expect(await commandsOf('bundle-build', ...tool)).toBe(
      'podman build --file bundle.Dockerfile --tag "r.example.com/b:v1" .',
    );
    expect(await commandsOf('bundle-push', ...tool)).toBe('podman push "r.example.com/b:v1"');
  });

  test('VERSION, IMAGE_TAG_BASE and the channels reach the bundle', async () => {
    const given = ['VERSION=0.0.2', 'CHANNELS=candidate,stable', 'DEFAULT_CHANNEL=stable'];
    expect(await commandsOf('bundle', ...given)).toContain(
      'generate bundle -q --overwrite --version 0.0.2 --channels=candidate,stable --default-channel=stable',
    );
    expect(await commandsOf('bundle-build', 'VERSION=0.0.2')).toContain(
      '--tag "example.com/cache-operator-bundle:v0.0.2"',
    );
    expect(await commandsOf('bundle-push', 'IMAGE_TAG_BASE=r.example.com/x')).toContain(
      'bundle push "r.example.com/x-bundle:v0.0.1"',
    );
  });

  test('VERSION and CHART_REGISTRY reach the chart', async () => {
    const given = ['VERSION=0.0.2', 'CHART_REGISTRY=oci://r.example.com/charts'];
    expect(await commandsOf('helm', ...given)).toContain('generate helm --version 0.0.2');
    expect(await commandsOf('helm-package', ...given)).toContain('generate helm --version 0.0.2 --package');
    expect(await commandsOf('helm-push', ...given)).toContain(
      'generate helm --version 0.0.2 --push "oci://r.example.com/charts"',
    );
  });

  test('ignore-not-found', async () => {
    expect(await commandsOf('uninstall')).toContain('uninstall --ignore-not-found=false');
    expect(await commandsOf('undeploy', 'ignore-not-found=true')).toContain(
      'undeploy --ignore-not-found=true',
    );
  });
});

describe('for real', () => {
  test('without op-sdk a target says what to do', () => {
    const run = spawnSync('make', ['deploy'], { cwd: project, env: { PATH: tools }, encoding: 'utf8' });
    expect(run.status).not.toBe(0);
    expect(run.stderr).toContain("op-sdk is not installed in this project: run 'npm install'");
  });

  test('AS8.3: the image nobody named is not pushed, and the hint says how to name it', () => {
    const opSdk = join(scratch, 'fake', 'op-sdk');
    fakeTool(opSdk);
    for (const tool of ['', 'docker']) {
      const args = ['docker-push', `OP_SDK=${opSdk}`, `CONTAINER_TOOL=${tool}`];
      const run = spawnSync('make', args, { cwd: project, env: { PATH: tools }, encoding: 'utf8' });
      expect(run.status).not.toBe(0);
      expect(run.stdout).toBe('');
      expect(run.stderr).toContain('controller:latest names no registry');
      expect(run.stderr).toContain('docker-push IMG=');
    }
  });

  test('a chart is not pushed to a registry nobody named', () => {
    const opSdk = join(scratch, 'fake', 'op-sdk');
    fakeTool(opSdk);
    const args = ['helm-push', `OP_SDK=${opSdk}`];
    const run = spawnSync('make', args, { cwd: project, env: { PATH: tools }, encoding: 'utf8' });
    expect(run.status).not.toBe(0);
    expect(run.stdout).toBe('');
    expect(run.stderr).toContain('helm-push CHART_REGISTRY=oci://');
  });

  test('deploy calls the tools in the folder of the project, blanks and all', async () => {
    fakeTool(join(project, 'node_modules', '.bin', 'op-sdk'));
    fakeTool(join(tools, 'npm'));
    const run = await make('--no-print-directory', '--silent', 'deploy', 'IMG=r.example.com/c:v1');
    expect(run.split('\n')).toEqual([
      'npm: [run] [generate]',
      'op-sdk: [kustomize] [edit] [set] [image] [controller=r.example.com/c:v1]',
      'op-sdk: [deploy]',
      '',
    ]);
  });
});
