import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { repository } from '../../../compiler/manifests/project-folder.ts';

const table = readFileSync(new URL('controller-runtime-tests.md', import.meta.url), 'utf8');
const rows = table
  .split('\n')
  .map((line) =>
    line
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim()),
  )
  .filter(([line = '']) => /^\d+$/.test(line));

test('each test of controller-runtime has a test here that exists, or a reason', () => {
  // 98 of the suites, one outside of them, six pending ones.
  expect(rows).toHaveLength(105);
  for (const [line, behaviour, here = ''] of rows) {
    expect(behaviour, line).not.toBe('');
    if (/^none: \w/.test(here)) continue;
    const [, file = '', name = ''] = /^`(test\/[^`]+)`: (.+)$/.exec(here) ?? [];
    expect(file, here).not.toBe('');
    const source = readFileSync(`${repository}${file}`, 'utf8').replaceAll("\\'", "'");
    expect(source.includes(`'${name}'`), `${file} has a test '${name}'`).toBe(true);
  }
});
