// A project with webhooks and a conversion, from its sources to its bundle. UPDATE_GOLDEN=1 rewrites the files in `expected`.
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { runCli } from '../../helpers/run-cli.ts';

const here = import.meta.dirname;
let folder = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'op-sdk-webhook-project-'));
  cpSync(join(here, '../projects/versions'), folder, { recursive: true });
  // The sources and kustomizations of webhooks.
  cpSync(join(here, '../../fixtures/webhook-project'), folder, { recursive: true });
  edit('src/api/cache/v1alpha1/memcached.ts', 'foo?: string', () => 'name?: string');
  edit('src/api/cache/v1beta1/memcached.ts', "version: 'v1beta1',", (line) => `${line}\n  deprecated: true,`);
  edit('src/main.ts', '// +op-sdk:scaffold:imports', (marker) =>
    [
      "import { memcachedConversion } from './conversions/cache/memcached.ts';",
      "import { memcachedWebhook } from './webhooks/cache/v1/memcached.ts';",
      "import { podWebhook } from './webhooks/core/v1/pod.ts';",
      marker,
    ].join('\n'),
  );
  edit('src/main.ts', '  // +op-sdk:scaffold:controllers', (marker) =>
    [
      ...['memcachedWebhook', 'podWebhook', 'memcachedConversion'].map((name) => `  manager.add(${name});`),
      marker,
    ].join('\n'),
  );
  edit(
    'config/default/kustomization.yaml',
    '- ../manager\n',
    (line) => `${line}- ../webhook\n- ../certmanager\n`,
  );
  edit(
    'config/default/kustomization.yaml',
    'patches:\n',
    (line) => `${line}- path: manager_webhook_patch.yaml\n`,
  );
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function edit(path: string, wanted: string, replace: (text: string) => string): void {
  const text = readFileSync(join(folder, path), 'utf8');
  expect(text).toContain(wanted);
  writeFileSync(join(folder, path), text.replace(wanted, replace));
}

async function opSdk(...args: readonly string[]) {
  // A bundle is created at the same time, whenever that is.
  const env = { OPSDK_NO_CACHE: '1', SOURCE_DATE_EPOCH: '1767323045' };
  const run = await runCli(args, { cwd: folder, env });
  expect(run.code, run.stderr).toBe(0);
  return run;
}

/** Compares a file of the project with the one that was reviewed. */
function expectFile(path: string): void {
  // The version of op-sdk is in bundles.
  const content = readFileSync(join(folder, path), 'utf8').replace(/(?<=op-sdk-v)[\w.-]+/, '0.0.0');
  const file = join(here, 'expected', path);
  if (process.env['UPDATE_GOLDEN'] === '1') {
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, content);
  }
  expect(content).toBe(readFileSync(file, 'utf8'));
}

const documents = (text: string): readonly Record<string, unknown>[] =>
  parseAllDocuments(text).map((document) => document.toJS() as Record<string, unknown>);

test('the manifests are those that were reviewed, without a warning', async () => {
  const { stderr } = await opSdk('generate', 'manifests');
  expect(stderr).not.toContain('warning');
  for (const path of [
    'config/webhook/manifests.yaml',
    'config/rbac/role.yaml',
    'config/crd/bases/cache.example.com_memcacheds.yaml',
  ])
    expectFile(path);
  expect((await opSdk('generate', 'manifests', '--check', '--strict')).code).toBe(0);
});

test('rbac explain names the lines of the webhooks', async () => {
  const { stdout } = await opSdk('rbac', 'explain');
  expect(stdout).toContain('src/webhooks/cache/v1/memcached.ts:15');
});

test('kustomize gives the Service its names in configurations and definitions', async () => {
  const { stdout } = await opSdk('kustomize', 'build', 'config/default');
  const services = documents(stdout).flatMap(({ kind, webhooks, spec }) => {
    const conversion = (spec as { conversion?: { webhook: { clientConfig: unknown } } } | undefined)
      ?.conversion;
    const clients = ((webhooks ?? []) as { clientConfig: unknown }[]).map(({ clientConfig }) => clientConfig);
    return [...clients, ...(conversion === undefined ? [] : [conversion.webhook.clientConfig])].map(
      (client) => ({
        kind,
        ...(client as { service: object }).service,
      }),
    );
  });
  const named = { name: 'versions-webhook-service', namespace: 'versions-system' };
  expect(services.filter(({ kind }) => kind !== 'CustomResourceDefinition')).toEqual([
    { kind: 'MutatingWebhookConfiguration', ...named, path: '/mutate-cache-example-com-v1-memcached' },
    { kind: 'ValidatingWebhookConfiguration', ...named, path: '/validate-cache-example-com-v1-memcached' },
    { kind: 'ValidatingWebhookConfiguration', ...named, path: '/validate--v1-pod' },
  ]);
  expect(services.filter(({ kind }) => kind === 'CustomResourceDefinition')).toMatchObject([
    { namespace: 'versions-system', path: '/convert' },
  ]);
});

test('the bundle has what OLM needs of them, and nothing that OLM brings itself', async () => {
  // As the scaffold does by a replacement.
  edit(
    'config/crd/kustomization.yaml',
    'resources:\n',
    (line) => `patches:\n- path: service_name.yaml\n${line}`,
  );
  const answers = ['--display-name', 'Versions', '--description', 'Runs Memcached', '--provider', 'Example'];
  const more = [
    '--provider-url',
    'https://example.com',
    '--keywords',
    'cache',
    '--maintainers',
    'A:a@example.com',
  ];
  await opSdk('generate', 'kustomize', 'manifests', ...answers, ...more);
  const { stderr } = await opSdk('generate', 'bundle', '--version', '0.0.1');
  expect(stderr).toContain(
    'the bundle leaves out objects of cert-manager, because OLM makes the certificates of webhooks itself: ',
  );
  const path = 'bundle/manifests/versions.clusterserviceversion.yaml';
  const [csv] = documents(readFileSync(join(folder, path), 'utf8'));
  const { webhookdefinitions } = csv?.['spec'] as { webhookdefinitions: unknown };
  const target = { deploymentName: 'versions-controller-manager', containerPort: 443, targetPort: 9443 };
  expect(webhookdefinitions).toMatchObject([
    {
      ...target,
      type: 'ConversionWebhook',
      conversionCRDs: ['memcacheds.cache.example.com'],
      webhookPath: '/convert',
    },
    { ...target, type: 'MutatingAdmissionWebhook', generateName: 'mmemcached-v1.cache.example.com' },
    { ...target, type: 'ValidatingAdmissionWebhook', generateName: 'vmemcached-v1.cache.example.com' },
    {
      ...target,
      type: 'ValidatingAdmissionWebhook',
      generateName: 'vpod-v1.example.com',
      objectSelector: {
        matchExpressions: [{ key: 'control-plane', operator: 'NotIn', values: ['controller-manager'] }],
      },
    },
  ]);
  expectFile(path);
  expectFile('bundle/manifests/cache.example.com_memcacheds.yaml');
  await opSdk('bundle', 'validate', './bundle');
});
