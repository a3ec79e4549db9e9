import ts from 'typescript';
import { describe, expect, test } from 'vitest';
import { addSpokes, addWebhookOptions, removeSpoke } from '../../../../src/compiler/source/index.ts';

const options = [
  ['default', 'default() {}'],
  ['validate', 'validate: { create: () => [] }'],
] as const;
const added = (text: string) => addWebhookOptions(ts, 'a.ts', text, options);

describe('options of defineWebhook', () => {
  test.each([
    [
      'an empty object',
      'defineWebhook(A, {});',
      'defineWebhook(A, {\n  default() {},\n  validate: { create: () => [] },\n});',
    ],
    [
      'one line',
      "defineWebhook(A, { failurePolicy: 'Ignore' });",
      "defineWebhook(A, { failurePolicy: 'Ignore', default() {}, validate: { create: () => [] } });",
    ],
    [
      'several lines, with a remark',
      "defineWebhook(A, {\n  failurePolicy: 'Ignore', // for now\n});",
      "defineWebhook(A, {\n  failurePolicy: 'Ignore', // for now\n  default() {},\n  validate: { create: () => [] },\n});",
    ],
    [
      'a method and a shorthand',
      'defineWebhook(A, {\n  async default(a) {\n    await a;\n  },\n  validate\n} satisfies B);',
      undefined,
    ],
    [
      'one of them',
      "defineWebhook(A, {\n  'default': x,\n})",
      "defineWebhook(A, {\n  'default': x,\n  validate: { create: () => [] },\n})",
    ],
  ])('are added to %s', (_name, before, after) => {
    expect(added(before)).toEqual({ content: after ?? before });
  });

  test('keep the line ends of Windows', () => {
    expect(added('defineWebhook(A, {\r\n  subresources: [],\r\n});')).toEqual({
      content:
        'defineWebhook(A, {\r\n  subresources: [],\r\n  default() {},\r\n  validate: { create: () => [] },\r\n});',
    });
  });

  test.each([
    'a();',
    'defineWebhook(A, o);',
    'defineWebhook(A, { ...o });',
    'defineWebhook(A, {}); defineWebhook(B, {});',
  ])('are not added to %s', (text) => {
    expect(added(text)).toHaveProperty('problem');
  });
});

describe('a path among the options of defineWebhook', () => {
  const withPath = (text: string) =>
    addWebhookOptions(ts, 'a.ts', text, [['defaulting', "defaulting: { path: '/x' }", '/x']]);

  test('may be there already', () => {
    const text = "defineWebhook(A, { defaulting: { timeoutSeconds: 5, 'path': `/x` } });";
    expect(withPath(text)).toEqual({ content: text });
  });

  test.each(["defaulting: { path: '/y' }", 'defaulting: { timeoutSeconds: 5 }', 'defaulting'])(
    'is refused beside %s, which says otherwise',
    (option) => {
      expect(withPath(`defineWebhook(A, { ${option} });`)).toEqual({
        problem: "has the option defaulting already; expected path: '/x' in it",
      });
    },
  );
});

const chain = `import { defineConversion } from 'opsdk';
import { A } from '../api/v1/a.ts';
import { A as AV2 } from '../api/v2/a.ts';

// One.
export const c = defineConversion(A).spoke(AV2, {
  to: (a) => a,
});
`;
const v3 = {
  name: 'AV3',
  importLine: "import { A as AV3 } from '../api/v3/a.ts';",
  call: '.spoke(AV3, {\n  to: (a) => a,\n})',
};
const leadsTo = (path: string, text: string) => (start: number) => text.startsWith(path, start);

describe('a version of a conversion', () => {
  test('is added at the end, and removed without a trace', () => {
    const more = addSpokes(ts, 'a.ts', chain, [v3]);
    expect(more).toEqual({
      content: chain
        .replace("v2/a.ts';\n", `v2/a.ts';\n${v3.importLine}\n`)
        .replace('});\n', `})${v3.call};\n`),
    });
    const text = 'content' in more ? more.content : '';
    expect(removeSpoke(ts, 'a.ts', text, leadsTo('../api/v3', text))).toEqual({
      content: chain,
      isLast: false,
    });
    const rest = removeSpoke(ts, 'a.ts', text, leadsTo('../api/v2', text));
    expect(rest).toMatchObject({
      content: expect.stringContaining('defineConversion(A).spoke(AV3') as string,
    });
  });

  test('is the last one if no other is left', () => {
    expect(removeSpoke(ts, 'a.ts', chain, leadsTo('../api/v2', chain))).toMatchObject({ isLast: true });
    expect(removeSpoke(ts, 'a.ts', chain, leadsTo('../api/v9', chain))).toBeUndefined();
  });

  test.each([
    ['is used elsewhere', (text: string) => `${text}export const other = AV2;\n`],
    ['is imported with more', (text: string) => text.replace('{ A as AV2 }', '{ A as AV2, helper }')],
    ['is not in a .spoke', (text: string) => text.replace('.spoke(AV2', '.spoke(of(AV2)')],
    ['is in one of two conversions', (text: string) => `${text}defineConversion(A);\n`],
  ])('is not removed where it %s', (_name, change) => {
    const text = change(chain);
    expect(removeSpoke(ts, 'a.ts', text, leadsTo('../api/v2', text))).toHaveProperty('problem');
  });

  test('is not added where its name is taken', () => {
    expect(addSpokes(ts, 'a.ts', `${chain}const AV3 = 1;\n`, [v3])).toHaveProperty('problem');
  });
});
