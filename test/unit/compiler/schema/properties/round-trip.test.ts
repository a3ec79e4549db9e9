// Any definition that the API server takes comes back as it was: imported to TypeScript, and generated from it.
import { beforeAll, expect, test } from 'vitest';
import { moduleRenderer } from '../../../../../src/cli/actions/import/render-modules.ts';
import { verifyImports } from '../../../../helpers/verify-imports.ts';
import type { ImportedCrd } from '../../../../../src/compiler/import/verify-imports.ts';
import type { CrdDocument } from '../../../../../src/kubernetes/crd/index.ts';
import { importCrd } from '../../../../../src/compiler/import/index.ts';
import { randomCrds } from '../../../../helpers/random-schemas/crds.ts';
import { isThorough } from '../../../../helpers/thorough.ts';

const seed = Number(process.env['FC_SEED'] ?? 20260101);
let render: Awaited<ReturnType<typeof moduleRenderer>>;
beforeAll(async () => {
  render = await moduleRenderer('');
});

test('random definitions survive the way to TypeScript and back', () => {
  const imports = randomCrds(isThorough ? 100 : 40, seed).map((random): ImportedCrd => {
    const crd = random as unknown as CrdDocument;
    const files = importCrd(crd, { clientOnly: false }).map(render);
    return { crd, where: { file: crd.metadata.name }, files };
  });
  const told = [...verifyImports(imports)].map(([{ crd, files }, findings]) => ({
    findings: findings.map(({ message }) => message),
    files: files.map(({ content }) => content),
    crd: JSON.stringify(crd),
  }));
  expect(told).toEqual([]);
  // A sample that only has what is usual would prove little.
  const texts = imports.flatMap(({ files }) => files.map(({ content }) => content)).join('\n');
  for (const tag of ['@k8s', '@cel', '@items.', '@values.', '@oneOf', '@default', '@description'])
    expect(texts).toContain(tag);
  for (const type of [
    'ListMap<',
    'ListSet<',
    'AtomicMap<',
    'IntOrString',
    'EmbeddedResource',
    'Int32',
    '| null',
  ])
    expect(texts).toContain(type);
});
