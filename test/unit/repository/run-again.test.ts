import { afterEach, describe, expect, test, vi } from 'vitest';
import { runAgainWhereUnstable } from '../../../scripts/lib/run-again.mjs';

interface Report {
  files: { name: string; passed: number; skipped: number; failures: string[] }[];
  crash?: string;
  unfinished?: string[];
}

const file = (name: string, passed: number, ...failures: string[]) => ({
  name,
  passed,
  skipped: 0,
  failures,
});

/** Runs that report these one after the other, and the files that each was asked for. */
function runner(...reports: Report[]) {
  const asked: (readonly string[])[] = [];
  const run = (_title: string, again?: { files?: string[] }): Promise<Report> => {
    asked.push(again?.files ?? []);
    return Promise.resolve(reports[asked.length - 1] ?? { files: [], crash: 'one run too many' });
  };
  return { run, asked };
}

describe('tests that are run again', () => {
  afterEach(() => vi.unstubAllEnvs());

  test('a failed test fails at once where nobody asked for more', async () => {
    vi.stubEnv('TEST_RERUN', '');
    const { run, asked } = runner({ files: [file('a', 1), file('b', 2, 'b fails')] });
    expect(await runAgainWhereUnstable('unit', run)).toEqual({
      ...{ passed: 3, skipped: 0, failures: ['b fails'], unstable: [] },
    });
    expect(asked).toEqual([[]]);
  });

  test('the files of failed tests run again; what passes then is unstable, what fails is a failure', async () => {
    vi.stubEnv('TEST_RERUN', '1');
    const { run, asked } = runner(
      { files: [file('a', 1), file('b', 2, 'sometimes'), file('c', 1, 'always', 'once')] },
      { files: [file('b', 3), file('c', 2, 'always')] },
    );
    expect(await runAgainWhereUnstable('unit', run)).toEqual({
      ...{ passed: 6, skipped: 0, failures: ['always'] },
      unstable: ['sometimes', 'once'].map((name) => `failed once, passed when it was run again: ${name}`),
    });
    expect(asked).toEqual([[], ['b', 'c']]);
  });

  test('an error that no test waited for is named beside a failed test, and fails with it', async () => {
    const report: Report = { files: [file('a', 1, 'a fails')], crash: 'unhandled' };
    vi.stubEnv('TEST_RERUN', '');
    expect((await runAgainWhereUnstable('unit', runner(report).run)).failures).toEqual([
      ...['a fails', 'unhandled'],
    ]);
    vi.stubEnv('TEST_RERUN', '1');
    const again = runner(report, { files: [file('a', 2)] });
    expect((await runAgainWhereUnstable('unit', again.run)).unstable).toEqual([
      ...['unhandled', 'failed once, passed when it was run again: a fails'],
    ]);
    expect(again.asked).toEqual([[], []]);
  });

  test('many files that fail have one cause, and fail at once', async () => {
    vi.stubEnv('TEST_RERUN', '1');
    const files = ['a', 'b', 'c', 'd'].map((name) => file(name, 0, `${name} fails`));
    const { run, asked } = runner({ files });
    expect((await runAgainWhereUnstable('unit', run)).failures).toHaveLength(4);
    expect(asked).toHaveLength(1);
  });

  test('a runner that crashed runs again as a whole, and fails if it crashes again', async () => {
    vi.stubEnv('TEST_RERUN', '');
    const { run, asked } = runner({ files: [file('a', 1)], crash: 'first' }, { files: [file('a', 1)] });
    expect(await runAgainWhereUnstable('unit', run)).toEqual({
      ...{ passed: 1, skipped: 0, failures: [], unstable: ['first'] },
    });
    expect(asked).toEqual([[], []]);
    const twice = runner({ files: [], crash: 'first' }, { files: [], crash: 'second' });
    expect((await runAgainWhereUnstable('unit', twice.run)).failures).toEqual(['second']);
  });

  test('files that hung run again where that is wanted, and are unstable then', async () => {
    const hung: Report = {
      files: [file('a', 1), file('b', 0, 'b fails')],
      crash: 'c hung',
      unfinished: ['c', 'd'],
    };
    vi.stubEnv('TEST_RERUN', '');
    const once = await runAgainWhereUnstable('unit', runner(hung).run);
    expect(once).toEqual({ passed: 1, skipped: 0, failures: ['b fails', 'c hung'], unstable: [] });
    vi.stubEnv('TEST_RERUN', '1');
    const again = runner(hung, { files: [file('b', 1), file('c', 2), file('d', 3)] });
    expect(await runAgainWhereUnstable('unit', again.run)).toEqual({
      ...{ passed: 7, skipped: 0, failures: [] },
      unstable: ['c hung', 'failed once, passed when it was run again: b fails'],
    });
    expect(again.asked).toEqual([[], ['b', 'c', 'd']]);
    const twice = runner(hung, { files: [file('b', 1)], crash: 'c hung again', unfinished: ['c', 'd'] });
    expect((await runAgainWhereUnstable('unit', twice.run)).failures).toEqual(['c hung again']);
  });
});
