import { relative } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import type { collectRules } from '../../src/compiler/manifests/collect-rules.ts';
import { inferFiles, type InferredShapes } from '../golden/rbac-shapes/infer-shapes.ts';
import { files } from '../golden/rbac-shapes/shapes.ts';
import { mutants, mutatedFolder } from './mutants.ts';

const found = inferFiles(files);
afterAll(() => found.remove());

const paths = Object.keys(files).filter((path) => path.startsWith('src/'));
const expected = outcome(found);

function outcome(inferred: Pick<InferredShapes, 'of'>): readonly string[] {
  return paths.map((path) => {
    const { rules, errors } = inferred.of(path);
    return [rules, ...new Set(errors.map(({ code }) => code))].join(' ');
  });
}

for (const [i, { file, rule }] of mutants.entries()) {
  test(`a shape notices without ${relative(mutatedFolder, file)}: ${rule}`, async () => {
    const path = `../../src/compiler/manifests/collect-rules.ts?mutant=${i}`;
    const mutated = (await import(path)) as { readonly collectRules: typeof collectRules };
    const changed = ((): readonly string[] => {
      try {
        return outcome(found.by(mutated.collectRules));
      } catch (error) {
        return [String(error)];
      }
    })();
    expect(changed).not.toEqual(expected);
  });
}
