import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { access, mkdtemp, readdir, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { hostname, tmpdir, uptime } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { ownIdentity } from '../../../../src/base/util/process-identity.ts';
import { SilentLockError, withLock } from '../../../../src/base/util/with-lock.ts';

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

function holder(pid: number, host = hostname(), more: object = {}): string {
  return JSON.stringify({ ...ownIdentity(), pid, host, token: 'somebody-else', ...more });
}

/** A lock that was written in this place by a process of another machine. */
async function heldElsewhere(): Promise<void> {
  await writeFile(file, '');
  const { ino } = await stat(file, { bigint: true });
  await writeFile(file, holder(deadPid(), 'another-machine', { inode: String(ino) }));
}

test('a lock of another machine that was copied here is removed at once', async () => {
  for (const more of [{}, { inode: '1' }]) {
    await writeFile(file, holder(deadPid(), 'another-machine', more));
    const hosts: string[] = [];
    const onCopied = ({ host }: { readonly host: string }): void => void hosts.push(host);
    const options = { whenSilent: 'fail', staleAfter: 3_600_000, onCopied } as const;
    expect(await withLock(file, options, () => Promise.resolve('done'))).toBe('done');
    expect(hosts).toEqual(['another-machine']);
  }
});

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
  await writeFile(file, holder(process.pid, undefined, { started: undefined }));
  const waitedFor: number[] = [];
  const done = withLock(file, { onWait: ({ pid }) => waitedFor.push(pid) }, () => Promise.resolve('done'));
  await sleep(500);
  expect(waitedFor).toEqual([process.pid]);
  await access(file);
  await rm(file);
  expect(await done).toBe('done');
});

test('who waits hears again and again for how long', async () => {
  await writeFile(file, holder(process.pid, undefined, { started: undefined }));
  const waits: number[] = [];
  const onWait = (_: object, waited: number): void => {
    waits.push(waited);
    if (waits.length === 3) void rm(file);
  };
  await withLock(file, { onWait, reportEvery: 150 }, () => Promise.resolve());
  const [first = NaN, second = NaN, third = NaN] = waits;
  expect(first).toBeGreaterThanOrEqual(0);
  expect(second - first).toBeGreaterThanOrEqual(150);
  expect(third - second).toBeGreaterThanOrEqual(150);
});

test('another machine counts as dead only when it has given no sign of life for long', async () => {
  await heldElsewhere();
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
        onWait: ({ pid }) => {
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

const onLinux = test.runIf(process.platform === 'linux');

onLinux('a process that got the id of the dead holder does not keep its lock', async () => {
  await writeFile(file, holder(process.pid, undefined, { started: '1' }));
  expect(await withLock(file, { whenSilent: 'fail' }, () => Promise.resolve('done'))).toBe('done');
});

onLinux('a holder that was killed and not yet waited for counts as dead', async () => {
  // The shell replaces itself by a program that never waits for its child.
  const child = spawn('sh', ['-c', 'sh -c "echo \\$\\$; kill -9 \\$\\$" & exec sleep 60'], {
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  try {
    const [line] = (await once(child.stdout, 'data')) as [Buffer];
    await writeFile(file, holder(Number(line.toString())));
    expect(await withLock(file, { whenSilent: 'fail' }, () => Promise.resolve('done'))).toBe('done');
  } finally {
    child.kill('SIGKILL');
  }
});

onLinux('a lock from before the machine was started again is broken', async () => {
  await writeFile(file, holder(process.pid, undefined, { boot: 'an-older-one' }));
  const before = new Date(Date.now() - uptime() * 1000 - 60_000);
  await utimes(file, before, before);
  expect(await withLock(file, { whenSilent: 'fail' }, () => Promise.resolve('done'))).toBe('done');
});

onLinux('the same id in another container says nothing', async () => {
  await writeFile(file, holder(deadPid(), undefined, { pids: 'pid:[1]' }));
  const locked = withLock(file, { whenSilent: 'fail', staleAfter: 300 }, () => Promise.resolve());
  await expect(locked).rejects.toThrow(SilentLockError);
  await access(file);
});

test('a silent holder that cannot be seen fails those who must not break its lock, with the file', async () => {
  await heldElsewhere();
  const longAgo = new Date(Date.now() - 3_600_000);
  await utimes(file, longAgo, longAgo);
  const locked = withLock(file, { whenSilent: 'fail', staleAfter: 300 }, () => Promise.resolve());
  await expect(locked).rejects.toMatchObject({ file, holder: { host: 'another-machine' } });
  await access(file);
  expect(await readdir(folder)).toEqual(['lock']);
});

test('a lock that cannot be read is waited for like that of another machine', async () => {
  await writeFile(file, '{"pid":');
  const locked = withLock(file, { whenSilent: 'fail', staleAfter: 300 }, () => Promise.resolve());
  await expect(locked).rejects.toThrow(SilentLockError);
});

test('those who wait see what the holder does', async () => {
  const seen: unknown[] = [];
  let release = (): void => undefined;
  const held = new Promise<void>((resolve) => (release = resolve));
  const first = withLock(file, { purpose: 'op-sdk create api' }, () => held);
  await expect.poll(() => access(file)).toBeUndefined();
  const onWait = ({ purpose, pid }: { purpose?: string; pid: number }): void => {
    seen.push(purpose, pid);
    release();
  };
  await withLock(file, { onWait }, () => Promise.resolve());
  await first;
  expect(seen).toEqual(['op-sdk create api', process.pid]);
});
