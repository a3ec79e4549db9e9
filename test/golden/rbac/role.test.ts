import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { afterAll, expect, test } from 'vitest';
import { generateManifests } from '../../../src/compiler/manifests/index.ts';
import { renderMachineDocument } from '../../../src/project/scaffold/machine-document.ts';
import { parseYaml } from '../../../src/kubernetes/yaml/read-yaml.ts';
import { projectFolder } from '../../unit/compiler/manifests/project-folder.ts';

const seed = fileURLToPath(new URL('../../../../shared/data/seeds/role.yaml', import.meta.url));
const folder = projectFolder();
afterAll(() => folder.remove());

// The rules that the tutorial writes above its reconcile function, word for word.
const all = `['get', 'list', 'watch', 'create', 'update', 'patch', 'delete']`;
folder.copy('examples/nginx-operator');
folder.write(
  'src/controllers/operator/nginx-operator.ts',
  `import { defineController } from 'opsdk';
import { Deployment } from 'opsdk/k8s/apps/v1';
import { NginxOperator } from '../../api/operator/v1alpha1/nginx-operator.ts';
export const controller = defineController({
  for: NginxOperator,
  owns: [Deployment],
  failureEvents: false,
  rbac: [
    { groups: ['operator.example.com'], resources: ['nginxoperators'], verbs: ${all} },
    { groups: ['operator.example.com'], resources: ['nginxoperators/status'], verbs: ['get', 'update', 'patch'] },
    { groups: ['operator.example.com'], resources: ['nginxoperators/finalizers'], verbs: ['update'] },
    { groups: ['apps'], resources: ['deployments'], verbs: ${all} },
  ],
  reconcile() {},
});`,
);

async function generatedRole(): Promise<string> {
  const { files, warnings } = generateManifests({ projectDir: folder.dir, only: 'rbac' });
  expect(warnings).toEqual([]);
  expect(files.map(({ template }) => template)).toEqual(['role', 'permissions']);
  const [role] = files;
  if (role === undefined) throw new Error('expected a role');
  return renderMachineDocument(role.template, role.document);
}

test('the role of the tutorial, byte for byte', async () => {
  await expect(await generatedRole()).toMatchFileSnapshot('expected/role.yaml');
});

test.skipIf(!existsSync(seed))(
  `equals the tutorial's own role${existsSync(seed) ? '' : ' (skipped: ../shared is not there)'}`,
  async () => {
    const expected = parseYaml(readFileSync(seed, 'utf8'), 'role.yaml').value as { metadata: object };
    const { creationTimestamp, ...metadata } = expected.metadata as Record<string, unknown>;
    expect(creationTimestamp).toBeNull();
    expect(parseYaml(await generatedRole(), 'role.yaml').value).toEqual({ ...expected, metadata });
  },
);
