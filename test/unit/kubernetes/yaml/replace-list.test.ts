import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { replaceYamlList } from '../../../../src/kubernetes/yaml/edit-yaml.ts';
import { parseYaml } from '../../../../src/kubernetes/yaml/read-yaml.ts';
import { YamlSpliceError } from '../../../../src/kubernetes/yaml/splice.ts';
import { toYaml } from '../../../../src/kubernetes/yaml/to-yaml.ts';

describe('replacing a list', () => {
  test.each([
    [
      'a block',
      '# top\nspec:\n  a: 1 # one\n  keywords:\n  - x\n  # lost\n  - y\n  z: 2\n',
      '# top\nspec:\n  a: 1 # one\n  keywords:\n  - new\n  z: 2\n',
    ],
    ['an indented block', 'spec:\n  keywords:\n    - x\n  z: 2\n', 'spec:\n  keywords:\n    - new\n  z: 2\n'],
    ['the end of the file', 'spec:\n  keywords:\n  - x', 'spec:\n  keywords:\n  - new'],
    ['brackets', 'spec:\n  keywords: [x, y] # why\n', 'spec:\n  keywords: ["new"] # why\n'],
    ['nothing', 'spec:\n  a: 1\n', 'spec:\n  a: 1\n  keywords:\n  - new\n'],
    ['an empty value', 'spec:\n  keywords:\n  z: 2\n', 'spec:\n  keywords:\n  - new\n  z: 2\n'],
    [
      'line ends of Windows',
      'spec:\r\n  keywords:\r\n  - x\r\n  z: 2\r\n',
      'spec:\r\n  keywords:\r\n  - new\r\n  z: 2\r\n',
    ],
  ])('in place of %s', (_, before, after) => {
    expect(replaceYamlList(before, ['spec', 'keywords'], ['new'])).toBe(after);
    expect(replaceYamlList(after, ['spec', 'keywords'], ['new'])).toBe(after);
  });

  test('refuses a value that is not a list', () => {
    expect(() => replaceYamlList('spec: {keywords: x}\n', ['spec', 'keywords'], ['new'])).toThrow(
      YamlSpliceError,
    );
  });

  test('puts any list into any document', () => {
    const text = fc.string({ maxLength: 12 });
    const item = fc.oneof(
      text,
      fc.dictionary(fc.stringMatching(/^[a-z]{1,5}$/), text, {
        minKeys: 1,
        maxKeys: 3,
        noNullPrototype: true,
      }),
    );
    const list = fc.array(item, { minLength: 1, maxLength: 4 });
    fc.assert(
      fc.property(list, list, fc.boolean(), (before, after, last) => {
        const rest = last ? { a: { b: [1] } } : { a: 1, z: { y: 'x' } };
        const source = toYaml({ ...rest, list: before });
        const result = replaceYamlList(source, ['list'], after);
        expect(parseYaml(result, 'x.yaml').value).toEqual({ ...rest, list: after });
      }),
    );
  });
});
