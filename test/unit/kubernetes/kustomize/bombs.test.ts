import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { renderKustomization } from '../../../../src/kubernetes/kustomize/index.ts';
import { inFolder, refusals } from './render.ts';

describe('bombs', () => {
  const anchors = (levels: number, width: number): string =>
    Array.from({ length: levels }, (_, level) => {
      const items = Array.from({ length: width }, () => (level === 0 ? '1' : `*a${level - 1}`));
      return `a${level}: &a${level} [${items.join(',')}]\n`;
    }).join('');
  const object = 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\n';
  const bomb = (text: string) => refusals({ 'kustomization.yaml': 'resources: [r.yaml]\n', 'r.yaml': text });

  test('of wide aliases, in a resource or a kustomization', async () => {
    expect(await bomb(object + anchors(9, 10))).toEqual([
      expect.stringMatching(/^r\.yaml:\d+:\d+ io\/too-large$/),
    ]);
    expect(await refusals({ 'kustomization.yaml': anchors(9, 10) })).toEqual([
      expect.stringMatching(/^kustomization\.yaml:\d+:\d+ io\/yaml-syntax$/),
    ]);
  });

  test('of deep aliases', async () => {
    expect(await bomb(object + anchors(20_000, 1))).toEqual([
      expect.stringMatching(/^r\.yaml:\d+:\d+ io\/too-large$/),
    ]);
  });

  test('of brackets', async () => {
    const [refusal] = await bomb(`${object}x: ${'['.repeat(50_000)}${']'.repeat(50_000)}`);
    expect(refusal).toMatch(/^r\.yaml:\d+:\d+ io\/too-large$/);
  });

  test('of aliases that stay below the bound in each of many uses', async () => {
    const files = {
      'kustomization.yaml': `resources: [${Array.from({ length: 12 }, (_, i) => `d${i}`).join(', ')}]\n`,
      ...Object.fromEntries(
        Array.from({ length: 12 }, (_, i) => [
          `d${i}/kustomization.yaml`,
          `namePrefix: d${i}-\nresources: [../base]\n`,
        ]),
      ),
      'base/kustomization.yaml': 'resources: [r.yaml]\n',
      'base/r.yaml': object + anchors(5, 10),
    };
    expect(await refusals(files)).toEqual([expect.stringContaining(' kustomize/too-large')]);
  });

  test('of many lines, one large file, or many large files', async () => {
    expect(await bomb(`${object}data:\n${'  a: b\n'.repeat(150_000)}`)).toEqual([
      'kustomization.yaml:1:13 kustomize/too-large',
    ]);
    expect(await bomb(`${object}data: {a: "${'x'.repeat(9 * 1024 * 1024)}"}`)).toEqual([
      'kustomization.yaml:1:13 kustomize/too-large',
    ]);
    const lines = `# \n`.repeat(80_000);
    const files = { 'a.yaml': lines, 'b.yaml': lines, 'c.yaml': lines };
    expect(
      await refusals({ 'kustomization.yaml': 'resources: [a.yaml, b.yaml, c.yaml]\n', ...files }),
    ).toEqual(['kustomization.yaml:1:29 kustomize/too-large']);
  });

  test('of folders that double', async () => {
    const levels = Array.from({ length: 30 }, (_, i) => [
      `d${i}/kustomization.yaml`,
      i === 29 ? 'resources: []\n' : `resources: [../d${i + 1}, ../d${i + 1}]\n`,
    ]);
    expect(await refusals(Object.fromEntries(levels) as Record<string, string>, 'd0')).toEqual([
      expect.stringContaining(' kustomize/too-large'),
    ]);
  });

  test('of folders in a row', async () => {
    await inFolder({}, async (root) => {
      for (let i = 0; i < 300; i++) {
        mkdirSync(join(root, `d${i}`));
        writeFileSync(join(root, `d${i}`, 'kustomization.yaml'), `resources: [../d${i + 1}]\n`);
      }
      await expect(renderKustomization('d0', { cwd: root })).rejects.toMatchObject({
        findings: [{ code: 'kustomize/too-large' }],
      });
    });
  });
});
