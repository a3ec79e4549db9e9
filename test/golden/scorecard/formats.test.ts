// `recorded.*` are what operator-sdk (60559f3) and operator-framework/api print of these results; they are not to be updated.
// `site.*` are what op-sdk prints of a bundle: `UPDATE_GOLDEN=1` writes them.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { ScorecardTest } from '../../../src/olm/bundle/index.ts';
import { testListDocument, testListText, testListXml } from '../../../src/cli/commands/scorecard.ts';
import { siteFolder } from '../../unit/olm/bundle/scorecard/site-bundle.ts';
import { runCli } from '../../helpers/run-cli.ts';

const recorded = (extension: string): string =>
  readFileSync(join(import.meta.dirname, `recorded.${extension}`), 'utf8');

const where = { file: 'config.yaml' };
const none = { uniqueId: undefined, entrypoint: [], labels: {}, mountPath: undefined, where };
const quiet = { log: '', errors: [], suggestions: [] };

/** What the recorded outputs were made from. */
const tests: readonly ScorecardTest[] = [
  {
    spec: {
      ...none,
      image: 'example.com/scorecard-test:v1',
      entrypoint: ['scorecard-test', 'basic-check-spec'],
      labels: { test: 'basic-check-spec-test', suite: 'basic' },
    },
    results: [{ ...quiet, name: 'basic-check-spec', state: 'pass', log: 'one\ntwo\n' }],
  },
  {
    spec: { ...none, image: 'example.com/custom', uniqueId: 'u1', mountPath: '/x' },
    results: [
      { ...quiet, name: 'f', state: 'fail', errors: ['e1', 'e2'], suggestions: ['s1'] },
      { ...quiet, name: 'g', state: 'error', errors: ['e3'] },
    ],
  },
  { spec: { ...none, image: 'example.com/listed', labels: { a: 'b "c"' } }, results: [] },
];

describe('as operator-sdk prints it', () => {
  test('text', () => expect(testListText(tests)).toBe(recorded('txt')));
  test('json', () => expect(testListDocument(tests)).toEqual(JSON.parse(recorded('json'))));
  test('xunit', () => expect(`${testListXml(tests)}\n`).toBe(recorded('xml')));

  test('names of fields in its order', () => {
    const keys = (value: unknown): readonly string[] => JSON.stringify(value).match(/"\w+":/g) ?? [];
    const [first, ...rest] = tests;
    // Its labels are sorted; ours are in the order of the configuration.
    const sorted = {
      ...first,
      spec: { ...first?.spec, labels: { suite: 'basic', test: 'basic-check-spec-test' } },
    };
    const document = testListDocument([sorted as ScorecardTest, ...rest]);
    expect(keys(document)).toEqual(keys(JSON.parse(recorded('json'))));
  });
});

test('XML stays valid whatever an error says', () => {
  const [test] = tests;
  const error = '<a> & "b"\u0000\ud800\u{1f600}';
  const xml = testListXml([
    {
      spec: { ...none, image: 'a"b', labels: { test: '<x>', 'cluster-phase': 'late' } },
      results: [{ ...quiet, name: "it's", state: 'fail', errors: [error] }],
    },
    ...(test === undefined ? [] : [test]),
  ]);
  expect(xml).toContain('<failure type="failure">&lt;a&gt; &amp; &#34;b&#34;\ufffd\ufffd\u{1f600}</failure>');
  expect(xml).toContain('<testsuite name="&lt;x&gt;" tests="1" skipped="0" failures="1" errors="0">');
  expect(xml).toContain('<property name="spec.image" value="a&#34;b"></property>');
  expect(xml).toContain('<property name="labels.cluster-phase" value="late"></property>');
  expect(xml).toContain('<testcase name="it&#39;s" ');
});

test('a bundle with two tests that fail', async () => {
  const cwd = siteFolder((bundle) => {
    delete bundle.csv.spec.displayName;
    delete bundle.csv.spec.customresourcedefinitions.owned[0].specDescriptors;
  });
  for (const [format, extension] of [
    ['text', 'txt'],
    ['json', 'json'],
    ['xunit', 'xml'],
  ] as const) {
    const run = await runCli(['scorecard', '--local', '-o', format], { cwd });
    expect([run.code, run.stderr]).toEqual([1, '']);
    await expect(run.stdout).toMatchFileSnapshot(join(import.meta.dirname, `site.${extension}`));
  }
});
