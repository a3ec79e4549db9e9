// The tutorial's chapters 7 and 8 on a machine on which Node is the only tool: the bundle as a pull request for OperatorHub.io, then the
// second version with a conversion beside it, from the packed tarball and with a PATH of node, npm, npx, make, sh and coreutils.
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync, cpSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { readImage, startRegistry } from '../../scripts/lib/registry.mjs';
import { root, run } from '../../scripts/lib/run.mjs';
import { edit } from '../helpers/dev-process.ts';
import { npmSettings } from '../helpers/npm-settings.ts';
import { restrictedPath } from '../helpers/restricted-path.ts';
import { copyNginxProject } from '../helpers/shared-projects.ts';
import { treeOf } from '../helpers/tree.ts';

let scratch: string;
let project: string;
let env: NodeJS.ProcessEnv;
const base = 'config/manifests/bases/nginx-operator.clusterserviceversion.yaml';
const csvFile = 'manifests/nginx-operator.clusterserviceversion.yaml';

/** Runs a command in the project; what it said. */
async function succeed(command: string, ...args: string[]): Promise<string> {
  const { code, output } = await run(command, args, { cwd: project, env, capture: true });
  expect(code, `${command} ${args.join(' ')}\n${output}`).toBe(0);
  return output;
}
const opSdk = (...args: string[]): Promise<string> => succeed('node_modules/.bin/op-sdk', ...args);
const make = (...args: string[]): Promise<string> => succeed('make', '--no-print-directory', ...args);
const read = (...path: string[]): string => readFileSync(join(project, ...path), 'utf8');
const yaml = (...path: string[]) => parse(read(...path));
const publish = (...more: string[]): Promise<string> =>
  opSdk('bundle', 'publish', '--output-dir', '../community-operators', ...more);

/** The files of the project and of the checkout, without what is installed and built. */
function files(): Readonly<Record<string, string>> {
  const all = Object.entries(treeOf(scratch));
  return Object.fromEntries(
    all.filter(([path]) => !/(?:^|\/)(?:node_modules|dist|bin|\.npm|\.cache)\//.test(path)),
  );
}

beforeAll(async () => {
  scratch = mkdtempSync(join(tmpdir(), 'op-sdk-catalogue-'));
  project = join(scratch, 'nginx-operator');
  env = { PATH: restrictedPath(join(scratch, 'bin')), HOME: scratch, ...(await npmSettings()) };
  await copyNginxProject(project);
  edit(project, 'config/samples/operator_v1alpha1_nginxoperator.yaml', 'foo: bar', 'port: 8080');
  writeFileSync(
    join(project, 'icon.svg'),
    '<svg xmlns="http://www.w3.org/2000/svg" width="1" height="1"/>\n',
  );
  await opSdk(
    ...['generate', 'kustomize', 'manifests', '--display-name', 'Nginx Operator', '--icon', 'icon.svg'],
    ...['--description', 'Operator for managing a basic Nginx deployment'],
    ...['--provider', 'MyCompany', '--provider-url', 'http://mycompany.example'],
    ...['--keywords', 'nginx,tutorial', '--maintainers', 'Mike Dame:mike@mycompany.example'],
  );
});

afterAll(() => rmSync(scratch, { recursive: true, force: true }));

describe('AS9.7: the first version', () => {
  test('make bundle keeps what was written into the base and into the annotations', async () => {
    await make('bundle', 'IMG=docker.io/sample/nginx-operator:v0.0.1');
    edit(
      project,
      base,
      '  links:\n',
      '  links: # ours\n  - name: Docs\n    url: https://mycompany.example/docs\n',
    );
    edit(
      project,
      'bundle/metadata/annotations.yaml',
      'annotations:\n',
      'annotations:\n  # Ours.\n  com.redhat.openshift.versions: v4.16\n',
    );
    edit(project, 'config/manifests/kustomization.yaml', 'resources:\n', '# Ours.\nresources:\n');
    await make('bundle', 'IMG=docker.io/sample/nginx-operator:v0.0.1');
    expect(yaml('bundle', csvFile).spec.links).toMatchObject([{ name: 'Docs' }, { name: 'MyCompany' }]);
    expect(read(base)).toContain('links: # ours\n');
    expect(read('bundle/metadata/annotations.yaml')).toContain('com.redhat.openshift.versions: v4.16\n');
    expect(read('config/manifests/kustomization.yaml')).toContain('# Ours.\n');
    const before = files();
    await make('bundle', 'IMG=docker.io/sample/nginx-operator:v0.0.1');
    await opSdk('generate', 'manifests');
    expect(files()).toEqual(before);
  });

  test('bundle publish makes the tree of a pull request, and does it once', async () => {
    const reviewers = ['--reviewer', 'myGithubUsername', '--reviewer', 'yourTeammateUsername'];
    await publish(...reviewers);
    const operator = join(scratch, 'community-operators/operators/nginx-operator');
    expect(readdirSync(operator).sort()).toEqual(['0.0.1', 'ci.yaml']);
    expect(readdirSync(join(operator, '0.0.1')).sort()).toEqual(['manifests', 'metadata', 'tests']);
    for (const part of ['manifests', 'metadata', 'tests'])
      expect(treeOf(join(operator, '0.0.1', part))).toEqual(treeOf(join(project, 'bundle', part)));
    expect(parse(readFileSync(join(operator, 'ci.yaml'), 'utf8'))).toEqual({
      updateGraph: 'replaces-mode',
      reviewers: ['myGithubUsername', 'yourTeammateUsername'],
    });
    const before = files();
    await publish(...reviewers);
    expect(files()).toEqual(before);
  });

  test('the image in a registry is valid by its name, and passes scorecard', async () => {
    await using registry = await startRegistry();
    const image = `${registry.host}/sample/nginx-bundle:v0.0.1`;
    await make('bundle-build', 'bundle-push', `BUNDLE_IMG=${image}`);
    expect(await opSdk('bundle', 'validate', image, '--plain-http')).toContain(
      'All validation tests have completed successfully',
    );
    const scorecard = JSON.parse(await opSdk('scorecard', '--local', 'bundle', '-o', 'json')) as {
      readonly items: readonly {
        readonly status: { readonly results: readonly { readonly state: string }[] };
      }[];
    };
    const states = scorecard.items.flatMap(({ status }) => status.results.map(({ state }) => state));
    expect(states).toEqual(Array.from({ length: 6 }, () => 'pass'));
  });
});

describe('AS10.6: the second version, with a conversion', () => {
  const kind = ['--group', 'operator', '--version', 'v1alpha2', '--kind', 'NginxOperator'];
  const second = ['VERSION=0.0.2', 'IMG=docker.io/sample/nginx-operator:v0.0.2'];

  test('the bundle has both versions, the conversion webhook and what it replaces', async () => {
    await opSdk('create', 'api', ...kind, '--resource', '--controller', '--storage', '--force');
    await opSdk(
      'create',
      'webhook',
      ...kind,
      '--conversion',
      '--spoke',
      'v1alpha1',
      '--cert-provider',
      'self-signed',
    );
    cpSync(join(root, 'examples/two-versions'), project, { recursive: true });
    edit(project, base, '\nspec:\n', '\nspec:\n  replaces: nginx-operator.v0.0.1\n');
    await make('bundle', ...second);
    const csv = yaml('bundle', csvFile);
    expect(csv).toMatchObject({
      metadata: { name: 'nginx-operator.v0.0.2' },
      spec: { version: '0.0.2', replaces: 'nginx-operator.v0.0.1' },
    });
    const owned = csv.spec.customresourcedefinitions.owned as readonly { readonly version: string }[];
    expect(owned.map(({ version }) => version).sort()).toEqual(['v1alpha1', 'v1alpha2']);
    // OLM makes the Service of a webhook itself, and the certificate.
    expect(csv.spec.webhookdefinitions).toMatchObject([
      {
        type: 'ConversionWebhook',
        conversionCRDs: ['nginxoperators.operator.example.com'],
        deploymentName: 'nginx-operator-controller-manager',
        webhookPath: '/convert',
      },
    ]);
    expect(csv.spec.install.spec.deployments[0].spec.template.spec.containers[0].image).toBe(
      'docker.io/sample/nginx-operator:v0.0.2',
    );
    const before = files();
    await make('bundle', ...second);
    expect(files()).toEqual(before);
  });

  test('it is pushed, and published beside the first', async () => {
    await using registry = await startRegistry();
    const image = `${registry.host}/sample/nginx-bundle:v0.0.2`;
    await make('bundle-build', 'bundle-push', `BUNDLE_IMG=${image}`);
    expect(readImage(registry, 'sample/nginx-bundle', 'v0.0.2').files[csvFile]).toBe(
      readFileSync(join(project, 'bundle', csvFile), 'utf8'),
    );
    const first = treeOf(join(scratch, 'community-operators/operators/nginx-operator/0.0.1'));
    await publish();
    const operator = join(scratch, 'community-operators/operators/nginx-operator');
    expect(readdirSync(operator).sort()).toEqual(['0.0.1', '0.0.2', 'ci.yaml']);
    expect(treeOf(join(operator, '0.0.1'))).toEqual(first);
  });
});
