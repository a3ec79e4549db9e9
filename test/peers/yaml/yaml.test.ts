import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { toYaml } from '../../../src/yaml/to-yaml.ts';
import { trickyStrings, yamlSamples } from '../../unit/yaml/yaml-samples.ts';
import { buildYamlOracle } from './oracle.ts';

const oracle = buildYamlOracle();
const crds = join(import.meta.dirname, '../../../../shared/data/crds');
if ('missing' in oracle) console.log(`skipped: the comparison with sigs.k8s.io/yaml: ${oracle.missing}`);

describe.skipIf('missing' in oracle)('toYaml beside sigs.k8s.io/yaml', () => {
  const write = (values: readonly unknown[]) => ('missing' in oracle ? [] : oracle.write(values));
  afterAll(() => ('missing' in oracle ? undefined : oracle.close()));

  const compare = (values: readonly unknown[]) => {
    const expected = write(values);
    expect(expected).toHaveLength(values.length);
    for (const [i, value] of values.entries()) {
      expect(expected[i], `the original refused ${JSON.stringify(value)}`).toBeDefined();
      expect(toYaml(value), JSON.stringify(value)).toBe(expected[i]);
    }
  };

  it('is where the committed golden file comes from', async () => {
    await expect(`${JSON.stringify(write(yamlSamples), null, 2)}\n`).toMatchFileSnapshot(
      '../../unit/yaml/yaml-samples.golden.json',
    );
  });

  it('agrees on every real CRD', ({ skip }) => {
    if (!existsSync(crds)) skip('the corpus of CRDs is not here');
    const files = readdirSync(crds).filter((name) => name.endsWith('.yaml'));
    expect(files.length).toBeGreaterThan(100);
    compare(files.map((name) => parse(readFileSync(join(crds, name), 'utf8')) as unknown));
  });

  const word = fc.oneof(
    fc.constantFrom(...trickyStrings),
    fc.constantFrom(' ', '\n', ': ', ' #', '- ', "'", '"', 'lorem ipsum'),
  );
  const text = fc.oneof(
    word,
    fc.array(word, { maxLength: 8 }).map((words) => words.join('')),
    fc.string(),
    // Beyond the BMP it depends on the Unicode version of Node and of Go what a letter is, and so the order of keys.
    fc.string({ unit: 'binary' }).filter((characters) => !/[\u{10000}-\u{10ffff}]/u.test(characters)),
    fc.stringMatching(/^[-+.]?[0-9._xobeE:]{1,8}$/),
    fc.stringMatching(/^[-+]?0[xob][0-9a-f_]{1,18}$/),
    fc.stringMatching(
      /^[12][0-9]{3}-[0-9]{1,2}-[0-9]{1,2}([Tt ][0-9]{1,2}:[0-9]{1,2}:[0-9]{1,2}(\.[0-9]+)?(Z|[+-][0-9]{2}:[0-9]{2})?)?$/,
    ),
  );
  const { tree } = fc.letrec<{ tree: unknown }>((tie) => ({
    tree: fc.oneof(
      { depthSize: 'medium', withCrossShrink: true },
      text,
      fc.double({ noNaN: true, noDefaultInfinity: true }),
      fc.integer(),
      fc.constantFrom(null, true, false),
      fc.array(tie('tree'), { maxLength: 5 }),
      // Two keys: the natural order of three can have a cycle, where the original's output depends on chance.
      fc.dictionary(text, tie('tree'), { maxKeys: 2, noNullPrototype: true }),
    ),
  }));

  // One process for many values: each property gives the oracle a whole sample.
  it.each(['strings', 'trees'] as const)('agrees on generated %s', (kind) => {
    const sample: fc.Arbitrary<unknown[]> = fc.array(kind === 'strings' ? text : tree, {
      minLength: 200,
      maxLength: 200,
    });
    fc.assert(fc.property(sample, compare), { numRuns: 25, endOnFailure: true });
  });
});
