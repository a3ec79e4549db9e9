// Which kinds belong to the objects of a kind: what its controllers own and write.
import { afterEach, expect, test } from 'vitest';
import { describeKinds } from '../../../../src/compiler/manifests/index.ts';
import { kindSource, projectFolder, type ProjectFolder } from './project-folder.ts';

let folder: ProjectFolder | undefined;
afterEach(() => folder?.remove());

function resourcesOf(files: Record<string, string>): Record<string, readonly string[]> {
  folder = projectFolder(files);
  const { kinds } = describeKinds({ projectDir: folder.dir });
  return Object.fromEntries(
    kinds.map(({ kind, version, resources }) => [
      `${kind} ${version}`,
      resources.map((each) => [each.kind, each.name, each.version].filter((part) => part !== '').join(' ')),
    ]),
  );
}

const controller = (kind: string, body: string, more = '', imports = ''): string =>
  `import { defineController } from 'opsdk';
import { Deployment } from 'opsdk/k8s/apps/v1';
import { ConfigMap, Event, Namespace, Pod, Secret } from 'opsdk/k8s/core/v1';
import { ${kind} } from '../api/${kind.toLowerCase()}.ts';
${imports}
void [Deployment, ConfigMap, Event, Namespace, Pod, Secret];
export const controller = defineController({ for: ${kind}, ${more} async reconcile(object, { client, key }) { ${body} } });
`;

test('what a controller owns or writes, but not what it only reads, deletes or reports on', () => {
  const resources = resourcesOf({
    'src/api/memcached.ts': kindSource('Memcached'),
    'src/controllers/memcached.ts': controller(
      'Memcached',
      `await client.live.get(Secret, key);
       await client.delete(Pod, key);
       await client.updateStatus(Memcached, object);
       await client.apply(ConfigMap, { metadata: { name: 'a', namespace: 'b' } });
       await client.applyStatus(Namespace, key, {});
       await client.update(Memcached, object);`,
      'owns: [Deployment],',
    ),
  });
  expect(resources).toEqual({ 'Memcached v1alpha1': ['ConfigMap v1', 'Deployment v1'] });
});

test('a kind whose controller writes nothing has itself, and kinds of CRDs have the name of theirs', () => {
  const resources = resourcesOf({
    'src/api/memcached.ts': kindSource('Memcached'),
    'src/api/backup.ts': kindSource('Backup'),
    'src/controllers/memcached.ts': controller(
      'Memcached',
      '',
      'owns: [Backup],',
      "import { Backup } from '../api/backup.ts';",
    ),
    'src/controllers/backup.ts': controller('Backup', ''),
  });
  expect(resources).toEqual({
    'Backup v1alpha1': ['Backup backups.cache.example.com v1alpha1'],
    'Memcached v1alpha1': ['Backup backups.cache.example.com v1alpha1'],
  });
});

test('a write in another file belongs to the controllers that import it, and to all where nothing does', () => {
  const helper = (kind: string, name: string): string =>
    `import type { ControllerClient } from 'opsdk';
import { ${kind} } from 'opsdk/k8s/core/v1';
export const ${name} = (client: ControllerClient) => client.apply(${kind}, { metadata: { name: 'a', namespace: 'b' } });
`;
  const resources = resourcesOf({
    'src/api/memcached.ts': kindSource('Memcached'),
    'src/api/backup.ts': kindSource('Backup'),
    'src/lib/secret.ts': helper('Secret', 'writeSecret'),
    'src/lib/index.ts': "export * from './secret.ts';\n",
    'src/start.ts': helper('ConfigMap', 'writeConfig'),
    'src/controllers/memcached.ts': controller(
      'Memcached',
      'await writeSecret(client);',
      '',
      "import { writeSecret } from '../lib/index.ts';",
    ),
    'src/controllers/backup.ts': controller('Backup', ''),
    'src/main.ts': `import { writeConfig } from './start.ts';
import type { ControllerClient } from 'opsdk';
export const start = (client: ControllerClient) => writeConfig(client);
`,
  });
  expect(resources).toEqual({
    'Backup v1alpha1': ['ConfigMap v1'],
    'Memcached v1alpha1': ['ConfigMap v1', 'Secret v1'],
  });
});
