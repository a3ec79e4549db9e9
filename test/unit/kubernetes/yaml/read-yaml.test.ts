import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { formatWhere } from '../../../../src/base/errors/op-sdk-error.ts';
import { isOpSdkError } from '../../../../src/base/errors/index.ts';
import { parseYaml, parseYamlDocuments } from '../../../../src/kubernetes/yaml/read-yaml.ts';
import { toYaml } from '../../../../src/kubernetes/yaml/to-yaml.ts';
import { trickyStrings } from './yaml-samples.ts';

/** The findings of a refused file: `code line:column message`. */
function refusal(read: () => unknown): string[] {
  try {
    read();
  } catch (error) {
    if (!isOpSdkError(error)) throw error;
    return error.findings.map(({ code, message, where }) => {
      const place = where === undefined ? '' : formatWhere(where).replace('f.yaml:', '');
      return `${code} ${place} ${message}`;
    });
  }
  throw new Error('the file was not refused');
}

describe('parseYaml', () => {
  const value = (text: string) => parseYaml(text, 'f.yaml').value;

  it.each<[string, unknown]>([
    ['', null],
    ['# nothing\n', null],
    ['---\na: 1\n', { a: 1 }],
    ['{"a": [1, true, null, "x"]}', { a: [1, true, null, 'x'] }],
    ['a: ~\nb:\nc: null', { a: null, b: null, c: null }],
    [
      'a: 2026-01-02\nb: 2026-01-02T15:04:05Z\nc: 1:30',
      { a: '2026-01-02', b: '2026-01-02T15:04:05Z', c: '1:30' },
    ],
    ['a: "on"\nb: \'0644\'\nc: !!str yes', { a: 'on', b: '0644', c: 'yes' }],
    ['a: 0o644\nb: 0x1F\nc: 1e3\nd: -1.5\ne: +1', { a: 420, b: 31, c: 1000, d: -1.5, e: 1 }],
    ['8080: x\ntrue: z', { '8080': 'x', true: 'z' }],
    ['a: |\n  x\n  y\nb: >-\n  x\n  y', { a: 'x\ny\n', b: 'x y' }],
    [
      'base: &b {x: 1, y1: 2}\nd: {<<: *b, x: 3}\ne: *b',
      { base: { x: 1, y1: 2 }, d: { x: 3, y1: 2 }, e: { x: 1, y1: 2 } },
    ],
    [
      'a: &a {x: 1}\nb: &b {x: 2, z: 3}\nc: {<<: [*a, *b]}',
      { a: { x: 1 }, b: { x: 2, z: 3 }, c: { x: 1, z: 3 } },
    ],
    ['"<<": 1', { '<<': 1 }],
    ['a: 5e12345\nb: 0xFFFFFFFFFFFFFFFFF', { a: '5e12345', b: '0xFFFFFFFFFFFFFFFFF' }],
    ['a: 12345678901234567890.5', { a: 12345678901234567890.5 }],
  ])('reads %j', (text, expected) => {
    expect(value(text)).toEqual(expected);
  });

  it('keeps a key named __proto__ as a key', () => {
    const read = value('__proto__: {a: 1}\n') as object;
    expect(Object.keys(read)).toEqual(['__proto__']);
    expect(Object.getPrototypeOf(read)).toBe(Object.prototype);
  });

  it('reads back whatever toYaml writes', () => {
    const json = fc.letrec<{ tree: unknown }>((tie) => ({
      tree: fc.oneof(
        { depthSize: 'small' },
        fc.constantFrom(...trickyStrings),
        fc.string(),
        fc.maxSafeInteger(),
        fc.constantFrom(null, true, false, 1.5, 1e-7),
        fc.array(tie('tree')),
        fc.dictionary(fc.oneof(fc.constantFrom(...trickyStrings), fc.string()), tie('tree'), {
          noNullPrototype: true,
        }),
      ),
    })).tree;
    fc.assert(
      fc.property(json, (tree) => {
        const text = toYaml(tree);
        // Two flaws of the form itself: it leaves these breaks unescaped, and a key that happens to be `<<` plain.
        fc.pre(!/[\u2028\u2029]|<<:/.test(text));
        expect(value(text)).toEqual(tree);
      }),
    );
  });

  it.each<[string, string[]]>([
    ['a: [1\nb: 2', ['io/yaml-syntax 2:1 flow sequence in block collection must be sufficiently indented']],
    ['a: b: c', ['io/yaml-syntax 1:4 nested mappings are not allowed in compact mappings']],
    [
      'a: 1\nb: 2\na: 3\nb: 4',
      ['io/yaml-syntax 3:1 the key "a" occurs twice', 'io/yaml-syntax 4:1 the key "b" occurs twice'],
    ],
    ['1: a\n"1": b', ['io/yaml-syntax 2:1 the key "1" occurs twice']],
    ['a: *missing', ['io/yaml-syntax 1:4 the alias *missing has no anchor before it']],
    ['a: 1\n---\nb: 2', ['io/yaml-syntax 3:1 the file holds several YAML documents']],
    ['a: 1\n---\n', ['io/yaml-syntax 2:4 the file holds several YAML documents']],
    [
      'a: on\nb:\n- 0644\n- 1_000\ny: no',
      [
        'io/yaml-ambiguous 1:4 on is true to Kubernetes\' tools (YAML 1.1), but the string "on" in YAML 1.2',
        "io/yaml-ambiguous 3:3 0644 is 420 to Kubernetes' tools (YAML 1.1), but 644 in YAML 1.2",
        "io/yaml-ambiguous 4:3 1_000 is 1000 to Kubernetes' tools",
        "io/yaml-ambiguous 5:1 y is true to Kubernetes' tools",
        "io/yaml-ambiguous 5:4 no is false to Kubernetes' tools",
      ],
    ],
    [
      'a: .inf\nb: .nan',
      ['io/yaml-not-json 1:4 .inf is not a JSON number', 'io/yaml-not-json 2:4 .nan is not a JSON number'],
    ],
    ['a: 12345678901234567890', ['io/yaml-not-json 1:4 12345678901234567890 cannot be kept exactly']],
    [
      '[a]: 1\n? {b: 1}\n: 2\n~: 3',
      ['io/yaml-not-json 1:1 a key', 'io/yaml-not-json 2:3 a key', 'io/yaml-not-json 4:1 a key'],
    ],
    ['a: !Ref b', ['io/yaml-not-json 1:4 unresolved tag: !Ref']],
    ['a: &a\n  b: *a', ['io/yaml-not-json 2:6 the alias is inside the value']],
    ['a: {<<: 1}', ['io/yaml-syntax 1:5 a `<<` key needs a mapping']],
  ])('refuses %j', (text, expected) => {
    const findings = refusal(() => parseYaml(text, 'f.yaml'));
    expect(findings).toHaveLength(expected.length);
    for (const [i, finding] of findings.entries())
      expect(finding.startsWith(expected[i] ?? '?'), finding).toBe(true);
  });

  // `maximum` and its like are doubles in Kubernetes: what JavaScript makes of such an integer is what the API server holds.
  it.each([
    ['openAPIV3Schema: {maximum: 9223372036854775807}', 2 ** 63],
    [
      'openAPIV3Schema: {properties: {default: {items: {anyOf: [{minimum: -9223372036854775808}]}}}}',
      -(2 ** 63),
    ],
    ['spec: {openAPIV3Schema: {additionalProperties: {not: {multipleOf: 9007199254740993}}}}', 2 ** 53],
  ])('keeps the bound in %s as the double that it is', (text, expected) => {
    const numbers: unknown[] = [];
    JSON.stringify(parseYaml(text, 'f.yaml').value, (_key, value: unknown) => {
      if (typeof value === 'number') numbers.push(value);
      return value;
    });
    expect(numbers).toEqual([expected]);
  });

  it.each([
    'maximum: 9223372036854775807',
    'openAPIV3Schema: {maxLength: 9223372036854775807}',
    'openAPIV3Schema: {default: {maximum: 9223372036854775807}}',
    'openAPIV3Schema: {enum: [9223372036854775807]}',
    'openAPIV3Schema: {properties: {maximum: 9223372036854775807}}',
    'openAPIV3Schema: {properties: {a: &a {maximum: 9223372036854775807}}, default: *a}',
    'openAPIV3Schema: {maximum: &a 1, minimum: {maximum: 9223372036854775807}}',
  ])('refuses the integer in %s, which is none of them', (text) => {
    expect(refusal(() => parseYaml(text, 'f.yaml')).join()).toContain('cannot be kept exactly');
  });

  it('refuses aliases that expand without bound', () => {
    const lines = ['a0: &a0 [x, x, x, x, x, x, x, x, x, x]'];
    for (let i = 1; i <= 8; i++)
      lines.push(
        `a${i}: &a${i} [${Array<string>(10)
          .fill(`*a${i - 1}`)
          .join(', ')}]`,
      );
    expect(refusal(() => parseYaml(lines.join('\n'), 'f.yaml'))).toEqual([
      expect.stringMatching(
        /^io\/yaml-syntax 6:\d+ aliases expand the document to more than 1000000 values$/,
      ),
    ]);
  });

  it.each([
    ['foo: [1', 'correct the YAML at this place'],
    ['a: *missing', 'correct the YAML at this place'],
    ['a: .inf', 'correct the YAML at this place'],
    ['a: !Ref b', 'remove the tag'],
    ['a: 1\na: 2', 'remove one of them'],
  ])('says how to mend %j', (text, fix) => {
    const fixes: unknown[] = [];
    try {
      parseYaml(text, 'f.yaml');
    } catch (error) {
      if (!isOpSdkError(error)) throw error;
      fixes.push(...error.findings.map((finding) => finding.fix));
    }
    expect(fixes.length).toBeGreaterThan(0);
    expect(new Set(fixes.flat())).toEqual(new Set([fix]));
  });

  it('gives a fix with each ambiguous value', () => {
    try {
      parseYaml('a: 0644', 'f.yaml');
      expect.unreachable();
    } catch (error) {
      expect(isOpSdkError(error) && error.findings[0].fix).toEqual([
        'write "0644" for the string, 420 for the number',
      ]);
    }
  });

  it('locates the value at a path, or the nearest value that contains it', () => {
    const text = 'spec:\n  list:\n  - name: a\n    ports: [1, 2]\n  - &x {name: b}\n  ref: *x\n  8080: p\n';
    const document = parseYaml(text, 'f.yaml');
    const at = (...path: (string | number)[]) => formatWhere(document.locate(path));
    expect(at()).toBe('f.yaml:1:1');
    expect(at('spec', 'list')).toBe('f.yaml:2:3');
    expect(at('spec', 'list', 0, 'ports', 1)).toBe('f.yaml:4:16');
    expect(at('spec', 'list', 1, 'name')).toBe('f.yaml:5:9');
    expect(at('spec', 'ref', 'name')).toBe('f.yaml:5:9');
    expect(at('spec', '8080')).toBe('f.yaml:7:3');
    expect(at('spec', 'list', 7, 'name')).toBe('f.yaml:2:3');
    expect(at('status')).toBe('f.yaml:1:1');
  });
});

describe('parseYamlDocuments', () => {
  it('gives every document that is not empty, with places in the whole file', () => {
    const documents = parseYamlDocuments('---\n# a comment\n---\na: 1\n---\n---\nb: 2\n---\n', 'f.yaml');
    expect(documents.map(({ value }) => value)).toEqual([{ a: 1 }, { b: 2 }]);
    expect(documents.map((document) => document.locate(['b']).line)).toEqual([4, 7]);
    expect(parseYamlDocuments('', 'f.yaml')).toEqual([]);
  });

  it('reports the problems of all documents at once', () => {
    expect(refusal(() => parseYamlDocuments('a: on\n---\nb: [x\n---\nc: 1\nc: 2\n', 'f.yaml'))).toEqual([
      expect.stringMatching(/^io\/yaml-ambiguous 1:4 /),
      expect.stringMatching(/^io\/yaml-syntax 4:1 flow sequence/),
      expect.stringMatching(/^io\/yaml-syntax 6:1 the key "c" occurs twice/),
    ]);
  });

  const crds = join(import.meta.dirname, '../../../../../shared/data/crds');
  it('reads real CRDs', ({ skip }) => {
    if (!existsSync(crds)) skip('the corpus of CRDs is not here');
    for (const name of readdirSync(crds)
      .filter((file) => file.endsWith('.yaml'))
      .slice(0, 30)) {
      const [document, ...more] = parseYamlDocuments(readFileSync(join(crds, name), 'utf8'), name);
      expect(more).toEqual([]);
      expect(document?.value).toMatchObject({ kind: 'CustomResourceDefinition' });
    }
  });
});

describe('nesting', () => {
  const levels = (count: number): string =>
    Array.from({ length: count }, (_, level) => `${' '.repeat(level)}a:\n`).join('') +
    `${' '.repeat(count)}b\n`;

  it.each([
    ['mappings', levels(400), 401],
    ['lists in flow style', `a: 1\nb: ${'['.repeat(401)}${']'.repeat(401)}\n`, 2],
    // Without a bound this would take the whole process with it.
    ['brackets that are not closed', '['.repeat(100_000), 1],
    ['lists in lists', `a:\n${'- '.repeat(401)}b\n`, 2],
  ])('of %s beyond 400 levels is refused with its line', (_, text, line) => {
    expect(refusal(() => parseYaml(text, 'f.yaml'))).toEqual([
      `io/yaml-syntax ${line}:1 values are nested more than 400 levels deep`,
    ]);
  });

  it('of 300 levels is read', () => {
    expect(() => parseYaml(levels(300), 'f.yaml')).not.toThrow();
    expect(() => parseYaml(`${'['.repeat(300)}${']'.repeat(300)}`, 'f.yaml')).not.toThrow();
  });
});
