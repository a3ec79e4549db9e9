// The guide lists every attribute of a span, and no other.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { explanations } from '../../../src/cli/explanations/explanations.ts';
import { filesBelow, repositoryRoot } from '../../helpers/source-files.ts';

const guide = readFileSync(join(repositoryRoot, 'docs/tracing.md'), 'utf8');
const sources = filesBelow('src/sdk/tracing', (path) => path.endsWith('.ts')).map(({ text }) => text);

/** The names in the first cell of a row: `a.b.c`, `.d` stands for `a.b.c` and `a.b.d`. */
function namesIn(cell: string): readonly string[] {
  let prefix = '';
  return [...cell.matchAll(/`([^`]+)`/g)].map(([, name = '']) => {
    if (name.startsWith('.')) return prefix + name;
    prefix = name.slice(0, name.lastIndexOf('.'));
    return name;
  });
}

test('lists every attribute, and no other', () => {
  const table = guide.slice(guide.indexOf('### Attributes'), guide.indexOf('Errors are recorded as events'));
  const listed = [...table.matchAll(/^\| (`[^|]+)\|/gm)].flatMap(([, cell = '']) => namesIn(cell));
  const set = sources.flatMap((text) =>
    [...text.matchAll(/'((?:opsdk|http|url|server|k8s|error)\.[a-z_.]+)'/g)].map(([, name = '']) => name),
  );
  const attributes = [...new Set(set)].filter((name) => name !== 'opsdk.tracing');
  expect(attributes.length).toBeGreaterThan(20);
  expect([...listed].sort()).toEqual(attributes.sort());
});

test('names errors of the catalogue', () => {
  for (const [, code = ''] of guide.matchAll(/`(runtime\/[a-z-]+)`/g))
    expect(Object.keys(explanations)).toContain(code);
});
