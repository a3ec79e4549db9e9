import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { moduleRenderer } from '../../../src/cli/actions/import/render-modules.ts';
import { verifyImports } from '../../helpers/verify-imports.ts';
import type { ImportedCrd } from '../../../src/import/verify-imports.ts';
import { readCrds } from '../../../src/crd/index.ts';
import { importCrd } from '../../../src/import/index.ts';

// Each folder holds `crd.yaml` and the files that are made of it, `types.ts`: one behind the other if there are several versions.
// `UPDATE_GOLDEN=1` writes the latter. What stands in them must give `crd.yaml` back.
const root = import.meta.dirname;
const cases = readdirSync(root, { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map((entry) => entry.name)
  .sort();
const render = await moduleRenderer('');

function imports(name: string): readonly ImportedCrd[] {
  const file = join(root, name, 'crd.yaml');
  return readCrds(readFileSync(file, 'utf8'), file).crds.map(({ crd, where }) => ({
    crd,
    where,
    files: importCrd(crd, { clientOnly: name === 'client-only' }).map(render),
  }));
}

test.each(cases)('%s', (name) => {
  const path = join(root, name, 'types.ts');
  const text = imports(name)
    .flatMap(({ files }) => files)
    .map(({ content }) => content)
    .join('\n');
  if (process.env['UPDATE_GOLDEN'] === '1') writeFileSync(path, text);
  expect(text).toBe(existsSync(path) ? readFileSync(path, 'utf8') : '');
});

test('all of them give their CRD back', () => {
  const all = cases.filter((name) => name !== 'client-only').flatMap(imports);
  const messages = [...verifyImports(all).values()].flat().map(({ message }) => message);
  expect(messages).toEqual([]);
});
