// The operator of the tutorial, and its next version: what op-sdk scaffolds, with the files of the examples, is a bundle without a finding.
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { describeBundle, expectBundle } from './example-bundle.ts';
import { exampleFolder, expectManifests, runIn } from './example-commands.ts';

const packageName = 'nginx-operator';
const base = `config/manifests/bases/${packageName}.clusterserviceversion.yaml`;
const kind = (version: string) => ['--group', 'operator', '--version', version, '--kind', 'NginxOperator'];
let project = '';

const run = (...argv: readonly string[]): Promise<string> => runIn(project, ...argv);
const edit = (path: string, from: string, to: string): void => {
  const text = readFileSync(join(project, path), 'utf8');
  expect(text).toContain(from);
  writeFileSync(join(project, path), text.replace(from, to));
};

beforeAll(async () => {
  project = mkdtempSync(join(tmpdir(), 'op-sdk-nginx-operator-'));
  const init = ['init', '--domain', 'example.com', '--project-name', packageName];
  await run(...init, '--skip-install', '--opsdk', '*');
  await run('create', 'api', ...kind('v1alpha1'));
  cpSync(exampleFolder('nginx-operator'), project, { recursive: true });
  await run('generate', 'manifests');
}, 120_000);
afterAll(() => rmSync(project, { recursive: true, force: true }));

test('its bundle has no finding', async () => {
  await expectManifests(project);
  const bundle = { packageName, capabilities: 'Basic Install' };
  await describeBundle(project, bundle);
  await expectBundle(project, bundle);
});

test('the bundle of its next version has no finding', async () => {
  const flags = ['--resource', '--controller', '--storage', '--force'];
  await run('create', 'api', ...kind('v1alpha2'), ...flags);
  await run('create', 'webhook', ...kind('v1alpha2'), '--conversion', '--spoke', 'v1alpha1');
  cpSync(exampleFolder('two-versions'), project, { recursive: true });
  await run('generate', 'manifests');
  await expectManifests(project);
  await run('generate', 'kustomize', 'manifests');
  edit(base, 'capabilities: Basic Install', 'capabilities: Seamless Upgrades');
  await expectBundle(project, {
    ...{ packageName, example: 'two-versions', capabilities: 'Seamless Upgrades' },
    // The certificate of cert-manager, which OLM makes itself.
    warned: ['bundle/left-out'],
  });
});
