// What only a process of its own can show: closed pipes, signals, questions on a terminal.
import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { isAlive } from '../helpers/processes.ts';
import { treeOf } from '../helpers/tree.ts';

const opSdk = fileURLToPath(new URL('../../bin/op-sdk.js', import.meta.url));
const init = ['init', '--domain', 'example.com', '--opsdk', '^0.1.0'];
let scratch = '';

beforeAll(() => {
  scratch = mkdtempSync(join(tmpdir(), 'op-sdk-process-'));
});

afterAll(() => rmSync(scratch, { recursive: true, force: true }));

const folder = (): string => mkdtempSync(join(scratch, 'x-'));

async function exitOf(child: ChildProcess): Promise<number | string> {
  const [code, signal] = (await once(child, 'close')) as [number | null, NodeJS.Signals | null];
  return code ?? signal ?? '';
}

function textOf(stream: NodeJS.ReadableStream | null): () => string {
  let text = '';
  stream?.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
  return () => text;
}

describe('whoever reads may stop reading', () => {
  test('stdout', async () => {
    const child = spawn(process.execPath, [opSdk, 'version'], { stdio: ['ignore', 'pipe', 'pipe'] });
    child.stdout.destroy();
    const stderr = textOf(child.stderr);
    expect(await exitOf(child)).toBe(0);
    expect(stderr()).toBe('');
  });

  test('stderr: the work is done nevertheless', async () => {
    const cwd = folder();
    const child = spawn(process.execPath, [opSdk, ...init, '--skip-install'], {
      cwd,
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    child.stderr.destroy();
    expect(await exitOf(child)).toBe(0);
    expect(existsSync(join(cwd, 'PROJECT'))).toBe(true);
  });
});

describe('Ctrl-C', () => {
  test('during the install ends the install too, with 130, and says what is there', async () => {
    const [cwd, bin] = [folder(), folder()];
    const npm = join(bin, 'npm');
    writeFileSync(npm, `#!/bin/sh\necho $$ > '${bin}/pid'\necho npm has begun\nexec sleep 600\n`);
    chmodSync(npm, 0o755);
    const child = spawn(process.execPath, [opSdk, ...init], {
      cwd,
      env: { ...process.env, PATH: `${bin}${delimiter}${process.env['PATH'] ?? ''}` },
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    const stderr = textOf(child.stderr);
    await vi.waitFor(() => expect(stderr()).toContain('npm has begun'), { timeout: 60_000 });
    child.kill('SIGINT');
    expect(await exitOf(child)).toBe(130);
    expect(stderr()).toMatch(/the files of the project are complete.*npm install.*\ninterrupted\n$/);
    const pid = Number(readFileSync(join(bin, 'pid'), 'utf8'));
    await vi.waitFor(async () => expect(await isAlive(pid)).toBe(false), { timeout: 60_000 });
  });
});

const hasTerminal = spawnSync('script', ['-qec', 'stty cols 100', '/dev/null']).status === 0;

/** Runs op-sdk on a pseudo-terminal; each answer is typed when its question has appeared. */
async function onTerminal(cwd: string, argv: readonly string[], answers: readonly [string, string][]) {
  const line = ['stty cols 100 rows 40 && exec', process.execPath, opSdk, ...argv].join(' ');
  const { CI: _ci, ...env } = process.env;
  const child = spawn('script', ['-qec', line, '/dev/null'], { cwd, env, stdio: ['pipe', 'pipe', 'ignore'] });
  const screen = textOf(child.stdout);
  const end = exitOf(child);
  for (const [question, answer] of answers) {
    await vi.waitFor(() => expect(screen()).toContain(question), { timeout: 60_000 });
    child.stdin.write(answer);
  }
  return { code: await end, screen: screen() };
}

describe.runIf(hasTerminal)('on a terminal', () => {
  test('create api asks for what is missing, and again for what is wrong', async () => {
    const cwd = folder();
    expect(
      spawnSync(process.execPath, [opSdk, ...init, '--skip-install', '--project-name', 'x'], { cwd }).status,
    ).toBe(0);
    const run = await onTerminal(
      cwd,
      ['create', 'api', '--version', 'v1'],
      [
        ['Group', 'cache\r'],
        ['Kind', 'redis\r'],
        ['must begin with an upper-case letter', '\u007f'.repeat(5)],
        ['Kind', 'Redis\r'],
        ['Create Resource', '\r'],
        ['Create Controller', 'n'],
      ],
    );
    expect(run.code, run.screen).toBe(0);
    expect(run.screen).toContain('Next: ');
    const tree = treeOf(cwd);
    expect(tree).toHaveProperty(['src/api/cache/v1/redis.ts']);
    expect(tree).not.toHaveProperty(['src/controllers/cache/redis.ts']);
  });

  test('create webhook asks for what is missing, for what to create, and for the certificate', async () => {
    const cwd = folder();
    const named = ['--group', 'cache', '--version', 'v1', '--kind', 'Redis'];
    for (const argv of [
      [...init, '--skip-install', '--project-name', 'x'],
      ['create', 'api', ...named, '--controller=false', '--resource'],
    ])
      expect(spawnSync(process.execPath, [opSdk, ...argv], { cwd }).status).toBe(0);
    const run = await onTerminal(
      cwd,
      ['create', 'webhook', '--group', 'cache'],
      [
        ['Version', 'one\r'],
        ['must', '\u007f'.repeat(3)],
        ['Version', 'v1\r'],
        ['Kind', 'Redis\r'],
        ['fills in defaults', 'n'],
        ['validates objects', '\r'],
        // No is what Enter gives.
        ['conversion between versions', '\r'],
        // The second choice.
        ['Who makes the certificate', '\u001b[B\r'],
      ],
    );
    expect(run.code, run.screen).toBe(0);
    const code = readFileSync(join(cwd, 'src/webhooks/cache/v1/redis.ts'), 'utf8');
    expect(code).toContain('validate: {');
    expect(code).not.toContain('default(');
    const tree = treeOf(cwd);
    expect(tree).toHaveProperty(['config/rbac/webhook_certificate_role.yaml']);
    expect(Object.keys(tree).filter((path) => /conversions|certmanager/.test(path))).toEqual([]);
    const check = spawnSync(process.execPath, [opSdk, 'generate', 'manifests', '--check'], { cwd });
    expect(check.status, String(check.stderr)).toBe(0);
  });

  test('create webhook of an external kind asks for no name and no conversion', async () => {
    const cwd = folder();
    expect(
      spawnSync(process.execPath, [opSdk, ...init, '--skip-install', '--project-name', 'x'], { cwd }).status,
    ).toBe(0);
    const schema = { openAPIV3Schema: { type: 'object' } };
    const crd = {
      apiVersion: 'apiextensions.k8s.io/v1',
      kind: 'CustomResourceDefinition',
      metadata: { name: 'widgets.parts.example.org' },
      spec: {
        group: 'parts.example.org',
        scope: 'Namespaced',
        names: { kind: 'Widget', plural: 'widgets', singular: 'widget', listKind: 'WidgetList' },
        versions: [{ name: 'v1', served: true, storage: true, schema }],
      },
    };
    writeFileSync(join(cwd, 'crd.json'), JSON.stringify(crd));
    const run = await onTerminal(
      cwd,
      ['create', 'webhook', '--external-api-path', 'crd.json'],
      [
        ['fills in defaults', 'y'],
        ['validates objects', 'n'],
        ['Who makes the certificate', '\r'],
      ],
    );
    expect(run.code, run.screen).toBe(0);
    for (const unasked of ['Group', 'Version', 'conversion between'])
      expect(run.screen).not.toContain(unasked);
    expect(treeOf(cwd)).toHaveProperty(['config/certmanager/issuer.yaml']);
    const check = spawnSync(process.execPath, [opSdk, 'generate', 'manifests', '--check'], { cwd });
    expect(check.status, String(check.stderr)).toBe(0);
  });

  test('an operator whose terminal was closed goes on when it logs', async () => {
    const cwd = folder();
    const library = JSON.stringify(new URL('../../dist/index.js', import.meta.url).href);
    const program = `import { createLogger } from ${library};
import { writeFileSync } from 'node:fs';
const log = createLogger();
process.on('SIGHUP', () => {
  for (let line = 0; line < 3; line++) log.info('it is closed');
  setTimeout(() => {
    writeFileSync('end', 'in order');
    process.exit();
  }, 100);
});
setTimeout(() => undefined, 60_000);
log.info('started');
`;
    writeFileSync(join(cwd, 'operator.mjs'), program);
    const line = `exec ${process.execPath} operator.mjs`;
    const child = spawn('script', ['-qec', line, '/dev/null'], { cwd, stdio: ['pipe', 'pipe', 'ignore'] });
    const screen = textOf(child.stdout);
    try {
      await vi.waitFor(() => expect(screen()).toContain('started'), { timeout: 60_000 });
    } finally {
      child.kill('SIGKILL');
    }
    await vi.waitFor(() => expect(readFileSync(join(cwd, 'end'), 'utf8')).toBe('in order'), {
      timeout: 60_000,
    });
  });

  test('Ctrl-C at a question writes nothing and exits 130', async () => {
    const cwd = folder();
    const run = await onTerminal(cwd, ['init'], [['Domain', '\u0003']]);
    expect(run.code, run.screen).toBe(130);
    expect(run.screen).toContain('interrupted');
    expect(treeOf(cwd)).toEqual({});
  });

  test('outside of a project nothing is asked', async () => {
    const run = await onTerminal(folder(), ['create', 'api'], []);
    expect(run.code).toBe(1);
    expect(run.screen).toContain('project/not-found');
  });
});

if (!hasTerminal) {
  test('questions on a terminal', (context) => {
    context.skip('there is no `script` that makes a pseudo-terminal on this machine');
  });
}
