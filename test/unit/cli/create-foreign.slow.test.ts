// Controllers of kinds that the project does not define: which kind is meant, and what is refused.
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import type { Finding } from '../../../src/base/errors/index.ts';
import { runCli } from '../../helpers/run-cli.ts';
import { treeOf } from '../../helpers/tree.ts';

let scratch = '';
let template = '';

beforeAll(async () => {
  scratch = mkdtempSync(join(tmpdir(), 'op-sdk-foreign-'));
  template = join(scratch, 'cache-operator');
  mkdirSync(template);
  await done(template, ['init', '--domain', 'example.com', '--skip-install', '--opsdk', '^0.1.0']);
});
afterAll(() => rmSync(scratch, { recursive: true, force: true }));

function project(files: Readonly<Record<string, string>> = {}): string {
  const folder = mkdtempSync(join(scratch, 'project-'));
  cpSync(template, folder, { recursive: true });
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  return folder;
}

const api = (flags: string): string[] => ['create', 'api', ...flags.split(' ')];

async function done(folder: string, argv: readonly string[]): Promise<void> {
  const run = await runCli(argv, { cwd: folder });
  expect(run.code, run.stderr).toBe(0);
}

async function refused(folder: string, argv: readonly string[]): Promise<readonly Finding[]> {
  const before = treeOf(folder);
  const run = await runCli([...argv, '-o', 'json'], { cwd: folder });
  expect(run.code, run.stdout).not.toBe(0);
  expect(treeOf(folder)).toEqual(before);
  return (JSON.parse(run.stdout) as { errors: Finding[] }).errors;
}

const entries = (folder: string): readonly object[] =>
  (parse(readFileSync(join(folder, 'PROJECT'), 'utf8')) as { resources?: object[] }).resources ?? [];

describe('a built-in kind', () => {
  test.each([
    ['networking', 'networking', 'k8s.io', 'Ingress', 'k8s.io/api/networking/v1'],
    ['networking.k8s.io', 'networking', 'k8s.io', 'Ingress', 'k8s.io/api/networking/v1'],
    ['rbac.authorization', 'rbac.authorization', 'k8s.io', 'Role', 'k8s.io/api/rbac.authorization/v1'],
    ['policy', 'policy', undefined, 'PodDisruptionBudget', 'k8s.io/api/policy/v1'],
    ['core', 'core', undefined, 'ConfigMap', 'k8s.io/api/core/v1'],
  ])('of %s is listed as kubebuilder lists it', async (given, group, domain, kind, path) => {
    const folder = project();
    await done(folder, api(`--group ${given} --version v1 --kind ${kind} --resource=false`));
    expect(entries(folder)).toEqual([
      { controller: true, core: true, ...(domain && { domain }), group, kind, path, version: 'v1' },
    ]);
  });

  test.each([
    [
      '--group apps --version v1 --kind Deploymnt --resource=false',
      'project/unknown-built-in-kind',
      '--kind Deployment',
    ],
    [
      '--group apps --version v2 --kind Deployment --resource=false',
      'project/unknown-built-in-kind',
      '--version v1',
    ],
    ['--group apps --version v1 --kind Deployment', 'project/built-in-kind', '--resource=false'],
    [
      '--group apps --version v1 --kind Deployment --resource --controller',
      'project/built-in-kind',
      '--resource=false',
    ],
    ['--group storage.k8s.io --version v1 --kind Disk', 'project/built-in-kind', '--resource=false'],
    [
      '--group authentication --version v1 --kind TokenReview --resource=false',
      'project/not-watchable',
      'stores',
    ],
    [
      '--group apps --version v1 --kind Deployment --resource=false --plural x',
      'cli/invalid-value',
      '--plural',
    ],
  ])('%s is refused', async (flags, code, fix) => {
    const findings = await refused(project(), api(flags));
    expect(findings).toMatchObject([{ code }]);
    expect(findings[0]?.fix?.join()).toContain(fix);
  });

  test('whose group a project has, too, leaves that one alone', async () => {
    const folder = project();
    await done(folder, api('--group storage --version v1 --kind Bucket --controller=false'));
    await done(folder, api('--group storage --version v1 --kind Bucket --resource=false'));
    await done(folder, api('--group storage --version v1 --kind StorageClass --resource=false'));
    expect(entries(folder)).toMatchObject([
      { domain: 'example.com', kind: 'Bucket', controller: true, api: {} },
      { domain: 'k8s.io', kind: 'StorageClass', controller: true, core: true },
    ]);
  });

  test('has one controller without a name', async () => {
    const folder = project();
    await done(folder, api('--group core --version v1 --kind Secret --resource=false'));
    const again = api('--group core --version v1 --kind Secret --resource=false');
    expect(await refused(folder, again)).toMatchObject([{ code: 'project/controller-exists' }]);
    const before = treeOf(folder);
    await done(folder, [...again, '--force']);
    expect(treeOf(folder)).toEqual(before);
    await done(folder, [...again, '--controller-name', 'secret-rotation']);
    expect(entries(folder)).toMatchObject([
      { controllers: [{ name: 'secret' }, { name: 'secret-rotation' }] },
    ]);
  });
});

function crd(group: string, kind: string, versions: readonly string[]): string {
  const plural = `${kind.toLowerCase()}s`;
  return JSON.stringify({
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${plural}.${group}` },
    spec: {
      group,
      names: { kind, plural, singular: kind.toLowerCase(), listKind: `${kind}List` },
      scope: 'Namespaced',
      conversion: {
        strategy: 'Webhook',
        webhook: {
          conversionReviewVersions: ['v1'],
          clientConfig: { service: { namespace: 'a', name: 'b' } },
        },
      },
      versions: versions.map((name, index) => ({
        name,
        served: name !== 'v1alpha1',
        storage: index === 0,
        schema: { openAPIV3Schema: { type: 'object', properties: { spec: { type: 'object' } } } },
      })),
    },
  });
}

const crds = {
  'crds/certificate.json': crd('cert-manager.io', 'Certificate', ['v1', 'v1beta1']),
  'crds/issuer.json': crd('cert-manager.io', 'Issuer', ['v1', 'v1alpha1']),
  'crds/order.json': crd('acme.cert-manager.io', 'Order', ['v1']),
};

describe('an external kind of a CRD', () => {
  test.each([
    ['crds --group cert-manager --version v1 --kind Certificate', 'cert-manager', 'io', 'Certificate'],
    ['crds --external-api-domain io --group cert-manager --kind Issuer', 'cert-manager', 'io', 'Issuer'],
    ['crds/issuer.json', 'cert-manager', 'io', 'Issuer'],
    ['crds --group cert-manager.io --kind Issuer', 'cert-manager', 'io', 'Issuer'],
    ['crds --group acme.cert-manager', 'acme.cert-manager', 'io', 'Order'],
    ['crds --kind Order', 'acme', 'cert-manager.io', 'Order'],
  ])('%s', async (flags, group, domain, kind) => {
    const folder = project(crds);
    await done(folder, api(`--external-api-path ${flags}`));
    const path = `src/external/${group}.${domain}/v1/${kind.toLowerCase()}.ts`;
    expect(entries(folder)).toEqual([
      { controller: true, domain, external: true, group, kind, path, version: 'v1' },
    ]);
    const definition = readFileSync(
      join(folder, `test/crds/${group}.${domain}_${kind.toLowerCase()}s.yaml`),
      'utf8',
    );
    expect(parse(definition)).toMatchObject({ kind: 'CustomResourceDefinition' });
    expect(definition).not.toContain('strategy:');
    await done(folder, ['generate', 'manifests', '--check', '--strict']);
    expect(Object.keys(treeOf(folder)).filter((file) => /config\/(?:crd|samples)/.test(file))).toEqual([]);
  });

  test('needs no path for a further controller', async () => {
    const folder = project(crds);
    await done(folder, api('--external-api-path crds/issuer.json'));
    const further = '--group cert-manager --version v1 --kind Issuer --resource=false --controller-name';
    await done(folder, api(`${further} issuer-audit`));
    expect(entries(folder)).toMatchObject([{ controllers: [{ name: 'issuer' }, { name: 'issuer-audit' }] }]);
    expect(readFileSync(join(folder, 'src/controllers/cert-manager/issuer-audit.ts'), 'utf8')).toContain(
      "from '../../external/cert-manager.io/v1/issuer.ts'",
    );
  });

  test.each([
    [
      'crds',
      /expected one kind in crds, found several: .*v1, Kind=Certificate; .*v1beta1, Kind=Certificate; .*Issuer; .*Order/,
    ],
    ['crds --kind Certificate', /expected one kind in crds for --kind Certificate, found several: .*v1beta1/],
    [
      'crds --kind Certifcate --version v1',
      /crds has no kind that matches --version v1 --kind Certifcate; it has .*Issuer/,
    ],
    [
      'crds --kind Issuer --version v1alpha1',
      /crds has no kind that matches --version v1alpha1 --kind Issuer/,
    ],
    [
      'crds --group cert-manager --external-api-domain com',
      /crds has no kind that matches --group cert-manager --external/,
    ],
  ])('%s names what is there', async (flags, message) => {
    const [finding, ...more] = await refused(project(crds), api(`--external-api-path ${flags}`));
    expect(more).toEqual([]);
    expect(finding).toMatchObject({ code: 'project/external-kind', message: expect.stringMatching(message) });
  });

  test('reports everything that is wrong with the flags at once', async () => {
    const flags =
      '--external-api-domain A --resource --controller=false --kind k --version 1 --controller-name A';
    const findings = await refused(project(), api(flags));
    expect(findings.map(({ where }) => (where as { flag: string }).flag)).toEqual([
      '--external-api-path',
      '--resource',
      '--controller',
      '--external-api-domain',
      '--version',
      '--kind',
      '--controller-name',
    ]);
  });

  test('is refused where the project defines it', async () => {
    const folder = project({ 'own.json': crd('shop.example.com', 'Widget', ['v1']) });
    await done(folder, api('--group shop --version v1 --kind Widget'));
    expect(await refused(folder, api('--external-api-path own.json'))).toMatchObject([
      { code: 'project/resource-exists' },
    ]);
  });

  test('whose types were edited keeps them', async () => {
    const folder = project(crds);
    await done(folder, api('--external-api-path crds/issuer.json'));
    const types = join(folder, 'src/external/cert-manager.io/v1/issuer.ts');
    writeFileSync(types, `${readFileSync(types, 'utf8')}// mine\n`);
    const again = api('--external-api-path crds/issuer.json --controller-name issuer-audit');
    expect(await refused(folder, again)).toMatchObject([
      { code: 'scaffold/file-exists', where: { file: 'src/external/cert-manager.io/v1/issuer.ts' } },
    ]);
  });
});

describe('an external kind of a module', () => {
  const widgets = (script: string): Readonly<Record<string, string>> => ({
    'node_modules/widgets/package.json':
      '{ "name": "widgets", "type": "module", "exports": { "./v1": "./v1.js" } }',
    'node_modules/widgets/v1.d.ts':
      "import type { CustomResource, Resource } from 'opsdk';\nexport declare const WidgetV1: Resource<CustomResource<'a.io/v1', 'Widget'>>;\n",
    'node_modules/widgets/v1.js': script,
  });
  const literal =
    "import { defineResource } from 'opsdk';\nexport const WidgetV1 = defineResource({ group: 'a.io', version: 'v1', kind: 'Widget' });\n";

  test('is imported where it is, under the name of its kind', async () => {
    const folder = project(widgets(literal));
    await done(folder, api('--external-api-path widgets/v1'));
    expect(entries(folder)).toEqual([
      {
        controller: true,
        domain: 'io',
        external: true,
        group: 'a',
        kind: 'Widget',
        path: 'widgets/v1',
        version: 'v1',
      },
    ]);
    const source = readFileSync(join(folder, 'src/controllers/a/widget.ts'), 'utf8');
    expect(source).toContain("import { WidgetV1 as Widget } from 'widgets/v1';");
    expect(readFileSync(join(folder, 'config/rbac/role.yaml'), 'utf8')).toContain(
      '- a.io\n  resources:\n  - widgets\n',
    );
    await done(
      folder,
      api('--group a --version v1 --kind Widget --resource=false --controller-name widget-audit'),
    );
  });

  test.each([
    ['widgets/v2', literal, /neither a file or folder, nor a module/],
    [
      'widgets/v1',
      literal.replace("'a.io'", 'process.env.GROUP'),
      /widgets\/v1: expected an exported resource whose fields are literals, found none/,
    ],
  ])('%s is refused', async (path, script, message) => {
    expect(await refused(project(widgets(script)), api(`--external-api-path ${path}`))).toMatchObject([
      { code: 'project/external-module', message: expect.stringMatching(message) },
    ]);
  });
});
