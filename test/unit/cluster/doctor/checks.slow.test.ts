// Each check of `op-sdk doctor` without a cluster, on a project that is well and on one that is not.
import { readFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { checks } from '../../../../src/cluster/doctor/diagnose.ts';
import type { DoctorWorld } from '../../../../src/cluster/doctor/facts.ts';
import { OpSdkError } from '../../../../src/base/errors/index.ts';
import { doctorFixture, golden, type Files } from './fixture.ts';

const { project, results, tools } = doctorFixture();

const clusterChecks = [
  ...['cluster', 'server-version', 'permissions', 'crds', 'monitoring', 'cert-manager', 'kinds'],
  ...['operator', 'custom-resources', 'olm'],
];

describe('a project that is well', () => {
  test('every check of it is ok, and those of the cluster are skipped with the reason', async () => {
    const found = await results(project());
    for (const [name, result] of Object.entries(found)) {
      expect(result, name).toMatchObject({ status: clusterChecks.includes(name) ? 'skipped' : 'ok' });
    }
    expect(Object.keys(found)).toEqual(expect.arrayContaining(clusterChecks));
    expect(found['cluster']?.message).toBe('no cluster is configured');
    expect(found['crds']?.message).toBe('no cluster can be reached');
  });
});

const withoutCredentials: DoctorWorld['registryOf'] = () =>
  Promise.resolve({ registry: 'registry.example.com', hasCredentials: false });

describe('what is wrong is found', () => {
  const cases: readonly [
    title: string,
    files: Files,
    world: Partial<DoctorWorld>,
    check: string,
    expected: { status: string; code?: string; message: RegExp },
  ][] = [
    [
      'an old Node',
      {},
      { nodeVersion: '20.18.3' },
      'node',
      { status: 'problem', code: 'cluster/old-node', message: /20\.18\.3 is older than 20\.19\.0/ },
    ],
    [
      'a PROJECT that cannot be read',
      { PROJECT: (text) => text.replace(/^domain:.*$/m, 'domain: Not_A_Domain') },
      {},
      'project',
      { status: 'problem', code: 'project/invalid', message: /Not_A_Domain/ },
    ],
    [
      'packages that are not installed',
      { 'node_modules/vitest': undefined, 'node_modules/opsdk': undefined },
      {},
      'dependencies',
      { status: 'problem', code: 'cluster/dependencies-missing', message: /2 of 7 .*: opsdk, vitest/ },
    ],
    [
      'a package that is imported and not listed',
      {
        'src/hash.ts': "export { hash } from 'hashes';\n",
        'node_modules/hashes/package.json': '{ "name": "hashes", "main": "index.js" }',
        'node_modules/hashes/index.js': 'exports.hash = 1;',
      },
      {},
      'dependencies',
      {
        status: 'warning',
        code: 'project/unlisted-package',
        message: /^src\/hash\.ts:1:22: hashes is imported/,
      },
    ],
    [
      'a package.json that is broken',
      { 'package.json': '{' },
      {},
      'dependencies',
      { status: 'problem', code: 'cluster/dependencies-missing', message: /not JSON/ },
    ],
    [
      'a package manager that is not there',
      { 'package-lock.json': undefined, 'pnpm-lock.yaml': '' },
      {},
      'package-manager',
      { status: 'problem', code: 'cluster/no-package-manager', message: /pnpm was not found on the PATH/ },
    ],
    [
      'no lock file',
      { 'package-lock.json': undefined },
      {},
      'package-manager',
      { status: 'warning', code: 'cluster/lock-file', message: /no lock file/ },
    ],
    [
      'two lock files',
      { 'yarn.lock': '' },
      {},
      'package-manager',
      { status: 'warning', code: 'cluster/lock-file', message: /package-lock\.json, yarn\.lock/ },
    ],
    [
      'another op-sdk in the project',
      { 'node_modules/opsdk/package.json': '{ "version": "0.0.7" }' },
      {},
      'op-sdk',
      { status: 'warning', code: 'cluster/other-op-sdk', message: /the project has 0\.0\.7/ },
    ],
    [
      'a project of a newer op-sdk',
      { PROJECT: (text) => text.replace(/^cliVersion:.*$/m, 'cliVersion: 99.0.0') },
      {},
      'op-sdk',
      { status: 'warning', code: 'cluster/other-op-sdk', message: /created with op-sdk 99\.0\.0/ },
    ],
    [
      'scaffolds of an older op-sdk',
      { PROJECT: (text) => text.replace(/^cliVersion:.*$/m, 'cliVersion: 0.0.1') },
      {},
      'op-sdk',
      {
        status: 'warning',
        code: 'cluster/old-scaffolds',
        message: /scaffolds of op-sdk 0\.0\.1, which is older/,
      },
    ],
    [
      'an op-sdk that is not in the project',
      { 'package.json': (text) => text.replace(/"opsdk": "[^"]*"/, '"opsdk": "file:../opsdk.tgz"') },
      {},
      'op-sdk',
      { status: 'warning', code: 'cluster/dependency-outside', message: /from file:\.\.\/opsdk\.tgz, which/ },
    ],
    [
      'sources that cannot be read',
      { 'src/api/cache/v1alpha1/memcached.ts': (text) => text.replace("'cache.example.com'", "'Cache'") },
      {},
      'sources',
      { status: 'problem', code: 'crd/group', message: /Cache/ },
    ],
    [
      'manifests that are out of date',
      {},
      { outdatedManifests: () => Promise.resolve(['config/rbac/role.yaml']) },
      'manifests',
      { status: 'problem', code: 'manifests/out-of-date', message: /config\/rbac\/role\.yaml/ },
    ],
    [
      'a file that a kustomization lacks',
      { 'config/rbac/role_binding.yaml': undefined },
      {},
      'kustomization',
      { status: 'problem', code: 'kustomize/missing-file', message: /role_binding/ },
    ],
    [
      'an object that is there twice',
      {
        'config/rbac/kustomization.yaml': (text) => `${text}- again.yaml\n`,
        'config/rbac/again.yaml': readFileSync(join(golden, 'config/rbac/service_account.yaml'), 'utf8'),
      },
      {},
      'kustomization',
      { status: 'problem', code: 'kustomize/duplicate-resource', message: /controller-manager/ },
    ],
    [
      'the image of the scaffold',
      {
        'config/manager/kustomization.yaml': (text) =>
          text.replace('registry.example.com/cache', 'controller'),
      },
      {},
      'registry',
      { status: 'skipped', message: /names no registry yet/ },
    ],
    [
      'no credentials for the registry',
      {},
      { registryOf: withoutCredentials },
      'registry',
      {
        status: 'warning',
        code: 'cluster/no-registry-credentials',
        message: /registry\.example\.com: .* only if it takes anonymous pushes$/,
      },
    ],
    [
      'no credentials for a registry that asks for some',
      {},
      { registryOf: withoutCredentials, asksForCredentials: () => Promise.resolve(true) },
      'registry',
      { status: 'warning', code: 'cluster/no-registry-credentials', message: /registry\.example\.com/ },
    ],
    [
      'no credentials for a registry that serves everybody, which is well',
      {},
      { registryOf: withoutCredentials, asksForCredentials: () => Promise.resolve(false) },
      'registry',
      {
        status: 'ok',
        message: /^registry\.example\.com answers without credentials; a push may still need them$/,
      },
    ],
    [
      'no credentials for a local registry, which is well',
      {},
      { registryOf: () => Promise.resolve({ registry: 'localhost:5000', hasCredentials: false }) },
      'registry',
      { status: 'ok', message: /localhost:5000/ },
    ],
    [
      'assets that the Dockerfile does not copy',
      {
        Dockerfile: (text) => text.replace('COPY . .', 'COPY src/ src/\nCOPY tsconfig.json ./'),
        'assets/deployment.yaml': '',
      },
      {},
      'dockerfile',
      { status: 'warning', code: 'cluster/dockerfile-misses-sources', message: /does not copy assets into/ },
    ],
    [
      'sources that .dockerignore leaves out',
      { '.dockerignore': (text) => `${text}src/\n` },
      {},
      'dockerfile',
      { status: 'warning', code: 'cluster/dockerfile-misses-sources', message: /src \(by \.dockerignore\)/ },
    ],
    [
      'no Dockerfile, which is fine',
      { Dockerfile: undefined },
      {},
      'dockerfile',
      { status: 'skipped', message: /needs none/ },
    ],
    [
      'a cluster that does not answer',
      {},
      {
        connect: () =>
          Promise.reject(
            new OpSdkError({
              code: 'kube/unreachable',
              message: 'cannot reach https://x',
              fix: ['start it'],
            }),
          ),
      },
      'cluster',
      { status: 'problem', code: 'kube/unreachable', message: /cannot reach/ },
    ],
  ];
  test.each(cases)('%s', async (_title, files, world, check, { message, ...expected }) => {
    const table = checks.filter(({ name }) => name === check);
    const found = (await results(project(files), world, table))[check];
    expect(found).toMatchObject(expected);
    expect(found?.message).toMatch(message);
    if (!['skipped', 'ok'].includes(found?.status ?? '')) expect(found?.fix?.length).toBeGreaterThan(0);
  });

  test('the default image', async () => {
    const folder = project({
      'config/manager/kustomization.yaml': (text) =>
        text.replace('newName: controller', 'newName: controller').replace('newTag: v1', 'newTag: latest'),
    });
    expect(
      (
        await results(
          folder,
          {},
          checks.filter(({ name }) => name === 'image'),
        )
      )['image'],
    ).toMatchObject({
      status: 'warning',
      code: 'cluster/default-image',
    });
  });

  test('a defect of a check is not taken for a finding', async () => {
    const failing = results(project(), {
      outdatedManifests: () => Promise.reject(new TypeError('a defect')),
    });
    await expect(failing).rejects.toThrow('a defect');
  });
});

test('PATH has several folders', async () => {
  const found = await results(
    project(),
    { env: { PATH: ['/nowhere', tools()].join(delimiter) } },
    checks.filter(({ name }) => name === 'package-manager'),
  );
  expect(found['package-manager']?.status).toBe('ok');
});
