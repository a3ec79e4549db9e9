// The operator as a process of `op-sdk run`: what it is given, how it ends, and that it never outlives its owner.
import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { runOperator, type RunOperatorOptions, supervise } from '../../../src/cluster/run/run-operator.ts';
import { eventually } from '../../../src/testing/index.ts';
import { copyGuardianProgram, isAlive } from '../../helpers/processes.ts';

let scratch: string;
let project: string;

beforeAll(async () => {
  scratch = await mkdtemp(join(await realpath(tmpdir()), 'op-sdk-test-'));
});
afterAll(() => rm(scratch, { recursive: true, force: true }));
beforeEach(async () => {
  project = await mkdtemp(join(scratch, 'project-'));
  await mkdir(join(project, 'dist'));
});

/** An operator that says who it is, notes every signal, and does with SIGTERM what `onSigterm` says. */
function operator(onSigterm: string): string {
  return `
    import { appendFileSync, writeFileSync } from 'node:fs';
    let signals = 0;
    process.on('SIGTERM', () => { appendFileSync('signals', 'SIGTERM '); signals++; ${onSigterm} });
    const { KUBECONFIG, GREETING } = process.env;
    writeFileSync('started', JSON.stringify({ pid: process.pid, args: process.argv.slice(2), KUBECONFIG, GREETING }));
    console.log('standard output of the operator');
    setInterval(() => undefined, 1000);
  `;
}

const inOrder = operator('process.exit(0)');
const deaf = operator('');

interface Started {
  readonly pid: number;
  readonly args: readonly string[];
  readonly KUBECONFIG?: string;
  readonly GREETING?: string;
}

const startedOperator = (): Promise<Started> =>
  eventually(async () => JSON.parse(await readFile(join(project, 'started'), 'utf8')) as Started);

const isGone = (pid: number): Promise<boolean> =>
  eventually(async () => !(await isAlive(pid)), { timeout: 15_000 });

async function writeOperator(source: string): Promise<void> {
  await writeFile(join(project, 'dist', 'main.mjs'), source);
}

/** Runs the operator in this process; its standard output goes to a file. */
function run(options: Partial<RunOperatorOptions> = {}) {
  const stop = new AbortController();
  const out = openSync(join(project, 'out'), 'a');
  const exitCode = runOperator({
    projectDir: project,
    flags: [],
    env: { GREETING: 'hello', HOME: project },
    stop: stop.signal,
    stdout: out,
    ...options,
  }).finally(() => closeSync(out));
  return { stop, exitCode };
}

describe('the operator', () => {
  test('gets its flags after ours, its environment, and our standard output', async () => {
    await writeOperator(inOrder);
    const { stop, exitCode } = run({ flags: ['--metrics-bind-address=0', '--namespace', 'a b'] });
    expect(await startedOperator()).toMatchObject({
      args: [
        '--metrics-secure=false',
        expect.stringMatching(/^--health-probe-bind-address=127\.0\.0\.1:\d+$/),
        '--metrics-bind-address=0',
        '--namespace',
        'a b',
      ],
      GREETING: 'hello',
    });
    stop.abort();
    expect(await exitCode).toBe(0);
    expect(await readFile(join(project, 'out'), 'utf8')).toBe('standard output of the operator\n');
  });

  test.each([0, 3])('ends by itself with exit code %i, which is passed on', async (code) => {
    await writeOperator(`process.exitCode = ${code};`);
    expect(await run().exitCode).toBe(code);
  });

  test('is asked to end once', async () => {
    await writeOperator(operator('setTimeout(() => process.exit(signals === 1 ? 7 : 8), 300)'));
    const { stop, exitCode } = run();
    await startedOperator();
    stop.abort();
    expect(await exitCode).toBe(7);
    expect(await readFile(join(project, 'signals'), 'utf8')).toBe('SIGTERM ');
  });

  test('that a signal kills has the exit code of shells', async () => {
    await writeOperator(`process.kill(process.pid, 'SIGKILL'); setInterval(() => undefined, 1000);`);
    expect(await run().exitCode).toBe(137);
  });

  test('is not started when it is not wanted any more', async () => {
    await writeOperator(inOrder);
    const reason = new Error('gave up');
    await expect(run({ stop: AbortSignal.abort(reason) }).exitCode).rejects.toBe(reason);
    expect(await readdir(project)).not.toContain('started');
  });

  test('that cannot be started is an error', async () => {
    const start = supervise({
      command: join(project, 'nothing'),
      args: [],
      cwd: project,
      env: {},
      stop: new AbortController().signal,
      stdout: 2,
    });
    await expect(start).rejects.toMatchObject({ code: 'cluster/operator-not-started' });
  });
});

describe('the cluster', () => {
  test('of the environment, where nothing else was said', async () => {
    await writeOperator(inOrder);
    const { stop, exitCode } = run({ env: { KUBECONFIG: '/a/b' } });
    expect((await startedOperator()).KUBECONFIG).toBe('/a/b');
    stop.abort();
    await exitCode;
  });

  test('of a kubeconfig file', async () => {
    await writeOperator(inOrder);
    const { stop, exitCode } = run({ kubeconfig: '/c/d', env: { KUBECONFIG: '/a/b' } });
    expect((await startedOperator()).KUBECONFIG).toBe('/c/d');
    stop.abort();
    await exitCode;
  });

  test.each([
    ['a file', { kubeconfig: '/c/d', env: { KUBECONFIG: '/a/b' } }, ['/c/d']],
    ['the environment', { env: { KUBECONFIG: `/a/b${delimiter}/e` } }, ['/a/b', '/e']],
    ['the home folder', { env: { HOME: '/home/me' } }, [join('/home/me', '.kube', 'config')]],
  ])('of a context of %s', async (_title, options, files) => {
    await writeOperator(inOrder);
    const { stop, exitCode } = run({ ...options, context: 'kind "1"' });
    const [choice = '', ...rest] = ((await startedOperator()).KUBECONFIG ?? '').split(delimiter);
    expect(rest).toEqual(files);
    expect(JSON.parse(await readFile(choice, 'utf8'))).toEqual({ 'current-context': 'kind "1"' });
    stop.abort();
    await exitCode;
    await expect(readFile(choice)).rejects.toThrow('ENOENT');
  });
});

describe('nothing is left running', () => {
  let owner: string;
  beforeAll(async () => {
    owner = join(scratch, 'owner.mjs');
    await copyGuardianProgram(scratch);
    await build({
      stdin: {
        contents: `
          import { runOperator } from './src/cluster/run/run-operator.ts';
          const [projectDir, grace] = process.argv.slice(2);
          const stop = new AbortController();
          process.on('message', () => stop.abort());
          const options = { projectDir, flags: [], env: process.env, stop: stop.signal, stdout: 2, grace: Number(grace) };
          process.exitCode = await runOperator(options);
          process.disconnect();`,
        resolveDir: fileURLToPath(new URL('../../../', import.meta.url)),
        loader: 'ts',
      },
      outfile: owner,
      bundle: true,
      platform: 'node',
      format: 'esm',
      banner: { js: `import{createRequire}from'node:module';const require=createRequire(import.meta.url);` },
    });
  });

  /** The owner of an operator as a process of its own. */
  async function startOwner(source: string, grace = 60_000): Promise<{ owner: ChildProcess; pid: number }> {
    await writeOperator(source);
    const child = fork(owner, [project, String(grace)], { stdio: ['ignore', 'ignore', 'ignore', 'ipc'] });
    return { owner: child, pid: (await startedOperator()).pid };
  }

  test.each(['SIGKILL', 'SIGHUP'] as const)(
    'when op-sdk gets %s: the operator ends in order',
    async (signal) => {
      const { owner: child, pid } = await startOwner(inOrder);
      const ended = once(child, 'exit');
      child.kill(signal);
      await ended;
      await isGone(pid);
      expect(await readFile(join(project, 'signals'), 'utf8')).toBe('SIGTERM ');
    },
  );

  test('when op-sdk is killed and the operator does not listen: it is killed after its grace', async () => {
    const { owner: child, pid } = await startOwner(deaf, 200);
    child.kill('SIGKILL');
    await isGone(pid);
    expect(await readFile(join(project, 'signals'), 'utf8')).toBe('SIGTERM ');
  });

  /** The parent and the session of a process; undefined where there is no /proc. */
  async function statOf(pid: number | undefined): Promise<{ parent: number; session: number } | undefined> {
    const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => undefined);
    const fields = stat?.split(') ')[1]?.split(' ');
    return fields && { parent: Number(fields[1]), session: Number(fields[3]) };
  }

  test('when the process between the two is killed', async (context) => {
    const { owner: child, pid } = await startOwner(deaf);
    const ended = once(child, 'exit') as Promise<[number | null]>;
    const stat = await statOf(pid);
    if (stat === undefined) {
      child.kill('SIGKILL');
      process.kill(pid, 'SIGKILL');
      return context.skip('there is no /proc here to find the parent of a process in');
    }
    process.kill(stat.parent, 'SIGKILL');
    expect((await ended)[0]).toBe(1);
    await isGone(pid);
  });

  test('Ctrl-C reaches op-sdk alone: the operator is in a session of its own', async (context) => {
    const { owner: child, pid } = await startOwner(inOrder);
    const ended = once(child, 'exit');
    const [ours, its] = [await statOf(child.pid), await statOf(pid)];
    child.send('stop');
    await ended;
    await isGone(pid);
    if (its === undefined)
      return context.skip('there is no /proc here to read the session of a process from');
    expect(its.session).not.toBe(ours?.session);
  });
});
