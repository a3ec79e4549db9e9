import { afterAll, describe, expect, it } from 'vitest';
import { treeOf } from './cases/case.ts';
import { refusalCases, renderCases } from './cases/index.ts';
import { buildKustomizeOracle, type Rendered, type Tree } from './oracle.ts';
import { renderOurs } from './render-ours.ts';
import { scaffolds, webhookProjects } from './scaffolds.ts';

const oracle = buildKustomizeOracle();
if ('missing' in oracle) console.log(`skipped: the comparison with kustomize: ${oracle.missing}`);

describe.skipIf('missing' in oracle)('renderKustomization beside kustomize', () => {
  afterAll(() => ('missing' in oracle ? undefined : oracle.close()));
  const renderReal = (trees: readonly Tree[]): readonly Rendered[] =>
    'missing' in oracle ? [] : oracle.render(trees);

  const both = [...scaffolds(), ...renderCases.map((each) => ({ name: each.name, ...treeOf(each) }))];
  const real = renderReal(both);
  const cases = both.map((tree, index) => [tree.name, tree, real[index]] as const);

  it('compares every scaffold and at least 80 cases of its own', () => {
    expect(scaffolds().length).toBeGreaterThan(20);
    expect(renderCases.length).toBeGreaterThanOrEqual(80);
    expect(new Set(both.map(({ name }) => name)).size).toBe(both.length);
  });

  // So that the cases are checked where there is no Go, too.
  it('is where the committed golden file comes from', async () => {
    const first = both.length - renderCases.length;
    const lines = renderCases.map(({ name }, index) => `${JSON.stringify([name, real[first + index]])}\n`);
    await expect(lines.join('')).toMatchFileSnapshot('../../unit/kubernetes/kustomize/rendered.golden.txt');
  });

  it.each(Object.entries(webhookProjects))(
    'config/default of a scaffold with webhooks: %s',
    async (_words, project) => {
      const [, tree, expected] = cases.find(([name]) => name === `${project} config/default`) ?? [];
      if (tree === undefined) throw new Error(`the golden project ${project} has no config/default`);
      const ours = await renderOurs(tree);
      expect(ours).toEqual(expected);
      const kinds = 'objects' in ours ? ours.objects.map((object) => (object as { kind: string }).kind) : [];
      expect(kinds).toContain('Service');
    },
  );

  it.each(cases)('%s', async (_name, tree, expected) => {
    expect(await renderOurs(tree)).toEqual(expected);
  });

  const realRefusals = renderReal(refusalCases.map(treeOf));
  const refusals = refusalCases.map((each, index) => [each.name, each, realRefusals[index]] as const);

  it.each(refusals)('refuses %s', async (_name, each, expected) => {
    expect(expected).toHaveProperty(each.kustomize === 'refuses' ? 'error' : 'objects');
    const ours = await renderOurs(treeOf(each));
    expect('findings' in ours ? ours.findings.map(({ code }) => code) : ours).toEqual(each.refused);
    for (const { code, where, fix } of 'findings' in ours ? ours.findings : []) {
      expect(where).toBeDefined();
      if (code === 'kustomize/unsupported-field') expect(fix?.join()).toContain('kustomize build');
    }
  });
});
