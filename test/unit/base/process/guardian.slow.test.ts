import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { build } from 'esbuild';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { Guardian, type SpawnRequest } from '../../../../src/base/process/guardian.ts';
import { spawnWithStreams } from '../../../../src/base/process/spawn-with-streams.ts';
import { eventually } from '../../../../src/testing/index.ts';
import { copyGuardianProgram, exists, isAlive } from '../../../helpers/processes.ts';

let scratch: string;
let folder: string;

beforeEach(async () => {
  scratch = await mkdtemp(join(await realpath(tmpdir()), 'op-sdk-test-'));
  folder = await mkdtemp(join(await realpath(tmpdir()), 'op-sdk-test-guarded-'));
});

afterEach(async () => {
  await rm(scratch, { recursive: true });
  await rm(folder, { recursive: true, force: true });
});

/** A node process that runs `script`. */
function node(script: string): SpawnRequest {
  return {
    command: process.execPath,
    args: ['--eval', script],
    cwd: scratch,
    env: { GREETING: 'hello' },
    logFile: join(scratch, 'log'),
  };
}

const forever = 'setInterval(() => undefined, 1_000)';

describe('a guardian', () => {
  test('reports how a process ended, and logs what it wrote', async () => {
    const guardian = new Guardian({ folders: [folder] });
    const started = await guardian.spawn(
      node(
        'console.log(process.env.GREETING, Object.keys(process.env).length); console.error("oh"); process.exitCode = 3',
      ),
    );
    expect(await started.exited).toEqual({ code: 3, signal: null });
    expect(started.exit).toEqual({ code: 3, signal: null });
    expect(await readFile(join(scratch, 'log'), 'utf8')).toBe('hello 1\noh\n');
    await guardian.stop();
  });

  test('says that a program cannot be started', async () => {
    const guardian = new Guardian({ folders: [folder] });
    await expect(guardian.spawn({ ...node(''), command: join(scratch, 'nothing') })).rejects.toThrow(
      'ENOENT',
    );
    await guardian.stop();
  });

  test('passes signals on', async () => {
    const guardian = new Guardian({ folders: [folder] });
    const started = await guardian.spawn(node(forever));
    started.kill('SIGTERM');
    expect(await started.exited).toEqual({ code: null, signal: 'SIGTERM' });
    await guardian.stop();
  });

  test('stop kills the processes with their children and removes the folders', async () => {
    const guardian = new Guardian({ folders: [folder] });
    const child = join(scratch, 'child');
    const parent = await guardian.spawn(
      node(
        `const child = require('node:child_process').spawn(process.execPath, ['--eval', '${forever}']);` +
          `require('node:fs').writeFileSync(${JSON.stringify(child)}, String(child.pid));`,
      ),
    );
    const childPid = await eventually(async () => Number(await readFile(child, 'utf8')) || false);
    await guardian.stop();
    await guardian.stop();
    expect(await parent.exited).toEqual({ code: null, signal: 'SIGKILL' });
    expect(await exists(folder)).toBe(false);
    await eventually(async () => !(await isAlive(childPid)));
    await expect(guardian.spawn(node(forever))).rejects.toThrow('the guardian process has ended');
  });

  test('removes the secrets of an owner that is killed', async () => {
    const module = new URL('../../../../src/base/process/guarded-folder.ts', import.meta.url).href;
    const bundle = join(scratch, 'owner.mjs');
    await build({
      stdin: {
        contents: `import { guardedFolder } from ${JSON.stringify(module.replace('file://', ''))};
          import { writeFileSync } from 'node:fs';
          const { path } = await guardedFolder('op-sdk-test-secrets-');
          writeFileSync(path + '/token', 'secret');
          process.send(path);
          setInterval(() => undefined, 1000);`,
        resolveDir: scratch,
      },
      bundle: true,
      format: 'esm',
      platform: 'node',
      outfile: bundle,
      logLevel: 'silent',
    });
    await copyGuardianProgram(scratch);
    const owner = fork(bundle);
    const [path] = (await once(owner, 'message')) as [string];
    expect(await exists(join(path, 'token'))).toBe(true);
    owner.kill('SIGKILL');
    await eventually(async () => !(await exists(path)), { timeout: 60_000 });
  });

  test('that is killed is replaced by its owner', async () => {
    const guardian = new Guardian({ folders: [folder] });
    const started = await guardian.spawn(node(forever));
    process.kill(guardian.pid ?? 0, 'SIGKILL');
    expect(await started.exited).toEqual({ code: null, signal: 'SIGKILL' });
    await eventually(async () => !(await isAlive(started.pid)));
    await eventually(async () => !(await exists(folder)));
    await guardian.stop();
  });
});

describe('a process with streams', () => {
  const start = (guardian: Guardian, script: string) =>
    spawnWithStreams(guardian, { command: 'sh', args: ['-c', script], cwd: '/', env: process.env }, folder);

  test('reads and writes as much as its owner does, and tells its end', async () => {
    const guardian = new Guardian({ folders: [folder] });
    const { stdin, stdout, stderr, exited } = await start(guardian, 'cat; echo done >&2; exit 3');
    const sent = Buffer.alloc(4 * 1024 * 1024, 'x');
    stdin.end(sent);
    const [output, errors] = await Promise.all([text(stdout), text(stderr)]);
    expect({ length: output.length, errors }).toEqual({ length: sent.length, errors: 'done\n' });
    expect(await exited).toEqual({ code: 3, signal: null });
    await guardian.stop();
  });

  test('takes along what it has started', async () => {
    const guardian = new Guardian({ folders: [folder] });
    const { stdin, stdout } = await start(guardian, 'sleep 1000 & echo $!');
    stdin.end();
    const pid = Number(await text(stdout));
    await eventually(async () => expect(await isAlive(pid)).toBe(false));
    await guardian.stop();
  });

  test('that cannot be started leaves nothing', async () => {
    const guardian = new Guardian({ folders: [folder] });
    const request = { command: '/no/such/program', args: [], cwd: '/', env: {} };
    await expect(spawnWithStreams(guardian, request, folder)).rejects.toThrow('ENOENT');
    expect(await readdir(folder)).toEqual([]);
    await guardian.stop();
  });
});

describe('when the owner is killed', () => {
  // The owner runs what users run: JavaScript made from our sources, here with the names of functions kept.
  const ownerSource = `
    import { Guardian } from ${JSON.stringify(join(import.meta.dirname, '../../../../src/base/process/guardian.ts'))};
    import { spawnWithStreams } from ${JSON.stringify(join(import.meta.dirname, '../../../../src/base/process/spawn-with-streams.ts'))};
    const [folder, logFile] = process.argv.slice(2);
    const guardian = new Guardian({ folders: [folder] });
    const args = ['--eval', ${JSON.stringify(forever)}];
    const request = { command: process.execPath, args, cwd: '/', env: {}, logFile };
    const { pid } = await guardian.spawn(request);
    const beside = await spawnWithStreams(guardian, { ...request, logFile: undefined }, folder);
    process.send({ pid, guardian: guardian.pid, beside: beside.pid });
  `;

  test.each(['SIGKILL', 'SIGTERM', 'SIGINT'] as const)(
    'with %s, all ends and all is removed',
    async (signal) => {
      await writeFile(join(scratch, 'owner.ts'), ownerSource);
      const outfile = join(scratch, 'owner.mjs');
      await build({
        entryPoints: [join(scratch, 'owner.ts')],
        outfile,
        bundle: true,
        platform: 'node',
        format: 'esm',
        keepNames: true,
        logLevel: 'silent',
      });
      await copyGuardianProgram(scratch);
      const owner = fork(outfile, [folder, join(folder, 'log')], { execArgv: [] });
      const [sent] = (await once(owner, 'message')) as [Readonly<Record<string, number>>];
      const pids = Object.values(sent);
      const alive = (): Promise<boolean[]> => Promise.all(pids.map(isAlive));
      expect(await alive()).toEqual([true, true, true]);
      owner.kill(signal);
      await once(owner, 'exit');
      await eventually(async () => !(await alive()).includes(true));
      expect(await exists(folder)).toBe(false);
    },
  );
});
