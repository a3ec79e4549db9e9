// Folded texts (`>`) in whose place kustomize 5.8.1 prints others: each of them is reported once, at its place, and no other is. The values
// that kustomize makes of them were looked up with kustomize itself.
import { describe, expect, test } from 'vitest';
import { formatWhere } from '../../../../src/base/errors/op-sdk-error.ts';
import type { Finding } from '../../../../src/base/errors/index.ts';
import { renderKustomization } from '../../../../src/kubernetes/kustomize/index.ts';
import { runCli } from '../../../helpers/run-cli.ts';
import { inFolder, type Files } from './render.ts';

const head = 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\ndata:\n';
const withText = (text: string): Files => ({
  'kustomization.yaml': 'resources: [r.yaml]\n',
  'r.yaml': `${head}  a: ${text}\n  b: x\n`,
});
const moreIndented = '>\n    one\n      two\n    three';

/** The places of the warnings, and the objects. */
function rendered(files: Files): Promise<{ places: string[]; objects: unknown[]; warnings: Finding[] }> {
  return inFolder(files, async (cwd) => {
    const warnings: Finding[] = [];
    const placed = await renderKustomization('.', { cwd, onWarning: (warning) => warnings.push(warning) });
    const places = warnings.map(({ where }) => (where === undefined ? '' : formatWhere(where)));
    return { places, warnings, objects: placed.map(({ object }) => object) };
  });
}

describe('a folded text that kustomize prints in another way', () => {
  test.each([
    ['a line that is indented more', moreIndented, 'one\n  two\nthree\n'],
    ['a line that is indented more, at the end', '>-\n    one\n\n      two', 'one\n\n  two'],
    ['a line that begins with a tab', '>\n    one\n    \ttwo', 'one\n\ttwo\n'],
    ['line breaks that are kept at the end', '>+\n    one\n', 'one\n\n'],
    [
      'two lines behind one that is indented more',
      '>2\n      one\n    two\n\n    three',
      '  one\ntwo\nthree\n',
    ],
    ['a comment behind its sign', '>  # why\n    one\n      two', 'one\n  two\n'],
    ['a tag and an anchor', '!!str &a >\n    one\n      two', 'one\n  two\n'],
  ])('is warned of and stays as written: %s', async (_what, text, value) => {
    const { places, warnings, objects } = await rendered(withText(text));
    expect(objects).toMatchObject([{ data: { a: value } }]);
    expect(places).toEqual([`r.yaml:5:${6 + text.indexOf('>')}`]);
    expect(warnings).toMatchObject([{ code: 'kustomize/folded-text' }]);
    expect(warnings[0]?.fix?.join()).toContain('(|)');
  });

  test.each([
    ['lines of one indentation', '>\n    one\n    two\n\n    three'],
    ['line breaks that are cut at the end', '>-\n    one\n    two\n\n'],
    ['one line break that is kept', '>+\n    one'],
    ['lines that are all indented more', '>2\n      one\n       two'],
    ['an empty line before one that is indented more', '>2\n\n      one\n    two'],
    ['nothing but line breaks', '>+\n\n'],
    ['a blank at the end of a line, for which it is printed in quotes', '>\n    one \n      two'],
    ['a literal text', '|\n    one\n      two'],
    ['what looks like one in a literal text', '|\n    x: >\n      one\n        two'],
  ])('is none, and no warning: %s', async (_what, text) => {
    expect(await rendered(withText(text))).toMatchObject({ places: [] });
  });

  test('counts the lines of the file, in every document of it and in Lists', async () => {
    const item =
      '- apiVersion: v1\n  kind: ConfigMap\n  metadata: {name: b}\n  data:\n    a: >\n      one\n        two\n';
    const files = {
      'kustomization.yaml': 'resources: [r.yaml]\n',
      'r.yaml': `${head}  b: x\n---\napiVersion: v1\nkind: List\nitems:\n${item}`,
    };
    expect((await rendered(files)).places).toEqual(['r.yaml:14:8']);
  });

  test('is reported at the entry of a patch inside a kustomization, and in the file of others', async () => {
    const patch = `${head}  z: ${moreIndented}\n`;
    const files = {
      'kustomization.yaml': `resources: [r.yaml]\npatches:\n- patch: |\n    ${patch.trimEnd().replaceAll('\n', '\n    ')}\n- path: p.yaml\n- path: p.yaml\n`,
      'r.yaml': `${head}  b: x\n`,
      'p.yaml': patch,
    };
    expect((await rendered(files)).places).toEqual(['kustomization.yaml:3:3', 'p.yaml:5:6']);
  });

  test('is reported in the file of a transformer', async () => {
    const files = {
      'kustomization.yaml': 'resources: [r.yaml]\ntransformers: [t.yaml]\n',
      'r.yaml': `${head}  b: x\n`,
      't.yaml': `apiVersion: builtin\nkind: AnnotationsTransformer\nmetadata: {name: t}\nfieldSpecs: [{path: metadata/annotations, create: true}]\nannotations:\n  k: ${moreIndented}\n`,
    };
    expect((await rendered(files)).places).toEqual(['t.yaml:6:6']);
  });

  test('is the same in what kustomize reads by way of JSON: its own fields, and steps of a patch', async () => {
    const files = {
      'kustomization.yaml': `resources: [r.yaml]\ncommonAnnotations:\n  k: ${moreIndented}\npatches:\n- path: p.yaml\n  target: {kind: ConfigMap}\n`,
      'r.yaml': `${head}  b: x\n`,
      'p.yaml': `- op: add\n  path: /data/z\n  value: ${moreIndented}\n`,
    };
    expect((await rendered(files)).places).toEqual([]);
  });

  test('is a warning on stderr of kustomize build, which succeeds', async () => {
    await inFolder(withText(moreIndented), async (cwd) => {
      const { code, stdout, stderr } = await runCli(['kustomize', 'build', '.'], { cwd });
      expect({ code, stdout }).toMatchObject({ code: 0, stdout: expect.stringContaining('  two') as string });
      expect(stderr).toContain('warning[kustomize/folded-text]');
      expect(stderr).toContain('r.yaml:5:6');
    });
  });
});
