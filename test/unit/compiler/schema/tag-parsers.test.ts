import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Doc, Tag } from '../../../../src/compiler/schema/shape.ts';
import { parseCel, allowsOf } from '../../../../src/compiler/schema/tags/cel.ts';
import {
  isKnownTag,
  readTagName,
  schemaTags,
  tagPrefixes,
  type TagPrefix,
  handDown,
  writtenName,
  parseDescription,
} from '../../../../src/compiler/schema/tags/tag-names.ts';
import { parseK8s } from '../../../../src/compiler/schema/tags/values.ts';
import { parseExternalDocs } from '../../../../src/compiler/schema/tags/shape-rules.ts';

const placed = { file: undefined as never, position: 0 };
const tag = (name: string, text = ''): Tag => ({ name, text, ...placed });
const docOf = (...tags: Tag[]): Doc => ({
  id: 1,
  label: 'Spec.field',
  kind: 'member',
  node: undefined as never,
  tags,
  problems: [],
  advice: [],
});

const prefixes = fc.array(fc.constantFrom<TagPrefix>(...tagPrefixes), { maxLength: 4 });

describe('the names of tags', () => {
  test('prefixes are read to any depth', () => {
    fc.assert(
      fc.property(prefixes, fc.constantFrom(...schemaTags), (path, base) => {
        expect(readTagName([...path, base].join('.'))).toEqual({ prefixes: path, base });
      }),
    );
  });

  test.each(['maxLength', 'items.maxLength', 'values.items.cel', 'items.description', 'allow', 'selectable'])(
    '%s is known',
    (name) => {
      expect(isKnownTag(name)).toBe(true);
    },
  );

  test.each([
    'items',
    'items.',
    'item.maxLength',
    'maxLength.items',
    'items.allow',
    'values.printerColumn',
    '',
  ])('%s is not', (name) => {
    expect(isKnownTag(name)).toBe(false);
  });

  test('what is handed down arrives after as many steps as there are prefixes', () => {
    fc.assert(
      fc.property(prefixes, (path) => {
        const name = [...path, 'maxLength'].join('.');
        const arrived = path.reduce((docs, prefix) => handDown(docs, prefix), [docOf(tag(name, '5'))]);
        const [only] = arrived.flatMap((doc) => doc.tags);
        expect(only).toMatchObject({ name: 'maxLength', text: '5' });
        expect(only && writtenName(only)).toBe(name);
      }),
    );
  });

  test('what is not meant for the items stays behind', () => {
    const doc = docOf(tag('maxItems', '1'), tag('values.maxLength', '2'), tag('items.maxLenght', '3'));
    expect(handDown([doc], 'items')).toEqual([]);
  });
});

describe('descriptions', () => {
  test('any text survives', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        expect(parseDescription(JSON.stringify(text))).toEqual({ value: text });
      }),
    );
  });

  test.each(['plain', '5', 'null', '["a"]', '{"a": "b"}', "'single'"])('%s is the text', (text) => {
    expect(parseDescription(text)).toEqual({ value: text });
  });

  test.each(['', '"open', '"one" "two"'])('%s is none', (text) => {
    expect(parseDescription(text)).toHaveProperty('problem');
  });
});

describe('external docs', () => {
  test.each([
    ['https://example.com', { url: 'https://example.com' }],
    ['https://example.com  All of it. ', { url: 'https://example.com', description: 'All of it. ' }],
    ['{"url": "x"}', { url: 'x' }],
    ['{}', {}],
  ])('%s', (text, value) => {
    expect(parseExternalDocs(text)).toEqual({ value });
  });

  test.each(['', 'example', 'https://example.com\nbelow', '{"url": 1}', '{"a": "b"}', '{'])(
    '%j is none',
    (text) => {
      expect(parseExternalDocs(text)).toHaveProperty('problem');
    },
  );
});

describe('@k8s', () => {
  test.each([
    '{"default": null}',
    '{"enum": []}',
    '{"required": [], "properties": {}}',
    '{"format": "binary"}',
    '{"example": {"any": ["thing"]}}',
    '{"properties": {"minLenght": {"type": "string"}}}',
  ])('%s', (text) => {
    expect(parseK8s(text)).toEqual({ value: JSON.parse(text) as unknown });
  });

  test.each([
    '',
    '[]',
    '5',
    '{"minLength": "1"}',
    '{"exclusiveMinimum": 1}',
    '{"not": []}',
    '{"items": {"x": 1}}',
  ])('%s is refused', (text) => {
    expect(parseK8s(text)).toHaveProperty('problem');
  });
});

describe('@cel {json}', () => {
  const texts = fc.string({ minLength: 1 }).filter((text) => text.trim() !== '' && !/[\r\n]/.test(text));

  test('every field survives', () => {
    const rules = fc.record(
      {
        rule: texts,
        message: texts,
        messageExpression: texts,
        fieldPath: texts,
        reason: fc.constantFrom('FieldValueInvalid', 'FieldValueRequired'),
      },
      { requiredKeys: ['rule'] },
    );
    fc.assert(
      fc.property(rules, (rule) => {
        expect(parseCel(JSON.stringify(rule))).toEqual({ value: rule });
      }),
    );
  });

  test('lines become one, unless a comment would take the next one along', () => {
    expect(parseCel('self.a\n  && self.b')).toEqual({ value: { rule: 'self.a && self.b' } });
    expect(parseCel('self.a // yes\n  && self.b')).toHaveProperty('problem');
    expect(parseCel('self.a == "//"\n  && self.b')).toHaveProperty('value');
  });
});

describe('@allow', () => {
  const read = (text: string) => allowsOf(docOf(tag('allow', text)));

  test('a warning and a reason', () => {
    expect(read('schema/float because').allows).toMatchObject([{ code: 'schema/float' }]);
    expect(read('schema/float\nbecause').problems).toEqual([]);
  });

  test.each([
    '',
    'schema/float',
    'schema/any-type because',
    'schema/flaot because',
    'schema/unused-allow because',
  ])('%j is refused', (text) => {
    const { allows, problems } = read(text);
    expect(allows).toEqual([]);
    expect(problems).toHaveLength(1);
  });
});
