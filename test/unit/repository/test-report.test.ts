import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { root } from '../../../scripts/lib/run.mjs';
import { readTestReport } from '../../../scripts/lib/test-report.mjs';

let folder: string;
beforeEach(() => void (folder = mkdtempSync(join(tmpdir(), 'op-sdk-test-report-'))));
afterEach(() => rmSync(folder, { recursive: true }));

/** Reads what a run left that said these things. */
function reportOf(
  said: readonly object[],
  ended: { code?: number; isEnded?: boolean; output?: string } = {},
) {
  const record = join(folder, 'tests.jsonl');
  writeFileSync(record, said.map((line) => `${JSON.stringify(line)}\n`).join(''));
  return readTestReport({ record, code: 0, isEnded: false, output: '', ...ended });
}

const counted = (name: string, ...failures: string[]) => ({ name, passed: 1, skipped: 0, failures });

test('a run that came to its end has the counts of its files', () => {
  const said = [{ files: ['a'] }, { begun: 'a' }, { ended: counted('a') }];
  expect(reportOf([...said, { errors: [] }])).toEqual({ files: [counted('a')] });
  expect(reportOf([...said, { errors: ['Error: late'] }]).crash).toBe(
    'errors that no test waited for: Error: late',
  );
  expect(reportOf([...said, { errors: [] }], { code: 1, output: 'no teardown' }).crash).toBe(
    'the runner ended with exit code 1 though no test failed: no teardown',
  );
  const failed = [{ ended: counted('a', 'a fails') }, { errors: [] }];
  expect(reportOf(failed, { code: 1 })).toEqual({ files: [counted('a', 'a fails')] });
});

test('a run that was killed names the files that had not ended, and the tests at work', () => {
  const said = [
    { files: ['a', 'b', 'c', 'd'].map((name) => join(root, name)) },
    ...['a', 'b', 'c'].map((name) => ({ begun: join(root, name) })),
    { ended: counted(join(root, 'a')) },
    ...['first', 'second'].map((test) => ({ running: join(root, 'b'), test })),
    { done: join(root, 'b'), test: 'first' },
  ];
  expect(reportOf(said, { code: 137, isEnded: true })).toEqual({
    files: [counted(join(root, 'a'))],
    crash:
      'the runner ended with exit code 137 before its tests: 1 of 4 files ended, 1 had not begun; ' +
      "b after 1 tests in 'second'; c after 0 tests between tests",
    unfinished: ['b', 'c', 'd'].map((name) => join(root, name)),
  });
  expect(reportOf(said, { code: 1 }).unfinished).toBeUndefined();
});

test('a runner that could not start says so', () => {
  const crash = 'the runner ended with exit code 1 before its tests: 0 of 0 files ended, 0 had not begun';
  expect(readTestReport({ record: join(folder, 'none'), code: 1, isEnded: false, output: '' })).toEqual({
    files: [],
    crash,
  });
});
