// Few lines that would make endless objects: refused before the memory is gone.
import { describe, expect, test } from 'vitest';
import { renderOurs } from '../../../peers/kustomize/render-ours.ts';

const object = 'apiVersion: x.io/v1\nkind: Foo\nmetadata: {name: a}\nspec: {a: [1], text: "0123456789"}\n';
const render = (fields: string, files = {}) =>
  renderOurs({
    files: { 'kustomization.yaml': `resources: [a.yaml]\n${fields}`, 'a.yaml': object, ...files },
  });
const codes = (rendered: Awaited<ReturnType<typeof render>>) =>
  'findings' in rendered ? [...new Set(rendered.findings.map(({ code }) => code))] : rendered;

describe('growth', () => {
  test('copies of copies', async () => {
    const steps = Array.from(
      { length: 40 },
      (_, index) => `- {op: copy, from: /spec, path: /spec/n${index}}\n`,
    );
    const rendered = await render('patches:\n- {path: patch.yaml, target: {kind: Foo}}\n', {
      'patch.yaml': steps.join(''),
    });
    expect(codes(rendered)).toEqual(['kustomize/too-large']);
  });

  test('aliases of aliases', async () => {
    const lines = Array.from({ length: 12 }, (_, index) => {
      const items = Array.from({ length: 10 }, () => (index === 0 ? '1' : `*a${index - 1}`));
      return `  l${index}: &a${index} [${items.join(', ')}]\n`;
    });
    const patch = `apiVersion: x.io/v1\nkind: Foo\nmetadata: {name: a}\nspec:\n${lines.join('')}`;
    const rendered = await render('patches:\n- path: patch.yaml\n', { 'patch.yaml': patch });
    expect(codes(rendered)).toEqual(['io/too-large']);
  });

  test('replacements of a mapping by itself', async () => {
    const entries = Array.from(
      { length: 40 },
      (_, index) =>
        `- source: {kind: Foo, fieldPath: spec}\n  targets: [{select: {kind: Foo}, fieldPaths: [spec.n${index}], options: {create: true}}]\n`,
    );
    expect(codes(await render(`replacements:\n${entries.join('')}`))).toEqual(['kustomize/too-large']);
  });

  test('a text that is appended to itself', async () => {
    const entry =
      '- source: {kind: Foo, fieldPath: spec.text}\n  targets: [{select: {kind: Foo}, fieldPaths: [spec.text], options: {delimiter: "-", index: 99999999}}]\n';
    expect(codes(await render(`replacements:\n${entry.repeat(40)}`))).toEqual([
      'kustomize/replacement-failed',
    ]);
  });

  test('a variable that a text names endlessly', async () => {
    const rendered = await render(
      'configurations: [c.yaml]\nvars: [{name: A, objref: {apiVersion: x.io/v1, kind: Foo, name: a}, fieldref: {fieldPath: spec.text}}]\n',
      {
        'c.yaml': 'varReference: [{path: spec/all}]\n',
        'a.yaml': `${object.replace('0123456789', 'x'.repeat(100_000))}`.replace(
          'spec: {',
          `spec: {all: "${'$(A)'.repeat(1000)}", `,
        ),
      },
    );
    expect(codes(rendered)).toEqual(['kustomize/too-large']);
  });

  test('a configuration of very many fields', async () => {
    const specs = Array.from({ length: 2001 }, (_, index) => `- {path: spec/f${index}}\n`);
    const files = { 'c.yaml': `images:\n${specs.join('')}` };
    expect(codes(await render('configurations: [c.yaml]\n', files))).toEqual(['kustomize/too-large']);
  });

  test('schemas that multiply each other', async () => {
    const ref = (name: string) => `{$ref: ${name}}`;
    const types = Array.from(
      { length: 40 },
      (_, index) =>
        `T${index}: {Schema: {properties: {a: ${ref(`T${index + 1}`)}, b: ${ref(`T${index + 1}`)}}}}\n`,
    );
    const root = `x.Foo: {Schema: {properties: {kind: {}, apiVersion: {}, metadata: {}, spec: ${ref('T0')}}}}\n`;
    expect(codes(await render('crds: [c.yaml]\n', { 'c.yaml': root + types.join('') }))).toEqual([
      'kustomize/invalid-value',
    ]);
  });

  test('lists that are too long to be compared', async () => {
    const list = (offset: number): string =>
      JSON.stringify(
        Array.from({ length: 2000 }, (_, index) => ({ name: `c${offset + index}`, image: 'a' })),
      );
    const pod = (offset: number): string =>
      `apiVersion: v1\nkind: Pod\nmetadata: {name: a}\nspec: {containers: ${list(offset)}}\n`;
    const rendered = await render('patches:\n- path: patch.yaml\n', {
      'a.yaml': pod(0),
      'patch.yaml': pod(1000),
    });
    expect(codes(rendered)).toEqual(['kustomize/patch-failed']);
  });
});
