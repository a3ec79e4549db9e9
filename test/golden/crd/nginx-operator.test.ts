import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { afterAll, expect, test } from 'vitest';
import { generateManifests } from '../../../src/compiler/manifests/index.ts';
import { renderMachineDocument } from '../../../src/project/scaffold/machine-document.ts';
import { parseYaml } from '../../../src/kubernetes/yaml/read-yaml.ts';
import { projectFolder } from '../../unit/compiler/manifests/project-folder.ts';

const seed = fileURLToPath(new URL('../../../../shared/data/seeds/crd_v1alpha1.yaml', import.meta.url));
const folder = projectFolder();
afterAll(() => folder.remove());
folder.copy('examples/nginx-operator');
// The tutorial's first types have an empty status: the conditions come in a later chapter.
const types = 'src/api/operator/v1alpha1/nginx-operator.ts';
folder.write(types, folder.read(types).replace(/(interface NginxOperatorStatus \{)[^}]*/, '$1'));

async function generatedCrd(): Promise<string> {
  const { files, warnings } = generateManifests({ projectDir: folder.dir, only: 'crd' });
  expect(warnings).toEqual([]);
  expect(files.map((file) => file.path)).toEqual([
    'config/crd/bases/operator.example.com_nginxoperators.yaml',
  ]);
  const [crd] = files;
  if (crd === undefined) throw new Error('no CRD');
  return renderMachineDocument(crd.template, crd.document);
}

test('the CRD of the tutorial, byte for byte', async () => {
  await expect(await generatedCrd()).toMatchFileSnapshot('expected/nginx-operator.yaml');
});

/** What may differ: `format: int32` (the tutorial's tool left it out), `required: [spec]` at the root, status and creationTimestamp. */
function normalised(document: unknown): unknown {
  const plain = structuredClone(document) as {
    metadata: Record<string, unknown>;
    status?: unknown;
    spec: { versions: { schema: { openAPIV3Schema: Record<string, unknown> } }[] };
  };
  delete plain.status;
  delete plain.metadata['creationTimestamp'];
  delete plain.metadata['annotations'];
  for (const version of plain.spec.versions) delete version.schema.openAPIV3Schema['required'];
  return dropInt32(plain);
}

function dropInt32(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(dropInt32);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).filter(([key, part]) => key !== 'format' || part !== 'int32');
  return Object.fromEntries(entries.map(([key, part]) => [key, dropInt32(part)]));
}

test.skipIf(!existsSync(seed))(
  `equals the tutorial's own CRD${existsSync(seed) ? '' : ' (skipped: ../shared is not there)'}`,
  async () => {
    const expected = parseYaml(readFileSync(seed, 'utf8'), 'crd.yaml').value;
    const generated = parseYaml(await generatedCrd(), 'crd.yaml').value;
    expect(normalised(generated)).toEqual(normalised(expected));
  },
);
