// Code that readers copy is code that is compiled and run: what these pages show of the Memcached operator is what the example holds.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';

const root = fileURLToPath(new URL('../../../', import.meta.url));
const read = (path: string): string => readFileSync(join(root, path), 'utf8');
const example = 'examples/memcached-operator';
const sources = readdirSync(join(root, example), { recursive: true, encoding: 'utf8' })
  .filter((path) => path.endsWith('.ts'))
  .map((path) => read(`${example}/${path}`));
const blocksOf = (markdown: string): readonly string[] =>
  [...markdown.matchAll(/^```ts\n([\s\S]*?)^```$/gm)].map(([, code = '']) => code);

describe.each(['README.md', 'docs/controllers.md'])('%s', (path) => {
  const blocks = blocksOf(read(path));

  test('has code', () => expect(blocks.length).toBeGreaterThan(1));

  test.each(blocks)('shows lines of the example: %s', (code) => {
    expect(sources.filter((source) => `\n${source}`.includes(`\n${code}`)).length, code).toBe(1);
  });

  test('says what makes `owns` work', () => expect(read(path)).toContain('ownedBy'));
});

test('the README begins with the whole controller and its imports, before any command', () => {
  const readme = read('README.md');
  const file = read(`${example}/src/controllers/cache/memcached.ts`);
  const controller = file.slice(0, file.indexOf('\n});\n') + '\n});\n'.length);
  expect(controller).toContain('defineController({');
  expect(blocksOf(readme)[0]).toBe(controller);
  expect(readme.indexOf(controller)).toBeLessThan(readme.search(/^```sh|^\|/m));
});
