import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { importSettled } from '../../../src/cli/commands/import-crd.ts';
import { settlePaths } from '../../../src/cli/actions/import/read-sources.ts';
import { verifyImports } from '../../helpers/verify-imports.ts';
import type { ImportedCrd } from '../../../src/compiler/import/verify-imports.ts';
import { readCrds, type ReadCrd } from '../../../src/kubernetes/crd/index.ts';

// Each folder holds `crd.yaml` and the files that are made of it, `types.ts`: one behind the other if there are several versions, and what
// they share after the first.
// `UPDATE_GOLDEN=1` writes the latter. They must give `crd.yaml` back.
const root = import.meta.dirname;
const cases = readdirSync(root, { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map((entry) => entry.name)
  .sort();

function crdsOf(name: string): readonly ReadCrd[] {
  const file = join(root, name, 'crd.yaml');
  return readCrds(readFileSync(file, 'utf8'), file).crds;
}

function imports(crds: readonly ReadCrd[], clientOnly: boolean): Promise<readonly ImportedCrd[]> {
  const settled = settlePaths(crds);
  expect(settled.conflicts).toEqual([]);
  // No earlier import is in this folder.
  return importSettled(settled.crds, { clientOnly, header: '', folder: root });
}

test.each(cases)('%s', async (name) => {
  const path = join(root, name, 'types.ts');
  const files = (await imports(crdsOf(name), name === 'client-only')).flatMap((imported) => imported.files);
  const text = [...new Set(files.map(({ content }) => content))].join('\n');
  if (process.env['UPDATE_GOLDEN'] === '1') writeFileSync(path, text);
  expect(text).toBe(existsSync(path) ? readFileSync(path, 'utf8') : '');
});

test('all of them give their CRD back', async () => {
  const exact = cases.filter((name) => name !== 'client-only');
  const all = await imports(exact.flatMap(crdsOf), false);
  const messages = [...verifyImports(all).values()].flat().map(({ message }) => message);
  expect(messages).toEqual([]);
});
