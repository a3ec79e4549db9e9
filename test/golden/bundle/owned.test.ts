// TypeScript types and the owned kinds of the bundle that follow from them. UPDATE_GOLDEN=1 writes them.
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { ownedEntries } from '../../../src/olm/bundle/owned-entries.ts';
import { createObjectReader } from '../../../src/olm/bundle/object-reader.ts';
import { FindingList } from '../../../src/base/errors/index.ts';
import { describeKinds, generateManifests } from '../../../src/compiler/manifests/index.ts';
import type { ManifestObject } from '../../../src/kubernetes/yaml/manifest-object.ts';
import { parseYaml } from '../../../src/kubernetes/yaml/read-yaml.ts';
import { toYaml } from '../../../src/kubernetes/yaml/to-yaml.ts';

const root = join(import.meta.dirname, '../../..');
const folders: string[] = [];
afterEach(() => {
  for (const dir of folders.splice(0)) rmSync(dir, { recursive: true, force: true });
});

/** The owned entries of the kinds that sources declare, with a base that says nothing of them. */
function ownedOf(files: Record<string, string>): readonly unknown[] {
  const projectDir = mkdtempSync(join(tmpdir(), 'opsdk-owned-'));
  folders.push(projectDir);
  mkdirSync(join(projectDir, 'src'));
  for (const [name, text] of Object.entries(files)) writeFileSync(join(projectDir, 'src', name), text);
  const placed = (object: unknown) => ({ object: object as ManifestObject, where: { file: 'objects.yaml' } });
  const { files: manifests } = generateManifests({ projectDir, only: 'crd' });
  const { kinds, warnings } = describeKinds({ projectDir });
  const findings = new FindingList();
  const owned = ownedEntries(findings, createObjectReader(findings), {
    crds: manifests.map(({ document }) => placed(document)),
    base: placed({ kind: 'ClusterServiceVersion', metadata: { name: 'sample.v0.0.0' }, spec: {} }),
    described: kinds,
  });
  expect([...findings.all, ...warnings]).toEqual([]);
  return owned;
}

test('the owned kinds of types are those that were reviewed', async () => {
  const types = readFileSync(join(import.meta.dirname, 'owned/types.ts'), 'utf8');
  await expect(toYaml(ownedOf({ 'types.ts': types }))).toMatchFileSnapshot(
    join(import.meta.dirname, 'owned/owned.yaml'),
  );
});

test('the types of the guide make what the guide says', () => {
  const page = readFileSync(join(root, 'docs/bundles.md'), 'utf8');
  const [, types = '', owned = ''] = /```ts\n([\s\S]*?)```\n\n```yaml\n([\s\S]*?)```/.exec(page) ?? [];
  const controller = `import { defineController } from 'opsdk';
import { Deployment } from 'opsdk/k8s/apps/v1';
import { Cache } from './cache.ts';
export const controller = defineController({ for: Cache, owns: [Deployment], async reconcile() {} });
`;
  expect(ownedOf({ 'cache.ts': types, 'controller.ts': controller })).toEqual(
    parseYaml(owned, 'guide').value,
  );
});
