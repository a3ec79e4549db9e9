import { Readable } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { isOpSdkError } from '../../../../src/base/errors/index.ts';
import {
  parseKubernetesYaml,
  type KubernetesYamlOptions,
} from '../../../../src/kubernetes/yaml/kubernetes-yaml.ts';
import { YamlBudget, yamlLimits, readYamlStream } from '../../../../src/kubernetes/yaml/limits.ts';

const values = (text: string, options?: KubernetesYamlOptions): readonly unknown[] =>
  parseKubernetesYaml(text, 'f.yaml', options).map(({ value }) => value);

/** The findings of a refused text, each of which has a fix: `code line:column message`. */
function refusal(text: string, options?: KubernetesYamlOptions): readonly string[] {
  try {
    parseKubernetesYaml(text, 'f.yaml', options);
  } catch (error) {
    if (!isOpSdkError(error)) throw error;
    return error.findings.map(({ code, message, where, fix }) => {
      expect(fix, message).toBeDefined();
      const { line, column } = where as { line?: number; column?: number };
      return `${code} ${line ?? '-'}:${column ?? '-'} ${message}`;
    });
  }
  throw new Error('the text was not refused');
}

describe('parseKubernetesYaml', () => {
  it.each<[string, unknown]>([
    ["a: 'text\nof lines\nless indented'\n", { a: 'text of lines less indented' }],
    ['spec:\n  a: "x\n\n y\\\n  z"\n', { spec: { a: 'x\nyz' } }],
    ['a: 1\nb: 2\na: 3\n', { a: 3, b: 2 }],
    ['a: on\nb: 0644\nc: y\nd: 1_000\ne: 0b11', { a: true, b: 420, c: true, d: 1000, e: 3 }],
    ['a: 2020-01-01\nb: 1:30\nc: 12e999', { a: '2020-01-01', b: '1:30', c: '12e999' }],
    ['on: a\n8080: b\n1.5: c', { true: 'a', '8080': 'b', '1.5': 'c' }],
    ['a: 18446744073709551616', { a: 18446744073709551616 }],
    ['a: !!str 12\nb: !!int "7"\nc: !!binary aGk=\nd: !local 5', { a: '12', b: 7, c: 'hi', d: '5' }],
    ['a: &a {x: 1}\nb:\n  <<: *a\n  z: 2', { a: { x: 1 }, b: { x: 1, z: 2 } }],
    ['b:\n  !!merge <<: {x: 1}\n  <<: {z: 2}', { b: { x: 1, z: 2 } }],
    ['b: {x: 1, <<: {x: 2}}\nc: {<<: [{x: 1}, {x: 2}]}\nd: <<', { b: { x: 2 }, c: { x: 1 }, d: '<<' }],
    ['a: "<<"\n"<<": b', { a: '<<', '<<': 'b' }],
    ['\ufeffa: b\r\nc: d\r\n', { a: 'b', c: 'd' }],
    ['__proto__: {a: 1}', JSON.parse('{"__proto__": {"a": 1}}')],
    ['{"a": "\\u00e9", "b": [1e3, null]}', { a: 'é', b: [1000, null] }],
  ])('reads %j as Kubernetes does', (text, value) => {
    expect(values(text)).toEqual([value]);
  });

  it.each<[string, unknown]>([
    ['a: on\nb: 0644\nc: y\nd: true\non: TRUE', { a: 'on', b: 420, c: 'y', d: true, on: true }],
    [
      'a: 2001-12-14T21:59:43.1-05:00\nb: "2001-01-01"\nc: 2001-13-01',
      {
        a: '2001-12-14T21:59:43.1-05:00',
        b: '2001-01-01',
        c: '2001-13-01',
      },
    ],
    ['"1": a\n"true": b', { '1': 'a', true: 'b' }],
  ])('reads %j as kustomize does', (text, value) => {
    expect(values(text, { reader: 'kustomize' })).toEqual([value]);
  });

  it.each([
    ['a:\n- 2001-01-01', 'io/yaml-ambiguous 2:3 kustomize reads 2001-01-01 as a time'],
    [
      'a: 2001-12-14T21:59:43+00:00',
      'io/yaml-ambiguous 1:1 kustomize reads 2001-12-14T21:59:43+00:00 as a time',
    ],
    ['a: {1: b}', 'io/yaml-not-json 1:5 YAML does not read the key 1 as text'],
    ['~: b', 'io/yaml-not-json 1:1 YAML does not read the key ~ as text'],
    ['a: !!bool y', 'io/yaml-syntax '],
    ['a: b\na: c', 'io/yaml-syntax 2:1 the key "a" occurs twice'],
  ])('refuses %j, as kustomize cannot build with it or changes it', (text, start) => {
    expect(refusal(text, { reader: 'kustomize' })[0]).toContain(start);
  });

  it('cuts documents where apimachinery does, and leaves out empty ones', () => {
    expect(values('# c\n---\na: 1\n--- # d\nb: 2\n---\n---\n')).toEqual([{ a: 1 }, { b: 2 }]);
  });

  it.each([
    ['a: [1', 'io/yaml-syntax 1:7 '],
    ['a: 1\n---\nb: c: d\n', 'io/yaml-syntax 3:5 bad indentation of a mapping entry'],
    ['a: b\n...\nc: d', 'io/yaml-syntax 1:1 the file has text after the end of a document'],
    ['a: .inf', 'io/yaml-not-json 1:1 JSON has no Infinity'],
    ['a:\n  - x\n  - 9223372036854775807', 'io/yaml-not-json 3:5 9223372036854775807 cannot be kept exactly'],
    ['a: &a\n  - *a', 'io/yaml-not-json 1:1 an alias is used inside of the value'],
    ['a: 1\n{{ .Name }}: x', 'io/yaml-not-json '],
    ['a: x\u2028y', 'io/yaml-ambiguous 1:5 the character U+2028'],
    ['a: *b', 'io/yaml-syntax 1:6 unidentified alias'],
  ])('refuses %j', (text, start) => {
    expect(refusal(text)[0]).toContain(start);
  });

  it('refuses each document that cannot be read', () => {
    expect(refusal('a: [\n---\nb: .nan\n---\nc: 1\n').map((line) => line.split(' ')[0])).toEqual([
      'io/yaml-syntax',
      'io/yaml-not-json',
    ]);
  });

  it('keeps numbers of 64 bits where they are only looked at, or mean doubles', () => {
    expect(values('a: 9223372036854775807', { roundIntegers: true })).toEqual([{ a: 2 ** 63 }]);
    const schema = 'spec: {openAPIV3Schema: {properties: {a: {maximum: 9223372036854775807}}}}';
    expect(() => values(schema)).not.toThrow();
  });

  it('knows the place of every value', () => {
    const text = `# comment
---
a: 'x
y'
list:
- 
- name: one
  args: [p, q, "r"]
- &second
  name: two
again: *second
? long
: short
b: {c: 1, d: [2]}
`;
    const [document] = parseKubernetesYaml(text, 'f.yaml');
    const at = (...path: (string | number)[]): string => {
      const { line, column } = document?.locate(path) ?? { line: 0, column: 0 };
      return `${line}:${column}`;
    };
    expect(at()).toBe('3:1');
    expect(at('list')).toBe('5:1');
    expect(at('list', 1)).toBe('7:3');
    expect(at('list', 1, 'name')).toBe('7:3');
    expect(at('list', 1, 'args', 2)).toBe('8:16');
    expect(at('list', 2, 'name')).toBe('10:3');
    expect(at('again', 'name')).toBe('10:3');
    expect(at('long')).toBe('12:3');
    expect(at('b', 'd', 0)).toBe('14:15');
    expect(at('b', 'missing', 'deeper')).toBe('14:1');
  });
});

describe('the limits of other people’s YAML', () => {
  const most = 200_000;

  it.each<[string, () => string, string]>([
    ['an endless line', () => `a: ${'x'.repeat(yamlLimits.bytes)}`, '20 MiB'],
    ['lines', () => '# x\n'.repeat(yamlLimits.lines), '1,000,000 lines'],
    ['escapes', () => `a: "${'\\n'.repeat(yamlLimits.escapes + 1)}"`, '1,000,000 escapes'],
    ['values', () => `[${'0,'.repeat(yamlLimits.values)}]`, '500,000 values'],
    ['documents', () => 'a: 1\n---\n'.repeat(100_000), '500,000 values'],
    ['brackets', () => '['.repeat(most), '400 levels'],
    ['dashes', () => '- '.repeat(most), '400 levels'],
    [
      'indentation',
      () => Array.from({ length: 500 }, (_, i) => `${' '.repeat(i)}a:\n`).join(''),
      '400 levels',
    ],
    [
      'aliases',
      () =>
        `a: &a0 [x]\n${Array.from({ length: 30 }, (_, i) => `a${i}: &a${i + 1} [*a${i}, *a${i}]`).join('\n')}`,
      '500,000 values',
    ],
    [
      'merges',
      () =>
        `b: &b {${Array.from({ length: 1000 }, (_, i) => `k${i}: 1`).join(', ')}}\n${'- '.repeat(0)}m:\n${'- {<<: *b}\n'.repeat(600)}`,
      '500,000 values',
    ],
  ])('hold for %s', (_name, text, limit) => {
    const findings = refusal(text());
    expect(findings[0]).toContain('io/too-large');
    expect(findings[0]).toContain(limit);
  });

  it('do not make a refusal slow: a text of many short lines that never ends', () => {
    expect(refusal(`a: "${'x\n'.repeat(300_000)}`)).toEqual([
      expect.stringContaining('unexpected end of the stream within a double quoted scalar'),
    ]);
  });

  it('let pass what the largest bundles hold', () => {
    const text = Array.from({ length: 126_000 }, (_, i) => `k${i}: ${i}\n`).join('');
    expect(Object.keys(values(text)[0] as object)).toHaveLength(126_000);
  });

  it('hold for all files of a command together', () => {
    const budget = new YamlBudget();
    const text = `[${'0,'.repeat(300_000)}]`;
    expect(values(text, { budget })).toHaveLength(1);
    expect(refusal(text, { budget })[0]).toContain('io/too-large');
  });

  it('leave a stream that goes on', async () => {
    let chunks = 0;
    const endless = Readable.from(
      (function* () {
        for (;;) {
          chunks++;
          yield Buffer.alloc(65_536, 'x');
        }
      })(),
    );
    await expect(readYamlStream(endless, '-')).rejects.toThrow('20 MiB');
    expect(chunks).toBeLessThan(400);
    expect(endless.destroyed).toBe(true);
  });
});
