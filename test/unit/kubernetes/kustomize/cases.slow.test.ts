// The cases of test/peers/kustomize beside what kustomize made of them when it was last asked.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { treeOf } from '../../../peers/kustomize/cases/case.ts';
import { refusalCases, renderCases } from '../../../peers/kustomize/cases/index.ts';
import { renderOurs } from '../../../peers/kustomize/render-ours.ts';

const lines = readFileSync(join(import.meta.dirname, 'rendered.golden.txt'), 'utf8')
  .trimEnd()
  .split('\n');
const golden = new Map(lines.map((line) => JSON.parse(line) as [string, unknown]));

describe('renderKustomization, as kustomize', () => {
  test('knows the answer to every case', () => {
    expect([...golden.keys()]).toEqual(renderCases.map(({ name }) => name));
  });

  test.each(renderCases)('$name', async (each) => {
    expect(await renderOurs(treeOf(each))).toEqual(golden.get(each.name));
  });

  test.each(refusalCases)('refuses $name', async (each) => {
    const ours = await renderOurs(treeOf(each));
    expect('findings' in ours ? ours.findings.map(({ code }) => code) : ours).toEqual(each.refused);
  });
});
