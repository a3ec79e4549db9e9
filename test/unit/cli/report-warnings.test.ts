import { expect, test } from 'vitest';
import { createReporter, reportWarnings } from '../../../src/cli/ui/reporter.ts';
import type { Finding } from '../../../src/base/errors/index.ts';

function said(...warnings: Finding[]): string {
  let text = '';
  reportWarnings(
    createReporter({ write: (part) => (text += part), colors: false }, { quiet: true }),
    warnings,
  );
  return text;
}

const warnings = (code: Finding['code'], count: number): Finding[] =>
  Array.from({ length: count }, (_, index) => ({ code, message: `${code} ${index + 1}` }));

test('ten warnings of each code are shown, in their order, and how many more there are', () => {
  const text = said(
    ...warnings('schema/float', 12),
    ...warnings('manifests/unserved', 10),
    ...warnings('manifests/large-crd', 11),
  );
  expect(text.match(/^warning\[schema\/float\]/gm)).toHaveLength(10);
  expect(text).toContain('schema/float 10');
  expect(text).not.toContain('schema/float 11');
  expect(text.match(/^warning\[manifests\/unserved\]/gm)).toHaveLength(10);
  expect(text.split('\n').filter((line) => line.startsWith('…'))).toEqual([
    '… and 2 more of schema/float; `-o json` lists them all',
    '… and 1 more of manifests/large-crd; `-o json` lists them all',
  ]);
});
