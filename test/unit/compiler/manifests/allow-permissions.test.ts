import { afterAll, describe, expect, test } from 'vitest';
import { OpSdkError } from '../../../../src/base/errors/index.ts';
import { generateManifests, type ManifestOptions } from '../../../../src/compiler/manifests/index.ts';
import { projectFolder } from './project-folder.ts';

const folder = projectFolder();
afterAll(() => folder.remove());

const allow = '/** @allow manifests/reads-all-secrets it copies the Secrets of its sites */';

const imports = `import { defineController, defineResource, rbac, type CustomResource } from 'opsdk';
import { ConfigMap, Secret } from 'opsdk/k8s/core/v1';
import { RoleBinding } from 'opsdk/k8s/rbac/v1';
export interface Site extends CustomResource<'web.example.com/v1', 'Site'> { spec: { name?: string } }
export const Site = defineResource<Site>({ group: 'web.example.com', version: 'v1', kind: 'Site' });
`;

/** The first line of `code` is line 6. */
function write(code: string): void {
  folder.write('src/main.ts', imports + code);
}

function warnings(options: Partial<ManifestOptions> = {}): string[] {
  const { warnings: found } = generateManifests({ projectDir: folder.dir, only: 'rbac', ...options });
  return found.map(
    ({ code, where }) => `${code} ${where !== undefined && 'line' in where ? where.line : ''}`,
  );
}

function errors(): string[] {
  try {
    warnings();
  } catch (error) {
    if (error instanceof OpSdkError) return error.findings.map(({ code, message }) => `${code}: ${message}`);
    throw error;
  }
  return [];
}

describe('an @allow with a reason silences a warning about a permission', () => {
  test.each([
    [
      'above the controller',
      `${allow}
export const sites = defineController({ for: Site, owns: [Secret], async reconcile() {} });`,
    ],
    [
      'above the controller, whose list is elsewhere',
      `const owned = [Secret] as const;
${allow}
export const sites = defineController({ for: Site, owns: owned, async reconcile() {} });`,
    ],
    [
      'above owns',
      `export const sites = defineController({
  for: Site,
  ${allow}
  owns: [Secret],
  async reconcile() {} });`,
    ],
    [
      'above one watch',
      `export const sites = defineController({
  for: Site,
  watches: [
    ConfigMap,
    ${allow}
    Secret,
  ],
  async reconcile() {} });`,
    ],
    [
      'in front of one kind on the same line',
      `export const sites = defineController({ for: Site, owns: [ConfigMap, ${allow} Secret], async reconcile() {} });`,
    ],
    [
      'above the call',
      `export const sites = defineController({ for: Site, async reconcile(_, { client }) {
  ${allow}
  for (const each of (await client.live.list(Secret)).items) void each;
} });`,
    ],
    [
      'above one of the rules by hand',
      `export const permissions = rbac([
  ${allow}
  { groups: [''], resources: ['secrets'], verbs: ['list'] },
]);`,
    ],
  ])('%s', (_, code) => {
    write(code);
    expect(warnings()).toEqual([]);
    write(code.replace(allow, ''));
    expect(warnings()).toMatchObject([expect.stringContaining('manifests/reads-all-secrets')]);
  });

  test('each warning about permissions, by its own code', () => {
    const permissions = (...comments: string[]): string => `${comments.join('\n')}
export const permissions = rbac([
  { groups: ['apps'], resources: ['*'], verbs: ['get'] },
  { groups: [''], resources: ['pods'], namespace: 'a', verbs: ['get'] },
  { groups: [''], resources: ['pods'], resourceNames: ['a'], verbs: ['create'] },
  { groups: ['rbac.authorization.k8s.io'], resources: ['roles'], verbs: ['create'] },
]);`;
    const codes = ['grants-permissions', 'role-namespace', 'useless-rbac-rule', 'wide-permission'];
    write(permissions());
    expect(
      warnings()
        .map((line) => line.replace(/ \d+$/, ''))
        .sort(),
    ).toEqual(codes.map((code) => `manifests/${code}`));
    for (const code of codes) {
      write(permissions(`/** @allow manifests/${code} it is meant */`));
      expect(
        warnings()
          .map((line) => line.replace(/ \d+$/, ''))
          .sort(),
      ).toEqual(codes.filter((other) => other !== code).map((other) => `manifests/${other}`));
    }
    write(permissions('/**', ...codes.map((code) => ` * @allow manifests/${code} it is meant`), ' */'));
    expect(warnings()).toEqual([]);
  });
});

test('what one controller may do is not allowed for another', () => {
  write(`${allow}
export const sites = defineController({ for: Site, owns: [Secret], async reconcile() {} });
export const others = defineController({ name: 'others', for: Site, owns: [Secret], async reconcile() {} });`);
  expect(warnings()).toEqual(['manifests/reads-all-secrets 8']);
});

test.each([
  ['nothing warns', `${allow}\nexport const permissions = rbac([]);`, {}, 6],
  [
    'the operator has namespaces of its own',
    `${allow}\nexport const sites = defineController({ for: Site, owns: [Secret], async reconcile() {} });`,
    { namespaced: true },
    6,
  ],
  [
    'it is a warning of schemas',
    `/** @allow schema/float why */\nexport const sites = defineController({ for: Site, async reconcile() {} });`,
    {},
    6,
  ],
  ['it stands above a function that needs no permission', `${allow}\nexport function f(): void {}`, {}, 6],
])('an @allow without a warning is one itself: %s', (_, code, options, line) => {
  write(code);
  expect(warnings(options)).toEqual([`schema/unused-allow ${line}`]);
});

test.each([
  [
    '/** @allow manifests/reads-all-secrets */',
    'schema/tag-value: @allow manifests/reads-all-secrets has no reason',
  ],
  [
    '/** @allow manifests/reads-all-secret it needs them */',
    'schema/tag-value: @allow expects the code of a warning, got manifests/reads-all-secret',
  ],
])('%s above a controller is refused', (comment, message) => {
  write(`${comment}
export const sites = defineController({ for: Site, owns: [Secret], async reconcile() {} });`);
  expect(errors()).toEqual([message]);
});

test('comments above types and kinds belong to the schema alone', () => {
  folder.write(
    'src/main.ts',
    `${imports.replace(
      'export const Site =',
      '/** @allow manifests/status-without-field why */\nexport const Site =',
    )}export interface Sizes {
  /** @allow schema/float */
  size: number;
}
export const roles = defineController({ for: Site, async reconcile(_, { client }) {
  await client.apply(RoleBinding, null!);
} });`,
  );
  expect(warnings().filter((line) => !line.startsWith('manifests/grants'))).toEqual([
    'schema/unused-allow 5',
  ]);
});
