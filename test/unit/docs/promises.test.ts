import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { promises } from './promises.ts';

const root = join(import.meta.dirname, '../../..');
const documents = ['SECURITY.md', 'docs/high-availability.md'];
const text = (file: string): string => readFileSync(join(root, file), 'utf8');

/** Sentences, list items and table cells of a Markdown document, without its code blocks, each in one line. */
function sentencesOf(markdown: string): readonly string[] {
  return markdown
    .replaceAll(/^```[\s\S]*?^```/gm, '')
    .split(/\n\s*\n|\n(?=\s*(?:[-*|]|\d+\.) )|(?<!\\)\|/)
    .map((block) =>
      block
        .replace(/^\s*(?:[-*]|\d+\.|#+) /, '')
        .split(/\s+/)
        .join(' ')
        .trim(),
    )
    .flatMap((block) => block.split(/(?<=[.!?])\s+(?=[A-Z`(])/))
    .filter((sentence) => sentence !== '');
}

const isPromise = (sentence: string): boolean => /\b(?:must|never|always|only|cannot)\b/i.test(sentence);

test.each(documents)('every promise of %s is held by a test', (file) => {
  const known = new Set(promises.map(({ promise }) => promise));
  const uncovered = sentencesOf(text(file)).filter((each) => isPromise(each) && !known.has(each));
  expect(uncovered).toEqual([]);
});

test('every entry of the list is in a document', () => {
  const said = new Set(documents.flatMap((file) => sentencesOf(text(file))));
  expect(promises.map(({ promise }) => promise).filter((each) => !said.has(each))).toEqual([]);
});

test.each(promises.flatMap(({ tests }) => tests))('%s has a test %j', (file, title) => {
  expect(text(file).includes(title)).toBe(true);
});
