import { spawnSync } from 'node:child_process';
import { access, mkdtemp, readdir, rm, utimes, writeFile } from 'node:fs/promises';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { withLock } from '../../../src/util/with-lock.ts';

let folder: string;
let file: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'op-sdk-test-'));
  file = join(folder, 'lock');
});

afterEach(async () => {
  await rm(folder, { recursive: true });
});

/** The id of a process that has ended. */
function deadPid(): number {
  return spawnSync(process.execPath, ['--eval', '']).pid;
}

function holder(pid: number, host = hostname()): string {
  return JSON.stringify({ pid, host, token: 'somebody-else' });
}

test('one at a time, and nothing is left', async () => {
  let inside = 0;
  let runs = 0;
  await Promise.all(
    Array.from({ length: 8 }, () =>
      withLock(file, {}, async () => {
        expect(++inside).toBe(1);
        await sleep(5);
        inside--;
        runs++;
      }),
    ),
  );
  expect(runs).toBe(8);
  expect(await readdir(folder)).toEqual([]);
});

test('is released when the work fails', async () => {
  await expect(withLock(file, {}, () => Promise.reject(new Error('broken')))).rejects.toThrow('broken');
  expect(await readdir(folder)).toEqual([]);
});

test('the lock of a dead process is broken, by exactly one of many', async () => {
  await writeFile(file, holder(deadPid()));
  let inside = 0;
  const work = async (): Promise<void> => {
    expect(++inside).toBe(1);
    await sleep(5);
    inside--;
  };
  await Promise.all(Array.from({ length: 5 }, () => withLock(file, {}, work)));
  expect(await readdir(folder)).toEqual([]);
});

test('a living process is waited for, and named', async () => {
  await writeFile(file, holder(process.pid));
  const waitedFor: number[] = [];
  const done = withLock(file, { onWait: (pid) => waitedFor.push(pid) }, () => Promise.resolve('done'));
  await sleep(500);
  expect(waitedFor).toEqual([process.pid]);
  await access(file);
  await rm(file);
  expect(await done).toBe('done');
});

test('another machine counts as dead only when it has given no sign of life for long', async () => {
  await writeFile(file, holder(deadPid(), 'another-machine'));
  const abort = new AbortController();
  const waiting = withLock(file, { signal: abort.signal }, () => Promise.resolve());
  await sleep(300);
  abort.abort(new Error('enough'));
  await expect(waiting).rejects.toThrow();
  await access(file);

  const longAgo = new Date(Date.now() - 61_000);
  await utimes(file, longAgo, longAgo);
  expect(await withLock(file, {}, () => Promise.resolve('done'))).toBe('done');
});

test('the holder gives signs of life', async () => {
  const longAgo = new Date(Date.now() - 3_600_000);
  await withLock(file, { staleAfter: 1_000 }, async () => {
    await utimes(file, longAgo, longAgo);
    await sleep(300);
    const waitedFor: number[] = [];
    const abort = new AbortController();
    const second = withLock(
      file,
      {
        staleAfter: 1_000,
        signal: abort.signal,
        onWait: (pid) => {
          waitedFor.push(pid);
          abort.abort(new Error('enough'));
        },
      },
      () => Promise.resolve(),
    );
    await expect(second).rejects.toThrow();
    expect(waitedFor).toEqual([process.pid]);
  });
});
