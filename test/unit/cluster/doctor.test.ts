// `op-sdk doctor` without a cluster: each check on a project that is well and on one that is not, and the report.
import { cpSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Check } from '../../../src/cluster/doctor/check.ts';
import { checks } from '../../../src/cluster/doctor/checks.ts';
import { compareVersions } from '../../../src/cluster/doctor/compare-versions.ts';
import { diagnose, type CheckResult, type DoctorWorld } from '../../../src/cluster/doctor/index.ts';
import { copiedPaths, ignores } from '../../../src/cluster/doctor/docker-context.ts';
import { oldestNode } from '../../../src/util/node-version.ts';
import { explanations } from '../../../src/errors-docs/index.ts';
import { OpSdkError } from '../../../src/errors/index.ts';
import { runCli } from '../../helpers/run-cli.ts';
import { treeOf } from '../../helpers/tree.ts';

const golden = fileURLToPath(new URL('../../golden/projects/basic/', import.meta.url));
const ours = JSON.parse(readFileSync(new URL('../../../package.json', import.meta.url), 'utf8')) as {
  version: string;
  engines: { node: string };
};

let scratch = '';
let tools = '';
beforeAll(() => {
  scratch = realpathSync(mkdtempSync(join(tmpdir(), 'op-sdk-doctor-')));
  tools = join(scratch, 'tools');
  mkdirSync(tools);
  writeFileSync(join(tools, 'npm'), '');
});
afterAll(() => rmSync(scratch, { recursive: true, force: true }));

/** The scaffold with all that a person would have added: packages, a lock file, an image of a registry. */
function project(
  files: Readonly<Record<string, string | ((text: string) => string) | undefined>> = {},
): string {
  const folder = mkdtempSync(join(scratch, 'project-'));
  cpSync(golden, folder, { recursive: true });
  const { dependencies, devDependencies } = JSON.parse(
    readFileSync(join(folder, 'package.json'), 'utf8'),
  ) as Record<'dependencies' | 'devDependencies', object>;
  for (const name of Object.keys({ ...dependencies, ...devDependencies })) {
    const manifest = join(folder, 'node_modules', name, 'package.json');
    mkdirSync(dirname(manifest), { recursive: true });
    writeFileSync(manifest, JSON.stringify({ name, version: ours.version }));
  }
  const all: typeof files = {
    'package-lock.json': '{}',
    'config/manager/kustomization.yaml': (text) =>
      text
        .replace('newName: controller', 'newName: registry.example.com/cache')
        .replace('newTag: latest', 'newTag: v1'),
    ...files,
  };
  for (const [path, change] of Object.entries(all)) {
    const file = join(folder, path);
    if (change === undefined) rmSync(file, { recursive: true, force: true });
    else {
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, typeof change === 'string' ? change : change(readFileSync(file, 'utf8')));
    }
  }
  return folder;
}

async function results(
  cwd: string,
  world: Partial<DoctorWorld> = {},
  table: readonly Check[] = checks,
): Promise<Record<string, CheckResult>> {
  const whole: DoctorWorld = {
    cwd,
    env: { PATH: tools },
    nodeVersion: process.versions.node,
    sdkVersion: ours.version,
    signal: new AbortController().signal,
    connect: () =>
      Promise.reject(new OpSdkError({ code: 'kube/no-cluster', message: 'no cluster is configured' })),
    outdatedManifests: () => Promise.resolve([]),
    registryOf: () => Promise.resolve({ registry: 'registry.example.com', hasCredentials: true }),
    ...world,
  };
  const list = await diagnose(whole, undefined, table);
  return Object.fromEntries(list.map((result) => [result.name, result]));
}

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
    expect(found['crds']?.message).toBe('there is no cluster to look at');
  });
});

type Change = Parameters<typeof project>[0];

describe('what is wrong is found', () => {
  const cases: readonly [
    title: string,
    files: Change,
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
      { status: 'problem', code: 'cluster/no-package-manager', message: /no pnpm on the PATH/ },
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
      { status: 'warning', code: 'cluster/other-op-sdk', message: /made with op-sdk 99\.0\.0/ },
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
      { registryOf: () => Promise.resolve({ registry: 'registry.example.com', hasCredentials: false }) },
      'registry',
      {
        status: 'warning',
        code: 'cluster/no-registry-credentials',
        message: /registry\.example\.com: .* only if it takes anonymous pushes$/,
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

describe('the command', () => {
  const home = (): string => mkdtempSync(join(scratch, 'home-'));

  test('outside of a project and without a cluster all is skipped but this machine', async () => {
    const cwd = home();
    const run = await runCli(['doctor'], { cwd, env: { HOME: cwd, PATH: tools } });
    expect(run.code, run.stdout).toBe(0);
    expect(run.stdout.split('\n').filter((line) => /^(ok|warning|problem)/.test(line))).toEqual([
      `ok       node              Node ${process.versions.node}`,
    ]);
    expect(run.stdout).toMatch(/^skipped {2}project +there is no PROJECT file/m);
    expect(run.stdout).toMatch(/^skipped {2}cluster +no cluster is configured/m);
    expect(run.stderr).toMatch(/^1 ok, 0 warnings, 0 problems, \d+ skipped\n$/);
    expect(treeOf(cwd)).toEqual({});
  });

  test('tells problems with their fixes, exits 1, and writes nothing', async () => {
    const cwd = project({ 'node_modules/vitest': undefined, 'package-lock.json': undefined });
    const before = treeOf(cwd, []);
    const run = await runCli(['doctor', '--quiet'], { cwd, env: { HOME: cwd, PATH: tools } });
    expect(run.code).toBe(1);
    expect(run.stdout).toContain(
      `problem  dependencies      1 of 7 packages are not installed: vitest [cluster/dependencies-missing]
                           fix: npm install
`,
    );
    expect(run.stdout).toMatch(/^warning {2}package-manager .*\[cluster\/lock-file\]$/m);
    expect(run.stdout).toMatch(/^warning {2}registry .*\[cluster\/no-registry-credentials\]$/m);
    expect(run.stdout).not.toMatch(/^(ok|skipped)/m);
    expect(run.stderr).toBe('');
    expect(treeOf(cwd, [])).toEqual(before);
  });

  test('-o json has every check, and the findings as everywhere', async () => {
    const cwd = project({ 'config/rbac/role.yaml': (text) => text.replace('- watch', '- get') });
    const run = await runCli(['doctor', '-o', 'json'], { cwd, env: { HOME: cwd, PATH: tools } });
    expect(run.code).toBe(1);
    const document = JSON.parse(run.stdout) as {
      ok: boolean;
      result: { checks: CheckResult[]; summary: object };
      warnings: object[];
      errors: object[];
    };
    expect(document.ok).toBe(false);
    expect(document.errors).toMatchObject([
      { code: 'manifests/out-of-date', fix: ['op-sdk generate manifests'] },
    ]);
    expect(document.warnings).toMatchObject([{ code: 'cluster/no-registry-credentials' }]);
    expect(document.result.summary).toMatchObject({ warnings: 1, problems: 1 });
    for (const { status, code } of document.result.checks) {
      if (status === 'warning' || status === 'problem') expect(explanations).toHaveProperty([code ?? '']);
    }
  });

  test('finds the credentials where docker keeps them', async () => {
    const cwd = project({
      '.docker/config.json': '{ "auths": { "registry.example.com": { "auth": "YTpi" } } }',
    });
    const run = await runCli(['doctor'], { cwd, env: { HOME: cwd, PATH: tools } });
    expect(run.stdout).toMatch(/^ok +registry +there are credentials for registry\.example\.com$/m);
    expect(run.stdout).not.toContain('YTpi');
  });

  test('a kubeconfig that does not exist is a problem', async () => {
    const cwd = home();
    const run = await runCli(['doctor', '--kubeconfig', 'nothing'], { cwd, env: { HOME: cwd, PATH: tools } });
    expect(run.code).toBe(1);
    expect(run.stdout).toMatch(/^problem {2}cluster .*\[kube\/kubeconfig-unreadable\]$/m);
  });
});

test('the oldest Node is that of package.json', () => {
  expect(`>=${oldestNode}`).toBe(`${ours.engines.node}.0`);
});

test.each([
  ['20.19.0', '20.19.0', 0],
  ['20.9.0', '20.19.0', -1],
  ['v1.36.3+k3s1', '1.36.3', 0],
  ['1.36', '1.36.0', 0],
  ['1.0.0-rc.1', '1.0.0', -1],
  ['2.0.0', '10.0.0', -1],
])('version %s compared with %s', (a, b, expected) => {
  expect(Math.sign(compareVersions(a, b))).toBe(expected);
  expect(Math.sign(compareVersions(b, a))).toBe(expected === 0 ? 0 : -expected);
});

describe('what a Dockerfile copies', () => {
  const copies = (dockerfile: string, path: string): boolean | undefined =>
    copiedPaths(`${dockerfile}\nRUN npm run build`)?.(path);

  test.each([
    ['COPY . .', 'assets', true],
    ['COPY ./ /workspace/', 'assets', true],
    ['COPY src/ src/', 'assets', false],
    ['copy src assets /workspace/', 'assets', true],
    ['COPY --chown=1:1 src \\\n  assets ./', 'assets', true],
    ['COPY ["src", "assets", "./"]', 'assets', true],
    ['COPY --from=builder . .', 'assets', false],
    ['COPY src/*.ts src/', 'src', true],
    ['COPY s* ./', 'src', true],
    ['ADD . .', 'src', true],
    ['# COPY . .', 'src', false],
  ])('%j: %s %s', (dockerfile, path, expected) => {
    expect(copies(dockerfile, path)).toBe(expected);
  });

  test('is not known of one that mounts its sources, or builds nothing', () => {
    expect(copiedPaths('RUN --mount=type=bind,target=. npm run build')).toBeUndefined();
    expect(copiedPaths('COPY dist/ ./')).toBeUndefined();
  });

  test.each([
    ['assets', true],
    ['/assets/', true],
    ['**/assets', true],
    ['a*', true],
    ['*', true],
    ['assets/*.md', false],
    ['src', false],
    ['# assets', false],
    ['*\n!assets', false],
    ['*\n!assets/**', false],
    ['!assets\n*', true],
  ])('.dockerignore %j leaves assets out: %s', (text, expected) => {
    expect(ignores(text, 'assets')).toBe(expected);
  });
});

test('PATH has several folders', async () => {
  const found = await results(
    project(),
    { env: { PATH: ['/nowhere', tools].join(delimiter) } },
    checks.filter(({ name }) => name === 'package-manager'),
  );
  expect(found['package-manager']?.status).toBe('ok');
});
