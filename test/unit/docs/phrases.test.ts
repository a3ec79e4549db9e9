// Words that no message, help text, comment, document or test name may contain: CONTRIBUTING.md has the words to use instead.
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { filesBelow, repositoryRoot, type RepositoryFile } from '../../helpers/source-files.ts';

const phrases: readonly { readonly phrase: RegExp; readonly instead: string }[] = [
  { phrase: /\bis no (?!longer\b)/i, instead: '"is not a", "not found", "missing" or "invalid"' },
  { phrase: /\bstands\b(?! for\b)/i, instead: '"is"' },
  { phrase: /\banew\b/i, instead: '"again"' },
  { phrase: /\bfor ever\b/i, instead: '"permanently" or "without end"' },
  { phrase: /\bin vain\b/i, instead: '"without success"' },
  { phrase: /\b(?:take|takes|taken|taking|took)\b.*\baway\b/i, instead: '"remove"' },
  { phrase: /\btold\b/i, instead: '"reported" or "said"' },
  { phrase: /\bcannot be had\b/i, instead: '"is unavailable" or "is not supported"' },
  // A free name on the registry is whoever takes it.
  { phrase: /\bnpx (?:-p )?op-?sdk\b/, instead: '"npx --no op-sdk" in a project, "op-sdk" elsewhere' },
  { phrase: /\bwants to be\b/i, instead: '"must be"' },
];

const findingsIn = (text: string): string[] =>
  text
    .split('\n')
    .flatMap((line, index) =>
      phrases
        .filter(({ phrase }) => phrase.test(line))
        .map(({ instead }) => `${index + 1}: ${line.trim()}   <- write ${instead}`),
    );

/** The part of a test file that people read: the names of its tests. */
const namesOfTests = (text: string): string =>
  [...text.matchAll(/(?:\b(?:test|it|describe)(?:\.\w+)*|\))\(\s*(['"`])((?:\\.|(?!\1)[^\\])*)\1/g)]
    .map(([, , name = '']) => name)
    .join('\n');

function allFiles(): RepositoryFile[] {
  const written = ['src', 'bin', 'scripts', 'bench', 'docs', 'templates', 'examples'].flatMap((folder) =>
    filesBelow(folder, () => true),
  );
  const documents = ['README.md', 'CONTRIBUTING.md', 'CHANGELOG.md', 'SECURITY.md'].map((path) => ({
    path,
    text: readFileSync(repositoryRoot + path, 'utf8'),
  }));
  const tests = filesBelow('test', (path) => path.endsWith('.test.ts'));
  return [...written, ...documents, ...tests.map(({ path, text }) => ({ path, text: namesOfTests(text) }))];
}

test('messages, help texts, comments, documents and names of tests use none of the unwanted phrases', () => {
  const found = allFiles().flatMap(({ path, text }) =>
    findingsIn(text).map((finding) => `${path}:${finding}`),
  );
  expect(found).toEqual([]);
});

test.each([
  ['"x" is no name', 1],
  ['the Lease is no longer held', 0],
  ['the file stands here', 1],
  ['`*` stands for every name', 0],
  ['take the tag away', 1],
  ['expected a name, got "x"', 0],
])('%j has %d of them', (line, count) => {
  expect(findingsIn(line)).toHaveLength(count);
});
