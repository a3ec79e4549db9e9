// What docs/capability-levels.md says of the levels and of the examples is what the rules of bundles and the examples say.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { capabilityLevels } from '../../../src/olm/bundle/validate/standard-values.ts';
import { levelsOfExamples } from '../../helpers/capability-levels.ts';
import { repositoryRoot } from '../../helpers/source-files.ts';

const examples = join(repositoryRoot, 'examples');
const numerals = ['I', 'II', 'III', 'IV', 'V'];
const levels = levelsOfExamples();

test('the page has a section for each level that bundles may declare', () => {
  const page = readFileSync(join(repositoryRoot, 'docs/capability-levels.md'), 'utf8');
  const sections = [...page.matchAll(/^## ([IV]+), (.+)$/gm)].map(([, numeral, name]) => [numeral, name]);
  expect(sections).toEqual(capabilityLevels.map((name, index) => [numerals[index], name]));
});

test('the page has the level of each example', () => {
  const folders = readdirSync(examples, { withFileTypes: true }).filter((entry) => entry.isDirectory());
  expect([...levels.keys()].sort()).toEqual(folders.map(({ name }) => name).sort());
});

describe.each([...levels])('%s', (example, { numeral, name }) => {
  test('is of a level that bundles may declare', () => {
    expect(capabilityLevels[numerals.indexOf(numeral)]).toBe(name);
  });

  test('has a README that says the level', () => {
    const readme = readFileSync(join(examples, example, 'README.md'), 'utf8');
    expect(readme).toMatch(new RegExp(`\\blevel ${numeral}\\b`, 'i'));
  });

  const base = join(examples, example, `config/manifests/bases/${example}.clusterserviceversion.yaml`);
  test.runIf(existsSync(base))('declares it in the base of its bundle', () => {
    expect(parse(readFileSync(base, 'utf8')).metadata.annotations.capabilities).toBe(name);
  });
});
