import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { fileOps, type FileOps } from '../../../../src/project/scaffold/journal.ts';
import type { FileChange } from '../../../../src/project/scaffold/plan-files.ts';
import { withProjectLock } from '../../../../src/project/scaffold/project-lock.ts';
import type { Recovery } from '../../../../src/project/scaffold/recover.ts';
import { applyPlan } from '../../../../src/project/scaffold/writer.ts';
import { ownIdentity } from '../../../../src/base/util/process-identity.ts';
import { treeOf } from '../../../helpers/tree.ts';

let root = '';
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'opsdk-crash-'));
});
afterEach(() => rm(root, { recursive: true, force: true }));

class Crash extends Error {}

/** The disk of a process that is killed after `steps` changes: nothing it does after that has an effect. */
function dyingAfter(
  steps: number,
  failAt = Infinity,
): { readonly ops: FileOps; readonly done: () => number } {
  let count = 0;
  const ops = Object.fromEntries(
    Object.entries(fileOps).map(([name, change]: [string, (...args: never[]) => Promise<void>]) => [
      name,
      async (...args: never[]): Promise<void> => {
        if (name === 'flush') return;
        if (count >= steps) {
          // Whoever is killed in the middle of writing a file leaves part of it.
          if (count === steps && name === 'create') {
            const [path, content] = args as unknown as [string, string];
            await writeFile(path, content.slice(0, content.length / 2));
          }
          count = steps + 1;
          throw new Crash();
        }
        count += 1;
        if (count === failAt) throw Object.assign(new Error('EIO: i/o error, test'), { code: 'EIO' });
        await change(...args);
      },
    ]),
  ) as unknown as FileOps;
  return { ops, done: () => count };
}

const before = { PROJECT: 'old project', 'src/main.ts': 'old main', 'old/gone.yaml': 'old' };
const after = { PROJECT: 'new project', 'src/main.ts': 'new main', 'src/api/v1/kind.ts': 'kind' };
const changes: readonly FileChange[] = [
  { action: 'update', path: 'PROJECT', content: after.PROJECT, before: before.PROJECT },
  { action: 'delete', path: 'old/gone.yaml', before: before['old/gone.yaml'] },
  { action: 'create', path: 'src/api/v1/kind.ts', content: 'kind' },
  { action: 'update', path: 'src/main.ts', content: after['src/main.ts'], before: before['src/main.ts'] },
];

async function startOver(): Promise<void> {
  await rm(root, { recursive: true, force: true });
  for (const folder of ['src', 'old']) await mkdir(join(root, folder), { recursive: true });
  for (const [path, content] of Object.entries(before)) await writeFile(join(root, path), content);
}

/** The files of the project, without those that op-sdk works with. */
function filesOf(): Record<string, string> {
  const paths = Object.keys(treeOf(root)).filter(
    (path) => !path.endsWith('/') && !path.startsWith('.op-sdk/') && !/\.(?:new|old)$/.test(path),
  );
  return Object.fromEntries(paths.map((path) => [path, readFileSync(join(root, path), 'utf8')]));
}

/** Applies the plan as a command does, in a process that ends after some steps. @returns how many it has made */
async function interrupted(steps: number, failAt?: number): Promise<number> {
  const { ops, done } = dyingAfter(steps, failAt);
  await withProjectLock(
    root,
    { command: 'op-sdk create api', request: 'a request', writes: true },
    (journal) => applyPlan({ root, changes, removesEmptyFolders: true }, { journal, ops }),
  ).catch((error: unknown) => {
    const code = (error as { code?: string }).code;
    if (!(error instanceof Crash) && code !== 'scaffold/rollback-failed' && code !== 'io/cannot-write')
      throw error;
  });
  return done();
}

async function nextCommand(options: { readonly writes?: boolean } = {}): Promise<readonly Recovery[]> {
  const recoveries: Recovery[] = [];
  await withProjectLock(
    root,
    {
      command: 'op-sdk generate manifests',
      writes: options.writes ?? true,
      onRecovery: (recovery) => recoveries.push(recovery),
    },
    () => Promise.resolve(),
  );
  return recoveries;
}

describe('a process that is killed while it writes', () => {
  test('leaves whole files after each step, and the next command finishes or undoes the rest', async () => {
    const outcomes = new Set<string>();
    for (let steps = 0; steps < 100; steps++) {
      await startOver();
      const made = await interrupted(steps);
      for (const [path, content] of Object.entries(filesOf())) {
        const whole = [before, after].map((side) => (side as Record<string, string>)[path]);
        expect(whole, `${path} after ${steps} steps`).toContain(content);
      }
      const [recovery] = await nextCommand();
      const tree = filesOf();
      const expected = recovery?.outcome === 'finished' || made <= steps ? after : before;
      expect(tree, `after ${steps} steps`).toEqual(expected);
      outcomes.add(recovery?.outcome ?? 'none');
      // Nothing of the interrupted command is left, and nothing more to do.
      // A new folder that is empty may stay: no tool looks at it.
      const known = ['src/', 'src/api/', 'src/api/v1/', ...Object.keys(expected)];
      if (expected === before) known.push('old/');
      for (const path of Object.keys(treeOf(root))) expect(known, `after ${steps} steps`).toContain(path);
      expect(await nextCommand()).toEqual([]);
      if (made <= steps) break;
    }
    expect(outcomes).toEqual(new Set(['none', 'undone', 'finished']));
  });

  test('is undone by its repetition, which then finds what it found before, unless somebody has edited a file since', async () => {
    await halfDone();
    const repeat = async () => {
      const recoveries: Recovery[] = [];
      const onRecovery = (recovery: Recovery): void => void recoveries.push(recovery);
      const options = { command: 'op-sdk create api', request: 'a request', writes: true, onRecovery };
      let found: Record<string, string> = {};
      await withProjectLock(root, options, async () => void (found = filesOf()));
      return { found, recoveries };
    };
    const { found, recoveries } = await repeat();
    expect(recoveries).toMatchObject([{ outcome: 'undone', isRepeated: true }]);
    expect(found).toEqual(before);
    // After its last change nothing is left of the former contents: it is finished then.
    let last: Recovery | undefined;
    for (let steps = 0; steps < 100; steps++) {
      await startOver();
      const made = await interrupted(steps);
      [last] = (await repeat()).recoveries;
      if (last?.outcome === 'finished' || made <= steps) break;
    }
    expect(last).toMatchObject({ outcome: 'finished', isRepeated: true });
    expect(filesOf()).toEqual(after);
  });

  test('while it undoes a failed command leaves whole files, and the next command undoes the rest', async () => {
    await startOver();
    const all = await interrupted(Infinity);
    for (let failAt = 1; failAt <= all; failAt++) {
      for (const more of [0, 1, 2, 4, 7, 11]) {
        const steps = failAt + more;
        await startOver();
        await interrupted(steps, failAt);
        for (const [path, content] of Object.entries(filesOf())) {
          const whole = [before, after].map((side) => (side as Record<string, string>)[path]);
          expect(whole, `${path} after ${steps} steps, failed at ${failAt}`).toContain(content);
        }
        await nextCommand();
        expect([before, after], `after ${steps} steps, failed at ${failAt}`).toContainEqual(filesOf());
        expect(await nextCommand()).toEqual([]);
      }
    }
  });

  /** Ends a command right after its first file was renamed into place. */
  async function halfDone(): Promise<void> {
    for (let steps = 0; steps < 100; steps++) {
      await startOver();
      await interrupted(steps);
      if (filesOf()['PROJECT'] === after.PROJECT) return;
    }
    throw new Error('no step renames the first file');
  }

  test('does not cost the edits that people made since', async () => {
    await halfDone();
    await writeFile(join(root, 'src/main.ts'), 'edited by hand');
    await expect(nextCommand()).rejects.toMatchObject({
      findings: [
        {
          code: 'scaffold/interrupted-write',
          message:
            '`op-sdk create api` was interrupted while it wrote src/main.ts: it was edited since and is kept',
          where: { file: 'src/main.ts' },
          fix: [
            expect.stringMatching(/^merge the new content in src\/\.main\.ts\.[0-9a-f]{12}\.new$/),
            expect.any(String),
          ],
        },
      ],
    });
    const { 'src/main.ts': main, ...others } = filesOf();
    const { 'src/main.ts': _, ...wanted } = after;
    expect([main, others]).toEqual(['edited by hand', wanted]);
    const copy = Object.keys(treeOf(root)).find((path) => path.endsWith('.new')) ?? '';
    expect(await readFile(join(root, copy), 'utf8')).toBe(after['src/main.ts']);
    expect(await nextCommand()).toEqual([]);
  });

  test('leaves no doubt when the copies of new files were removed', async () => {
    await halfDone();
    for (const path of Object.keys(treeOf(root)).filter((each) => each.endsWith('.new')))
      await rm(join(root, path));
    await expect(nextCommand()).rejects.toMatchObject({
      findings: [
        expect.objectContaining({
          message: expect.stringContaining('src/api/v1/kind.ts: the new content of the file is missing'),
        }),
        expect.objectContaining({
          message: expect.stringContaining('src/main.ts: the new content of the file is missing'),
        }),
      ],
    });
    expect(await nextCommand()).toEqual([]);
  });

  test('is undone where nothing was renamed and the copies were removed', async () => {
    for (let steps = 0; steps < 100; steps++) {
      await startOver();
      await interrupted(steps);
      const journal = await readFile(join(root, '.op-sdk/.state/journal.json'), 'utf8').catch(() => '{}');
      if ((JSON.parse(journal) as { phase?: string }).phase === 'commit') break;
    }
    for (const path of Object.keys(treeOf(root)).filter((each) => each.endsWith('.new')))
      await rm(join(root, path));
    expect(await nextCommand()).toMatchObject([{ outcome: 'undone', files: [] }]);
    expect(filesOf()).toEqual(before);
  });

  test('is left alone by a command that only reads, which says so', async () => {
    await halfDone();
    const tree = treeOf(root);
    await expect(nextCommand({ writes: false })).rejects.toMatchObject({
      code: 'scaffold/interrupted-write',
    });
    expect(treeOf(root)).toEqual(tree);
    expect(await nextCommand()).toMatchObject([{ outcome: 'finished', command: 'op-sdk create api' }]);
    expect(await nextCommand({ writes: false })).toEqual([]);
  });

  test('leaves nothing that git would add', async () => {
    await halfDone();
    expect(await readFile(join(root, '.op-sdk/.state/.gitignore'), 'utf8')).toBe('*\n');
  });
});

const state = '.op-sdk/.state';

describe('a journal', () => {
  const hash = 'a'.repeat(64);

  test.each([
    ['../outside', '0123456789ab'],
    ['/etc/passwd', '0123456789ab'],
  ])('that names %s is refused, and nothing is touched', async (path, id) => {
    await startOver();
    await mkdir(join(root, state), { recursive: true });
    const files = [{ path, id, before: null, after: hash }];
    const journal = { phase: 'commit', command: 'x', pid: 1, files, folders: [] };
    await writeFile(join(root, state, 'journal.json'), JSON.stringify(journal));
    await expect(nextCommand()).rejects.toMatchObject({ code: 'scaffold/outside-project' });
    expect(filesOf()).toEqual(before);
  });

  test.each([
    '',
    '{',
    'null',
    '[]',
    '{"phase":"commit","command":"x","pid":1,"files":[{"path":"a","id":"../../x"}]}',
  ])('that reads %j is refused with its place', async (text) => {
    await startOver();
    await mkdir(join(root, state), { recursive: true });
    await writeFile(join(root, state, 'journal.json'), text);
    await expect(nextCommand()).rejects.toMatchObject({ code: 'scaffold/interrupted-write' });
    expect(filesOf()).toEqual(before);
  });
});

describe('the lock of a project', () => {
  test('leaves nothing behind, and keeps what else is in its folder', async () => {
    await startOver();
    const tree = treeOf(root);
    await nextCommand();
    expect(treeOf(root)).toEqual(tree);
    await mkdir(join(root, '.op-sdk/templates'), { recursive: true });
    const withTemplates = treeOf(root);
    await nextCommand();
    expect(treeOf(root)).toEqual(withTemplates);
  });

  test.runIf(process.platform === 'linux')(
    'removes what killed processes left that waited for it',
    async () => {
      await startOver();
      await mkdir(join(root, state), { recursive: true });
      const { pid } = spawnSync(process.execPath, ['--eval', '']);
      await writeFile(join(root, state, 'lock.abc'), JSON.stringify({ ...ownIdentity(), pid, token: 'x' }));
      // Of a process that was killed while it wrote it.
      await writeFile(join(root, state, 'lock.def'), '');
      await nextCommand();
      expect(Object.keys(treeOf(root))).not.toContain('.op-sdk/');
    },
  );

  test('lets one command in at a time, each of them', async () => {
    await startOver();
    let inside = 0;
    let runs = 0;
    const command = 'op-sdk create api';
    await Promise.all(
      Array.from({ length: 12 }, () =>
        withProjectLock(root, { command, writes: true }, async () => {
          expect(++inside).toBe(1);
          await new Promise((resolve) => setImmediate(resolve));
          inside--;
          runs++;
        }),
      ),
    );
    expect(runs).toBe(12);
    expect(Object.keys(treeOf(root))).not.toContain('.op-sdk/');
  });

  test.each([{}, { inode: '1' }])(
    'of another machine that came with the files is removed at once, with a notice: %j',
    async (more) => {
      await startOver();
      await mkdir(join(root, state), { recursive: true });
      const holder = { pid: 7, host: 'elsewhere', token: 'x', purpose: 'op-sdk init', ...more };
      await writeFile(join(root, state, 'lock'), JSON.stringify(holder));
      const copied: string[] = [];
      await withProjectLock(
        root,
        {
          command: 'op-sdk create api',
          writes: true,
          // Whoever waits for it waits for longer than a test may take.
          staleAfter: 3_600_000,
          onCopied: ({ host }) => copied.push(host),
        },
        () => Promise.resolve(),
      );
      expect(copied).toEqual(['elsewhere']);
    },
  );

  test('names the file of a lock that belongs to a silent process on another machine', async () => {
    await startOver();
    await mkdir(join(root, state), { recursive: true });
    await writeFile(join(root, state, 'lock'), '');
    const inode = String((await stat(join(root, state, 'lock'), { bigint: true })).ino);
    const holder = { pid: 7, host: 'elsewhere', token: 'x', purpose: 'op-sdk init', inode };
    await writeFile(join(root, state, 'lock'), JSON.stringify(holder));
    const locked = withProjectLock(
      root,
      { command: 'op-sdk create api', writes: true, staleAfter: 200 },
      () => Promise.resolve(),
    );
    await expect(locked).rejects.toMatchObject({
      findings: [
        {
          code: 'scaffold/project-locked',
          message:
            'the project is locked by `op-sdk init` (pid 7 on elsewhere), which may no longer be running',
          where: { file: '.op-sdk/.state/lock' },
        },
      ],
    });
  });
});
