import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { importSettled } from '../../../src/cli/commands/import-crd.ts';
import { settlePaths } from '../../../src/cli/actions/import/read-sources.ts';
import { chosen } from '../../helpers/thorough.ts';
import { verifyImports } from '../../helpers/verify-imports.ts';
import { readCrds } from '../../../src/kubernetes/crd/index.ts';
import type { ImportedCrd } from '../../../src/compiler/import/verify-imports.ts';

// Real CRDs, where a folder of them is at hand.
const sample = join(import.meta.dirname, '..', '..', '..', '..', 'shared', 'data', 'crds');
const isThere = existsSync(sample);
const reason = isThere ? '' : ' (skipped: there is no folder ../shared/data/crds)';

function importAll(names: readonly string[]): Promise<readonly ImportedCrd[]> {
  const crds = names.flatMap((name) => readCrds(readFileSync(join(sample, name), 'utf8'), name).crds);
  // No earlier import is in this folder.
  return importSettled(settlePaths(crds).crds, { clientOnly: false, header: '', folder: sample });
}

test.skipIf(!isThere)(`real CRDs come back from TypeScript as they were${reason}`, async () => {
  const imports = await importAll(chosen(readdirSync(sample).sort()));
  const messages = [...verifyImports(imports).values()].flat().map(({ message }) => message);
  expect(messages).toEqual([]);
  const texts = imports.flatMap(({ files }) => files.map(({ content }) => content));
  const escapes = texts.flatMap((text) => text.match(/^ *(?:\/\*)?\*+ @(?:(?:items|values)\.)*k8s /gm) ?? []);
  // Of tens of thousands of nodes: what nothing else can say.
  expect(escapes.length).toBeLessThan(imports.length / 10);
});

test.skipIf(!isThere)(
  `the types of real CRDs have short names without numbers, in files of bearable length${reason}`,
  async () => {
    const imports = await importAll(readdirSync(sample).sort());
    const files = new Map(
      imports.flatMap((imported) => imported.files.map(({ path, content }) => [path, content] as const)),
    );
    const long = [...files].filter(([, text]) => text.split('\n').length > 1001).map(([path]) => path);
    expect(long).toEqual([]);
    const names = [...files].flatMap(([path, text]) =>
      [...text.matchAll(/^export interface (\w+)/gm)].map(([, name = '']) => ({ path, name })),
    );
    const lengths = names.map(({ name }) => name.length).sort((a, b) => a - b);
    const median = lengths[Math.floor(lengths.length / 2)] ?? 0;
    expect(median).toBeLessThanOrEqual(20);
    expect(lengths.filter((length) => length > 60).length).toBeLessThan(names.length / 500);
    // A name whose last digits are those of a field has no number of ours.
    const fields = new Set(
      [...files.values()].flatMap((text) =>
        [...text.matchAll(/(\w*\d)s?'?\??:/g)].map(([, name = '']) => name.toLowerCase()),
      ),
    );
    const numbered = names.filter(
      ({ name }) => /\d$/.test(name) && ![...fields].some((field) => name.toLowerCase().endsWith(field)),
    );
    expect(numbered).toEqual([]);
  },
);
