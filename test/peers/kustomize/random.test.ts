// Patches and overlays that nobody would write: where op-sdk renders them, it does so as kustomize does.
import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import { buildKustomizeOracle } from './oracle.ts';
import { randomOverlays } from './random-overlays.ts';
import { randomPatch } from './random-patches.ts';
import { renderOurs } from './render-ours.ts';

const oracle = buildKustomizeOracle();
if ('missing' in oracle)
  console.log(`skipped: random patches and overlays beside kustomize: ${oracle.missing}`);

afterAll(() => ('missing' in oracle ? undefined : oracle.close()));

describe.skipIf('missing' in oracle)('strategic merge patches beside kustomize', () => {
  it('merges the same', async () => {
    const trees = fc.sample(randomPatch, { numRuns: 1500, seed: 20 });
    const expected = 'missing' in oracle ? [] : oracle.render(trees);
    let refused = 0;
    for (const [index, tree] of trees.entries()) {
      const ours = await renderOurs(tree);
      // What is refused loudly cannot be silently wrong; but it must stay the exception.
      if ('findings' in ours) refused++;
      else expect(ours, JSON.stringify(tree.files, null, 1)).toEqual(expected[index]);
    }
    expect(refused / trees.length).toBeLessThan(0.5);
  });
});

describe.skipIf('missing' in oracle)('overlays of labels and annotations beside kustomize', () => {
  it('changes the same', async () => {
    const trees = fc.sample(randomOverlays, { numRuns: 150, seed: 20 });
    const expected = 'missing' in oracle ? [] : oracle.render(trees);
    for (const [index, tree] of trees.entries())
      expect(await renderOurs(tree), JSON.stringify(tree.files, null, 1)).toEqual(expected[index]);
  });
});
