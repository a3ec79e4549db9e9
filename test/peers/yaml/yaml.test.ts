import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { isOpSdkError } from '../../../src/base/errors/index.ts';
import { parseKubernetesYaml } from '../../../src/kubernetes/yaml/kubernetes-yaml.ts';
import { cutYamlStream } from '../../../src/kubernetes/yaml/stream.ts';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { toYaml } from '../../../src/kubernetes/yaml/to-yaml.ts';
import { holdsQuotedText, trickyStrings, yamlSamples } from '../../unit/kubernetes/yaml/yaml-samples.ts';
import { buildYamlOracle } from './oracle.ts';

const oracle = buildYamlOracle();
const data = join(import.meta.dirname, '../../../../shared/data');
const crds = join(data, 'crds');
if ('missing' in oracle) console.log(`skipped: the comparison with sigs.k8s.io/yaml: ${oracle.missing}`);

afterAll(() => ('missing' in oracle ? undefined : oracle.close()));

describe.skipIf('missing' in oracle)('toYaml beside sigs.k8s.io/yaml', () => {
  const write = (values: readonly unknown[]) => ('missing' in oracle ? [] : oracle.write(values));
  const read = (texts: readonly string[]) => ('missing' in oracle ? [] : oracle.read(texts));
  const compare = (values: readonly unknown[]) => {
    const expected = write(values);
    expect(expected).toHaveLength(values.length);
    const quoted: unknown[] = [];
    for (const [i, value] of values.entries()) {
      expect(expected[i], `the original refused ${JSON.stringify(value)}`).toBeDefined();
      if (holdsQuotedText(value)) quoted.push(value);
      else expect(toYaml(value), JSON.stringify(value)).toBe(expected[i]);
    }
    // The quotes change nothing for Go; the original's own text with a key << it could not read, or would merge.
    const asJson = quoted.map((value) => ({ value: JSON.parse(JSON.stringify(value)) as unknown }));
    expect(read(quoted.map((value) => toYaml(value)))).toEqual(asJson);
  };

  it('is where the committed golden file comes from', async () => {
    await expect(`${JSON.stringify(write(yamlSamples), null, 2)}\n`).toMatchFileSnapshot(
      '../../unit/kubernetes/yaml/yaml-samples.golden.json',
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

describe.skipIf('missing' in oracle)('parseKubernetesYaml beside sigs.k8s.io/yaml', () => {
  const read = (texts: readonly string[]) => ('missing' in oracle ? [] : oracle.read(texts));

  /** The value of one document; undefined if it is refused. */
  const ours = (text: string): { readonly value: unknown } | undefined => {
    try {
      const [document] = parseKubernetesYaml(text, 'f.yaml', { roundIntegers: true });
      // JSON has no -0.
      return { value: JSON.parse(JSON.stringify(document?.value ?? null)) as unknown };
    } catch (error) {
      if (!isOpSdkError(error)) throw error;
      return undefined;
    }
  };

  it('reads every file of the published CRDs and bundles alike', ({ skip }) => {
    if (!existsSync(crds)) skip('the corpora of CRDs and bundles are not here');
    const files = ['crds', 'bundles', 'olm'].flatMap((folder) =>
      readdirSync(join(data, folder), { recursive: true, encoding: 'utf8' })
        .filter((name) => /\.ya?ml$/.test(name))
        .map((name) => join(data, folder, name)),
    );
    expect(files.length).toBeGreaterThan(300);
    const documents = files.flatMap((file) =>
      cutYamlStream(readFileSync(file, 'utf8')).map(({ text, line }) => ({ text, name: `${file}:${line}` })),
    );
    const answers = read(documents.map(({ text }) => text));
    for (const [i, { text, name }] of documents.entries()) expect(ours(text), name).toEqual(answers[i]);
  });

  const scalar = fc.oneof(
    fc.constantFrom(
      ...trickyStrings.filter((text) => !/[\0-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029\ufeff]/.test(text)),
    ),
    fc.stringMatching(/^[-+.]?[0-9._xobeE:]{1,8}$/),
    fc.stringMatching(/^[-+]?0[xob][0-9a-f_]{1,18}$/),
    fc.constantFrom(
      'on',
      'Off',
      'y',
      'N',
      '~',
      'null',
      '',
      '<<',
      '=',
      '0644',
      '1_000',
      '2020-01-01',
      '- x',
      'a b',
    ),
  );

  it('reads plain scalars alike', () => {
    const word = scalar.filter((text) => /^[-+.0-9A-Za-z_:~=<]*$/.test(text) && !/:$|^<<$/.test(text));
    fc.assert(
      fc.property(fc.array(word, { minLength: 300, maxLength: 300 }), (words) => {
        const texts = words.map((text) => `a: ${text}\n`);
        const answers = read(texts);
        for (const [i, text] of texts.entries()) expect(ours(text), text).toEqual(answers[i]);
      }),
      { numRuns: 10, endOnFailure: true },
    );
  });

  // Documents as people write them, put together from lines: most are valid in some way, some are not.
  const indent = fc.constantFrom('', '', '  ', '  ', '    ', '- ', '  - ');
  const head = fc.constantFrom(
    'a:',
    'b:',
    'c: ',
    'd: &x',
    'e: *x',
    '<<: *x',
    '? a',
    ': b',
    '#',
    'a: |',
    'b: >-',
    'c: |2+',
  );
  const tail = fc.constantFrom(
    '',
    ' x',
    " 'one",
    " two'",
    ' "one',
    ' two"',
    ' [a, b]',
    ' {a: 1, b: [c]}',
    ' 0644 # c',
    ' on',
    ' !!str 1',
  );
  const line = fc.oneof(
    { weight: 4, arbitrary: fc.tuple(indent, head, tail).map((parts) => parts.join('')) },
    fc
      .tuple(
        indent,
        scalar.filter((text) => !/\n/.test(text)),
      )
      .map((parts) => parts.join('')),
    fc.constantFrom('', '  text', '    more text', "it's", '"', "'"),
  );

  it('reads generated documents alike, or refuses them', () => {
    let both = 0;
    fc.assert(
      fc.property(
        fc.array(fc.array(line, { minLength: 1, maxLength: 6 }), { minLength: 300, maxLength: 300 }),
        (documents) => {
          const texts = documents.map((lines) => `${lines.join('\n')}\n`);
          const answers = read(texts);
          for (const [i, text] of texts.entries()) {
            const [theirs, own] = [answers[i], ours(text)];
            if (theirs === undefined || own === undefined) continue;
            both++;
            expect(own, text).toEqual(theirs);
          }
        },
      ),
      { numRuns: 30, endOnFailure: true },
    );
    expect(both).toBeGreaterThan(500);
  });
});
