import fc from 'fast-check';
import ts from 'typescript';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import {
  render,
  TemplateError,
  variablesOf,
  type TemplateModel,
} from '../../../../src/project/scaffold/engine.ts';

const anyText = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.constantFrom(
    "O'Hara */ ${x} {{y}}",
    'yes',
    '012',
    '1e3',
    '- a',
    'a: b',
    '#c',
    '\u2028',
    '</script>',
    '\\',
    '"',
    '`',
  ),
);

describe('strictness', () => {
  it.each([
    ['{{name}}', 'must be written by one of the helpers'],
    ['{{{name}}}', 'must be written by one of the helpers'],
    ['{{yaml missing}}', 'unknown variable missing'],
    ['{{yaml name.inner}}', 'unknown variable name.inner'],
    ['{{yaml constructor}}', 'unknown variable constructor'],
    ['{{#if missing}}x{{/if}}', 'unknown variable missing'],
    ['{{#if yes}}{{else}}{{yaml missing}}{{/if}}', 'unknown variable missing'],
    ['{{#if name}}x{{/if}}', 'neither true nor false'],
    ['{{#unless missing}}x{{/unless}}', 'unknown variable missing'],
    ['{{#each missing}}x{{/each}}', 'unknown variable missing'],
    ['{{#each name}}x{{/each}}', 'not a list'],
    ['{{#each list}}{{yaml missing}}{{/each}}', 'unknown variable list[].missing'],
    ['{{#with name}}x{{/with}}', 'must be one of if, unless, each'],
    ['{{> partial}}', 'PartialStatement is not allowed'],
    ['{{lookup list 0}}', 'must be written by one of the helpers'],
    ['{{yaml @root.name}}', 'not allowed'],
    ['{{yaml list}', 'Parse error'],
    ['{{identifier spaced}}', 'is not allowed here'],
    ['{{dns spaced}}', 'is not allowed here'],
    ['{{word spaced}}', 'is not allowed here'],
    ['{{makeValue broken}}', 'line break'],
    ['{{comment "/*" name}}', 'not a sign of line comments'],
  ])('%s', (template, message) => {
    const model = { name: 'n', yes: true, list: [{ a: 1 }], spaced: 'a b', broken: 'a\nb' };
    expect(() => render(template, model)).toThrow(TemplateError);
    expect(() => render(template, model)).toThrow(message);
  });

  it.each([
    ['{{markup text}}', { text: '<b>' }],
    ['{{markup text}}', { text: { html: '<b>' } }],
    ['{{markup text}}', { text: null }],
    ['{{html text}}', { text: { markup: '<b>' } }],
    ...[
      'javascript:alert(1)',
      '//evil.example',
      'data:text/html,x',
      'file:///etc/passwd',
      '../a.html',
      'a b.html',
    ].map((text): [string, TemplateModel] => ['<a href="{{address text}}">', { text }]),
  ])('%s of %j is refused', (template, model) => {
    expect(() => render(template, model)).toThrow(TemplateError);
  });

  it('lists the variables of a template', () => {
    const template =
      '{{yaml a.b}}{{#each list}}{{word name}}{{yaml ../c}}{{/each}}{{#if d}}{{json this}}{{else}}{{json e}}{{/if}}';
    expect(variablesOf(template)).toEqual(['a.b', 'list', 'list[].name', 'c', 'd', '', 'e']);
  });

  it('leaves GitHub expressions alone when they are escaped', () => {
    expect(render('$\\{{ github.ref }}', {})).toBe('${{ github.ref }}');
  });
});

describe('values keep their meaning, whatever they are', () => {
  it('yaml', () => {
    fc.assert(
      fc.property(anyText, (value) => {
        const text = render('a: {{yaml value}} # end\nb: 1\n', { value });
        for (const version of ['1.1', '1.2'] as const) {
          expect(parse(text, { version })).toEqual({ a: value, b: 1 });
        }
      }),
    );
  });

  it('html: between quotes and between tags, nothing of it is a tag or ends the quotes', () => {
    fc.assert(
      fc.property(anyText, (value) => {
        const [, quoted, inner] = /^<p title="([^"<>]*)">([^<>]*)<\/p>$/s.exec(
          render('<p title="{{html value}}">{{html value}}</p>', { value }),
        ) ?? [undefined, 'broken', 'open'];
        expect(quoted).toBe(inner);
        const entities = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'" } as Record<string, string>;
        expect(quoted?.replace(/&(\w+|#39);/g, (_entity, name: string) => entities[name] ?? '?')).toBe(value);
      }),
    );
  });

  it('json', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        expect(JSON.parse(render('{"a": {{json value}} }', { value: value as string }))).toEqual(
          JSON.parse(JSON.stringify({ a: value })),
        );
      }),
    );
  });

  it('tsString', () => {
    fc.assert(
      fc.property(anyText, (value) => {
        const source = ts.createSourceFile(
          'a.ts',
          render('x({{tsString value}});', { value }),
          ts.ScriptTarget.ES2022,
        );
        expect(source.statements).toHaveLength(1);
        const call = (source.statements[0] as ts.ExpressionStatement).expression as ts.CallExpression;
        expect((call.arguments[0] as ts.StringLiteral).text).toBe(value);
      }),
    );
  });

  it('comment in TypeScript: nothing of it is code', () => {
    fc.assert(
      fc.property(anyText, (value) => {
        const source = ts.createSourceFile(
          'a.ts',
          render('{{comment "//" value}}\nx();', { value }),
          ts.ScriptTarget.ES2022,
        );
        expect(source.statements).toHaveLength(1);
      }),
    );
  });

  it('comment in YAML: nothing of it is a value', () => {
    fc.assert(
      fc.property(fc.string(), (value) => {
        expect(parse(render('{{comment "#" value}}\na: 1\n', { value }))).toEqual({ a: 1 });
      }),
    );
  });

  it('comment keeps the text to the letter', () => {
    expect(render('{{comment "//" value}}', { value: "O'Hara */ ${x} {{y}}\n\nsecond" })).toBe(
      "// O'Hara */ ${x} {{y}}\n//\n// second",
    );
  });

  it('makeValue', () => {
    expect(render('{{makeValue value}}', { value: 'a$(x)#b' })).toBe('a$$(x)\\#b');
  });

  it('markdown', () => {
    expect(render('{{markdown value}}', { value: 'a_b *c*\n# d <e>' })).toBe('a\\_b \\*c\\* \\# d \\<e\\>');
  });
});
