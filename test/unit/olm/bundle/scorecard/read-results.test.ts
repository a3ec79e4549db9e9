import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { readResults } from '../../../../../src/olm/bundle/scorecard/read-results.ts';
import { testListDocument, testListText, testListXml } from '../../../../../src/cli/commands/scorecard.ts';
import type { ScorecardTest } from '../../../../../src/olm/bundle/index.ts';

const nothing = { log: '', errors: [], suggestions: [] };

describe('results of a test', () => {
  test('two in one log', () => {
    const log =
      '{"results":[{"name":"one","state":"pass","log":"looked at /bundle"},{"name":"two","state":"fail","errors":["a","b"],"suggestions":["c"]}]}\n';
    expect(readResults(log, 'x')).toEqual({
      results: [
        { ...nothing, name: 'one', state: 'pass', log: 'looked at /bundle' },
        { ...nothing, name: 'two', state: 'fail', errors: ['a', 'b'], suggestions: ['c'] },
      ],
    });
  });

  test('what Go reads as well: names in another case, null, unknown fields, a time', () => {
    const log = JSON.stringify({
      Results: [
        { Name: 'one', State: 'error', errors: null, log: null, other: 1, creationTimestamp: null },
        { state: 'pass', creationTimestamp: '2026-01-02T03:04:05Z' },
      ],
    });
    expect(readResults(`\n  ${log}\n`, 'my-test')).toEqual({
      results: [
        { ...nothing, name: 'one', state: 'error' },
        { ...nothing, name: 'my-test', state: 'pass', createdAt: '2026-01-02T03:04:05Z' },
      ],
    });
  });

  const problems: Readonly<Record<string, readonly [string, string]>> = {
    silence: ['', 'is empty'],
    'blank lines': ['\n \n', 'is empty'],
    garbage: ['this is not json\n', 'is not JSON'],
    'half of a document': ['{"results":[', 'is not JSON'],
    'two documents': ['{"results":[]}\n{"results":[]}', 'is not JSON'],
    'talk around the results': [
      'starting\n{"results":[{"name":"a","state":"pass"}]}\n',
      'has other text around its JSON',
    ],
    'another object': ['{"items":[]}', 'is not an object with the list `results`'],
    'a list': ['[]', 'is not an object with the list `results`'],
    null: ['null', 'is not an object with the list `results`'],
    'no results': ['{"results":[]}', 'has no results'],
    'another state': [
      '{"results":[{"name":"a","state":"passed"},{"name":"b"}]}',
      'has invalid results: results[0].state: expected pass, fail, error, got "passed"; results[1].state: expected pass, fail, error, got null',
    ],
    'a name that is a number': [
      '{"results":[{"name":1,"state":"pass"}]}',
      'has invalid results: results[0].name: expected a string',
    ],
    'errors that are text': [
      '{"results":[{"state":"fail","errors":"a"}]}',
      'has invalid results: results[0].errors: expected a list of strings',
    ],
    'suggestions that are numbers': [
      '{"results":[{"state":"fail","suggestions":[1]}]}',
      'has invalid results: results[0].suggestions: expected a list of strings',
    ],
    'a log that is a list': [
      '{"results":[{"state":"fail","log":["a"]}]}',
      'has invalid results: results[0].log: expected a string',
    ],
    'a result that is text': ['{"results":["pass"]}', 'has invalid results: results[0]: expected an object'],
  };
  test.each(Object.entries(problems))('%s', (_, [log, problem]) => {
    expect(readResults(log, 'x')).toEqual({ problem });
  });
});

const recording = join(import.meta.dirname, '../../../../../../shared/data/olm/recordings/scorecard-custom');
if (!existsSync(recording)) console.warn(`skipped: the recording is missing (${recording})`);

describe.skipIf(!existsSync(recording))('the outputs that operator-sdk prints of the same log', () => {
  interface RecordedTest {
    readonly spec: { readonly image: string; readonly entrypoint: readonly string[]; labels: Labels };
    readonly status: { readonly results: readonly { readonly log?: string }[] };
  }
  type Labels = Record<string, string>;
  const read = (file: string): string => readFileSync(join(recording, file), 'utf8');
  const recordedTests = (): readonly RecordedTest[] =>
    (JSON.parse(read('output.json')) as { items: RecordedTest[] }).items;
  const wanted = (name: string): RecordedTest => {
    const found = recordedTests().find(({ spec }) => spec.labels['test'] === name);
    if (found === undefined) throw new Error(`${name} is not recorded`);
    return found;
  };
  /** The results of the entrypoint `echo '…'`. */
  const echoed = (): ScorecardTest => {
    const { spec } = wanted('custom-ok');
    const log = /^echo '(.*)'$/s.exec(spec.entrypoint[2] ?? '')?.[1] ?? '';
    const outcome = readResults(`${log}\n`, 'x');
    if (!('results' in outcome)) throw new Error(outcome.problem);
    const own = { uniqueId: undefined, mountPath: undefined, where: { file: 'config.yaml' } };
    return { spec: { ...own, ...spec }, results: outcome.results };
  };

  test('json', () => {
    const { items } = testListDocument([echoed()]) as { items: unknown[] };
    expect(items).toEqual([wanted('custom-ok')]);
  });

  test('text', () => {
    expect(read('output.txt')).toContain(testListText([echoed()]));
  });

  test('xunit', () => {
    const [, ...lines] = testListXml([echoed()]).split('\n');
    expect(read('output.xml')).toContain(lines.slice(0, -1).join('\n'));
  });

  test.each(['custom-garbage', 'custom-crash', 'custom-files', 'custom-silent'])(
    '%s has no results',
    (name) => {
      const [result] = wanted(name).status.results;
      expect(readResults(result?.log ?? '', name)).toEqual({
        problem: expect.stringMatching(/^is (?:not JSON|empty)$/) as string,
      });
    },
  );
});
