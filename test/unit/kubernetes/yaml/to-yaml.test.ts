import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { toYaml } from '../../../../src/kubernetes/yaml/to-yaml.ts';
import { holdsQuotedText, yamlSamples } from './yaml-samples.ts';
import { runs } from '../../../helpers/thorough.ts';

describe('toYaml', () => {
  // Written by sigs.k8s.io/yaml: test/peers/yaml.
  const golden = JSON.parse(
    readFileSync(join(import.meta.dirname, 'yaml-samples.golden.json'), 'utf8'),
  ) as string[];

  it('writes every sample as sigs.k8s.io/yaml does', () => {
    expect(golden).toHaveLength(yamlSamples.length);
    for (const [i, sample] of yamlSamples.entries())
      if (!holdsQuotedText(sample)) expect(toYaml(sample), JSON.stringify(sample)).toBe(golden[i]);
  });

  it('is read back as the same value', () => {
    const json = fc.jsonValue({ maxDepth: 4, noUnicodeString: false });
    fc.assert(
      fc.property(json, (value) => {
        const plain = JSON.parse(JSON.stringify(value)) as unknown;
        expect(parse(toYaml(plain))).toEqual(plain);
      }),
      { numRuns: runs(500) },
    );
  });

  it('does not depend on the order of insertion, even where the natural order has a cycle', () => {
    const expected = toYaml({ '27': 1, '94': 2, '9r': 3 });
    expect(toYaml({ '9r': 3, '94': 2, '27': 1 })).toBe(expected);
  });

  it('puts = and << into quotes, which YAML 1.1 reads as something else than texts', () => {
    expect(toYaml({ '=': ['=', '<<', '=~', '!=', '<', '=='], '<<': 1 })).toBe(
      "'<<': 1\n'=':\n- '='\n- '<<'\n- =~\n- '!='\n- <\n- ==\n",
    );
  });

  // What PyYAML 6 reads of them when they are plain: dates, numbers, and errors.
  it.each([
    ['2001-02-30', '2001-99-99', '0000-00-00', '2001-01-01T12:60:00Z', '2001-1-5 8:19:54Z'],
    ['2001-12-14 21:59:43.10 -5', '2001-12-14t1:02:03.5-8:39', '2001-1-1\t1:02:03'],
    ['0b_', '0b__', '-0x_', '0_', '.5_', '1.0e+400', '-.5_e+3'],
  ])('puts texts into quotes that are dates and numbers to YAML 1.1: %s, %s, %s …', (...texts) => {
    for (const text of texts) expect(toYaml({ [text]: text })).toMatch(/^(["']).*\1: (["']).*\2\n$/);
  });

  it.each(['12345-01-01', '2001-01-01-x', '0o8', '0b2', '1.2.3', '.', '._5', '1e5x', 'v1', '=~'])(
    'leaves a text plain that is one to all of them: %s',
    (text) => {
      expect(toYaml([text])).toBe(`- ${text}\n`);
    },
  );

  it('leaves undefined properties out', () => {
    expect(toYaml({ a: undefined, b: { c: undefined } })).toBe('b: {}\n');
  });

  it('writes the same object twice where it occurs twice', () => {
    const shared = { a: 1 };
    expect(toYaml([shared, shared])).toBe('- a: 1\n- a: 1\n');
  });

  const cyclic: Record<string, unknown> = {};
  cyclic.self = cyclic;
  it.each<[string, unknown, RegExp]>([
    ['NaN', { a: NaN }, /NaN/],
    ['an infinity', [-Infinity], /-Infinity/],
    ['undefined at the root', undefined, /undefined/],
    ['undefined in a list', [undefined], /undefined/],
    ['a hole in a list', [1, , 3], /undefined/],
    ['a function', { a: () => 1 }, /function/],
    ['a bigint', { a: 1n }, /bigint/],
    ['a date', { a: new Date(0) }, /Date/],
    ['a map', new Map(), /Map/],
    ['a cycle', cyclic, /itself/],
    ['half of a surrogate pair', { a: 'x\ud800' }, /surrogate/],
    ['half of a surrogate pair in a key', { '\udc00': 1 }, /surrogate/],
  ])('refuses %s', (_name, value, message) => {
    expect(() => toYaml(value)).toThrow(TypeError);
    expect(() => toYaml(value)).toThrow(message);
  });
});
