import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { moduleRenderer } from '../../../src/cli/actions/import/render-modules.ts';
import { chosen } from '../../helpers/thorough.ts';
import { verifyImports } from '../../helpers/verify-imports.ts';
import { readCrds } from '../../../src/crd/index.ts';
import { importCrd } from '../../../src/import/index.ts';

// Real CRDs, where a folder of them is at hand.
const sample = join(import.meta.dirname, '..', '..', '..', '..', 'shared', 'data', 'crds');
const isThere = existsSync(sample);
const reason = isThere ? '' : ' (skipped: there is no folder ../shared/data/crds)';

test.skipIf(!isThere)(`real CRDs come back from TypeScript as they were${reason}`, async () => {
  const render = await moduleRenderer('');
  const imports = chosen(readdirSync(sample).sort())
    .flatMap((name) => readCrds(readFileSync(join(sample, name), 'utf8'), name).crds)
    .map(({ crd, where }) => ({ crd, where, files: importCrd(crd, { clientOnly: false }).map(render) }));
  const messages = [...verifyImports(imports).values()].flat().map(({ message }) => message);
  expect(messages).toEqual([]);
  const texts = imports.flatMap(({ files }) => files.map(({ content }) => content));
  const escapes = texts.flatMap((text) => text.match(/^ *(?:\/\*)?\*+ @(?:(?:items|values)\.)*k8s /gm) ?? []);
  // Of tens of thousands of nodes: what nothing else can say.
  expect(escapes.length).toBeLessThan(imports.length / 10);
});
