import { mkdtemp, readFile, realpath, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { main } from '../../../src/cli/main.ts';
import { isTestenvKubeconfig } from '../../../src/testing/control-plane/controller-manager.ts';
import { eventually } from '../../../src/testing/index.ts';
import { exists, processesWith } from '../../helpers/processes.ts';

let folder: string;
const abort = new AbortController();

beforeEach(async () => {
  folder = await mkdtemp(join(await realpath(tmpdir()), 'op-sdk-test-'));
});

afterEach(async () => {
  abort.abort();
  await rm(folder, { recursive: true });
});

test('runs until it is interrupted, then nothing is left', async () => {
  let stderr = '';
  let stdout = '';
  const done = main(['testenv', 'run', '--kubeconfig', 'kubeconfig', '--no-controller-manager'], {
    cwd: folder,
    env: process.env,
    stdout: { colors: false, write: (text) => void (stdout += text) },
    stderr: { colors: false, write: (text) => void (stderr += text) },
    terminal: false,
    readStdin: () => Promise.resolve(''),
    signal: abort.signal,
  });
  await eventually(() => expect(stderr).toContain('Ctrl-C ends it'), { timeout: 100_000 });

  const file = join(folder, 'kubeconfig');
  expect(stderr).toContain(`export KUBECONFIG=${file}\n`);
  expect(isTestenvKubeconfig(await readFile(file, 'utf8'))).toBe(true);
  expect((await stat(file)).mode & 0o077).toBe(0);
  const [, logs = ''] = /logs are in (\S+)/.exec(stderr) ?? [];
  expect((await processesWith(logs)).length).toBe(3);

  abort.abort(new Error('interrupted'));
  expect(await done).toBe(0);
  expect(stdout).toBe('');
  expect(await exists(file)).toBe(false);
  expect(await exists(logs)).toBe(false);
  expect(await processesWith(logs)).toEqual([]);
});
