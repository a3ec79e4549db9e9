// The field managers with which an operator applies, as `migrate-ownership` needs them.
import { afterEach, expect, test } from 'vitest';
import { readFieldManagers } from '../../../../src/compiler/manifests/index.ts';
import { kindSource, projectFolder, type ProjectFolder } from './project-folder.ts';

let folder: ProjectFolder | undefined;
afterEach(() => folder?.remove());

function managersOf(files: Record<string, string>) {
  folder = projectFolder({ 'src/api/web.ts': kindSource('Web'), ...files });
  const { kinds, unread } = readFieldManagers({ projectDir: folder.dir });
  return {
    kinds: Object.fromEntries(
      kinds.map(({ group, plural, object, status }) => [`${plural}.${group}`, { object, status }]),
    ),
    unreadOf: Object.fromEntries(
      kinds.flatMap((each) =>
        each.unread.length === 0 ? [] : [[each.plural, each.unread.map(({ message }) => message)]],
      ),
    ),
    unread: unread.map(({ message }) => message),
  };
}

const main = (options: string, before = ''): string => `import { createManager, operatorMain } from 'opsdk';
${before}
await operatorMain(async ({ flags, signal }) => {
  const manager = await createManager({ ${options}, leaderElection: flags.leaderElect && { id: 'lease' } });
  await manager.run({ signal });
});
`;

const controller = (
  options: string,
  body = '',
  imports = '',
): string => `import { defineController } from 'opsdk';
import { Deployment } from 'opsdk/k8s/apps/v1';
import { ConfigMap, Event, Secret, Service } from 'opsdk/k8s/core/v1';
import { Web } from '../api/web.ts';
${imports}
void [ConfigMap, Deployment, Event, Secret, Service];
export const controller = defineController({ for: Web, ${options} async reconcile(object, { client, key }) { ${body} } });
`;

const both = (...names: readonly string[]) => ({ object: names, status: names });

test('those of the one controller, named by the manager and the kind', () => {
  expect(
    managersOf({
      'src/main.ts': main(`name: 'web-operator', permissions: [], ...flags`),
      'src/controllers/web.ts': controller(
        'owns: [Deployment], ',
        `await client.apply(ConfigMap, { metadata: { name: 'a', namespace: 'b' } });
         await client.live.get(Secret, key);
         await client.applyStatus(Web, key, { ready: true });`,
      ),
    }),
  ).toEqual({
    kinds: {
      'configmaps.': both('web-operator/web'),
      'deployments.apps': both('web-operator/web'),
      'webs.cache.example.com': { object: [], status: ['web-operator/web'] },
    },
    unreadOf: {},
    unread: [],
  });
});

test('of two controllers, the one that owns the kind applies it, and the one that reconciles it its status', () => {
  const found = managersOf({
    'src/api/site.ts': kindSource('Site'),
    'src/main.ts': main(`name: 'op'`),
    'src/controllers/web.ts': controller(`name: 'pages', owns: [Deployment], `),
    'src/controllers/site.ts': `import { defineController } from 'opsdk';
import { Web } from '../api/web.ts';
import { Site } from '../api/site.ts';
export const controller = defineController({ for: Site, owns: [Web], async reconcile() {} });
`,
  });
  expect(found.kinds).toEqual({
    'deployments.apps': both('op/pages'),
    'sites.cache.example.com': { object: [], status: ['op/site'] },
    'webs.cache.example.com': { object: ['op/site'], status: ['op/pages'] },
  });
});

test('a call that two controllers reach is not decided', () => {
  const found = managersOf({
    'src/main.ts': main(`name: 'op'`),
    'src/secret.ts': `import type { ControllerClient } from 'opsdk';
import { Secret } from 'opsdk/k8s/core/v1';
export const write = (client: ControllerClient) => client.apply(Secret, { metadata: { name: 'a', namespace: 'b' } });
`,
    'src/controllers/a.ts': controller(
      `name: 'a', `,
      'await write(client);',
      `import { write } from '../secret.ts';`,
    ),
    'src/controllers/b.ts': controller(
      `name: 'b', `,
      'await write(client);',
      `import { write } from '../secret.ts';`,
    ),
  });
  expect(found.kinds['secrets.']).toEqual(both('op/a', 'op/b'));
});

const web = (owns: string, body: string, imports = '') => ({
  'src/main.ts': main(`name: 'op'`),
  'src/controllers/web.ts': controller(owns, body, imports),
});
const written = `{ metadata: { name: 'a', namespace: 'b' } }`;

test.each([
  ['a literal', `{ fieldManager: 'custom' }`, ['custom']],
  ['a constant', `{ fieldManager: name }`, ['fixed']],
  ['undefined', `{ fieldManager: undefined, dryRun: true }`, ['op/web']],
  ['one of two', `{ fieldManager: key.name === 'a' ? 'custom' : undefined }`, ['custom', 'op/web']],
])('a call names its field manager: %s', (_, options, object) => {
  const found = managersOf(
    web('', `await client.apply(Secret, ${written}, ${options});`, `const name = 'fixed';\nvoid name;`),
  );
  expect(found.kinds['secrets.']?.object).toEqual(object);
  expect(found.unreadOf).toEqual({});
});

test('a field manager that is computed is reported, with its kind', () => {
  const found = managersOf(
    web(
      'owns: [Deployment], ',
      `await client.apply(Deployment, { metadata: { name: 'a', namespace: 'b' } } as never, { fieldManager: key.name });
       await client.mergeStatus(Web, key, { ready: true }, options());`,
      `import type { ApplyOptions } from 'opsdk';
declare const options: () => ApplyOptions;`,
    ),
  );
  const unread = ['the fieldManager of a call cannot be read from the sources'];
  expect(found.unreadOf).toEqual({ deployments: unread, webs: unread });
});

test.each([
  ['of the manager', `await manager.client.apply(Secret, ${written});`],
  [
    'of the manager, passed on',
    `const write = (client: ControllerClient) => client.apply(Secret, ${written});
   await write(manager.client);`,
  ],
  [
    'of a runnable',
    `manager.add({ name: 'a', async run({ client }) { await client.apply(Secret, ${written}); } });`,
  ],
])('the client %s writes under the name of the manager', (_, statement) => {
  const found = managersOf({
    ...web('', `await client.applyStatus(Web, key, { ready: true });`),
    'src/main.ts': `import { createManager, operatorMain, type ControllerClient } from 'opsdk';
import { Secret } from 'opsdk/k8s/core/v1';
void Secret;
await operatorMain(async ({ flags, signal }) => {
  const manager = await createManager({ name: 'op', ...flags });
  ${statement}
  await manager.run({ signal });
});
`,
  });
  expect(found.kinds['secrets.']).toEqual(both('op'));
});

test('a controller that owns a kind and another one that writes it are not decided', () => {
  const found = managersOf({
    'src/main.ts': main(`name: 'op'`),
    'src/controllers/a.ts': controller(`name: 'a', owns: [Secret], `),
    'src/controllers/b.ts': controller(`name: 'b', `, `await client.apply(Secret, ${written});`),
  });
  expect(found.kinds['secrets.']).toEqual(both('op/a', 'op/b'));
});

test('computed names are reported', () => {
  const file = { 'src/controllers/web.ts': controller('owns: [Deployment], ') };
  const unread = ['the `name` of createManager cannot be read from the sources'];
  expect(managersOf({ ...file, 'src/main.ts': main(`name: process.env['NAME'] ?? 'op'`) }).unread).toEqual(
    unread,
  );
  folder?.remove();
  expect(
    managersOf({
      ...file,
      'src/main.ts': main(`name: 'op', ...more()`, `declare const more: () => { name?: string };`),
    }).unread,
  ).toEqual(unread);
  folder?.remove();
  expect(managersOf(file)).toMatchObject({
    kinds: { 'deployments.apps': both(), 'webs.cache.example.com': both() },
    unread: ['no call of createManager is in the sources'],
  });
  folder?.remove();
  expect(
    managersOf({
      'src/main.ts': main(`name`, `const name = 'op';`),
      'src/controllers/web.ts': controller(`name: process.title, `),
    }),
  ).toMatchObject({ unread: ['the name of the controller cannot be read from the sources'] });
});
