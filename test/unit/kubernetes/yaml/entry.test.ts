import fc from 'fast-check';
import { expect, test } from 'vitest';
import { toYaml, yamlEntry } from '../../../../src/kubernetes/yaml/to-yaml.ts';

test('entries, put together, are the document', () => {
  const document = {
    spec: { names: { kind: 'A' }, text: 'a b '.repeat(40), versions: [{ name: 'v1' }, 'ends\n\n'] },
  };
  const lines = [
    'spec:',
    yamlEntry('  names:', document.spec.names),
    yamlEntry('  text:', document.spec.text),
    '  versions:',
    ...document.spec.versions.map((version) => yamlEntry('  -', version)),
  ];
  expect(`${lines.join('\n')}\n`).toBe(toYaml(document));
});

test('whatever the value', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      expect(`a:\n  b:\n${yamlEntry('    c:', value)}\n`).toBe(toYaml({ a: { b: { c: value } } }));
      expect(`a:\n${yamlEntry('-', value)}\n`).toBe(toYaml({ a: [value] }));
    }),
  );
});

test.each(['names', ' names:', '   -', '- names:', ''])('refuses the label %j', (label) => {
  expect(() => yamlEntry(label, 1)).toThrow(TypeError);
});
