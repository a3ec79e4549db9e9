import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { mutants } from '../../mutants/mutants.ts';

test('the text of each mutant is in one place of its file', () => {
  const texts = new Map(mutants.map(({ file }) => [file, readFileSync(file, 'utf8')]));
  const wrong = mutants.filter(({ file, find }) => texts.get(file)?.split(find).length !== 2);
  expect(wrong).toEqual([]);
});

test('each mutant has a name of its own, and changes something', () => {
  expect(mutants.length).toBeGreaterThan(40);
  expect(new Set(mutants.map(({ file, rule }) => `${file} ${rule}`)).size).toBe(mutants.length);
  expect(mutants.filter(({ find, replace }) => find === '' || find === replace)).toEqual([]);
});
