// The tutorial's chapter 7 and the next release of chapter 8 on a machine on which Node is the only tool: a bundle, its image in
// a registry and its folder for OperatorHub.io, from the packed tarball with a PATH of node, npm, npx, make, sh and coreutils.
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { readImage, startRegistry, type MemoryRegistry } from '../../scripts/lib/registry.mjs';
import { root, run } from '../../scripts/lib/run.mjs';
import { eventually } from '../../src/testing/index.ts';
import { npmSettings } from '../helpers/npm-settings.ts';
import { hasTerminal, onTerminal } from '../helpers/on-terminal.ts';
import { expectInOrder, startPlayedOlm, type PlayedOlm } from '../helpers/played-olm.ts';
import { restrictedPath } from '../helpers/restricted-path.ts';
import { ProjectInGit } from '../helpers/project-in-git.ts';
import { copyNginxProject, nginxSample } from '../helpers/shared-projects.ts';
import { treeOf } from '../helpers/tree.ts';
import { hasOlm } from '../sessions/olm/run/site.ts';

const csvFile = 'bundle/manifests/nginx-operator.clusterserviceversion.yaml';
const base = 'config/manifests/bases/nginx-operator.clusterserviceversion.yaml';
const hub = (): string => join(scratch, 'hub/operators/nginx-operator');
const valid = 'All validation tests have completed successfully';

let scratch: string;
let project: string;
let files: ProjectInGit;
let env: NodeJS.ProcessEnv;
let registry: MemoryRegistry;

/** Runs a command in the project; all that it said. */
async function succeed(command: string, ...args: string[]): Promise<string> {
  const { code, output } = await run(command, args, { cwd: project, env, capture: 'all' });
  expect(code, `${command} ${args.join(' ')}\n${output}`).toBe(0);
  return output;
}
const opSdk = (...args: string[]) => succeed('node_modules/.bin/op-sdk', ...args);
const make = (...args: string[]) => succeed('make', '--no-print-directory', ...args);
const makeBundle = (version: string) => ['bundle', `IMG=docker.io/sample/nginx-operator:v${version}`];

beforeAll(async () => {
  scratch = mkdtempSync(join(tmpdir(), 'op-sdk-bundle-to-hub-'));
  project = join(scratch, 'nginx-operator');
  files = new ProjectInGit(project);
  registry = await startRegistry();
  env = {
    PATH: restrictedPath(join(scratch, 'bin')),
    HOME: scratch,
    // The packages come from the cache that npm keeps for this machine, not from the empty home.
    ...(await npmSettings()),
  };
  await copyNginxProject(project);
  files.write('config/samples/operator_v1alpha1_nginxoperator.yaml', nginxSample('v1alpha1', 'port: 8080'));
  files.git('init', '--quiet');
  // In this copy it is a link, which the pattern node_modules/ does not fit.
  files.write('.git/info/exclude', '/node_modules\n');
  files.commit('The project before its first bundle');
});

afterAll(async () => {
  await registry.close();
  rmSync(scratch, { recursive: true, force: true });
});

describe('AS9: the first bundle', () => {
  test('AS9.2: make bundle asks six questions, then writes and validates the bundle', async (context) => {
    const answers: [question: string, flag: string, answer: string][] = [
      ['Display name for the operator (required):', '--display-name', 'Nginx Operator'],
      [
        'Description for the operator (required):',
        '--description',
        'Operator for managing a basic Nginx deployment',
      ],
      ["Provider's name for the operator (required):", '--provider', 'MyCompany'],
      ['Any relevant URL for the provider name (optional):', '--provider-url', 'http://mycompany.example'],
      ['Comma-separated list of keywords for your operator (required):', '--keywords', 'nginx,tutorial'],
      [
        "Comma-separated list of maintainers and their emails (e.g. 'name1:email1, name2:email2') (required):",
        '--maintainers',
        'Mike Dame:mike@mycompany.example',
      ],
    ];
    if (hasTerminal) {
      const { code, screen } = await onTerminal(`make ${makeBundle('0.0.1').join(' ')}`, {
        cwd: project,
        env: { ...env, TERM: 'xterm' },
        // What is proposed is in the answer already: Ctrl-U removes it.
        answers: answers.map(([question, , answer]) => [question, `\u0015${answer}\r`]),
      });
      expect(code, screen).toBe(0);
      expect(screen).toContain(valid);
    } else {
      const flags = answers.flatMap(([, flag, answer]) => [flag, answer]);
      await opSdk('generate', 'kustomize', 'manifests', ...flags);
      expect(await make(...makeBundle('0.0.1'))).toContain(valid);
    }
    expect(files.status()).toEqual([
      ' M PROJECT',
      ' M config/manager/kustomization.yaml',
      '?? bundle.Dockerfile',
      `?? ${csvFile}`,
      '?? bundle/manifests/operator.example.com_nginxoperators.yaml',
      '?? bundle/metadata/annotations.yaml',
      '?? bundle/tests/scorecard/config.yaml',
      `?? ${base}`,
      '?? config/manifests/kustomization.yaml',
      '?? config/scorecard/bases/config.yaml',
      '?? config/scorecard/kustomization.yaml',
      '?? config/scorecard/patches/basic.config.yaml',
      '?? config/scorecard/patches/olm.config.yaml',
    ]);
    if (!hasTerminal) context.skip('script(1) is not installed: the answers were given as flags');
  });

  test('AS9.2: the ClusterServiceVersion', () => {
    const described = {
      displayName: 'Nginx Operator',
      description: 'Operator for managing a basic Nginx deployment',
      provider: { name: 'MyCompany', url: 'http://mycompany.example' },
      links: [{ name: 'MyCompany', url: 'http://mycompany.example' }],
      keywords: ['nginx', 'tutorial'],
      maintainers: [{ name: 'Mike Dame', email: 'mike@mycompany.example' }],
      apiservicedefinitions: {},
      installModes: [
        { type: 'OwnNamespace', supported: false },
        { type: 'SingleNamespace', supported: false },
        { type: 'MultiNamespace', supported: false },
        { type: 'AllNamespaces', supported: true },
      ],
      maturity: 'alpha',
    };
    expect(parse(files.read(base)).spec).toMatchObject(described);
    const csv = parse(files.read(csvFile));
    expect(csv).toMatchObject({
      apiVersion: 'operators.coreos.com/v1alpha1',
      kind: 'ClusterServiceVersion',
      metadata: {
        name: 'nginx-operator.v0.0.1',
        namespace: 'placeholder',
        annotations: {
          capabilities: 'Basic Install',
          'operators.operatorframework.io/builder': expect.stringMatching(/^op-sdk-v\d/),
          'operators.operatorframework.io/project_layout': 'typescript.opsdk.dev/v1',
        },
      },
      spec: {
        ...described,
        customresourcedefinitions: {
          owned: [
            {
              kind: 'NginxOperator',
              name: 'nginxoperators.operator.example.com',
              version: 'v1alpha1',
              displayName: 'Nginx Operator',
              description: 'NginxOperator is the Schema for the nginxoperators API',
            },
          ],
        },
        install: { strategy: 'deployment' },
        version: '0.0.1',
      },
    });
    expect(JSON.parse(csv.metadata.annotations['alm-examples'])).toEqual([
      parse(nginxSample('v1alpha1', 'port: 8080')),
    ]);
    const { deployments, clusterPermissions } = csv.spec.install.spec;
    expect(deployments).toHaveLength(1);
    expect(deployments[0].name).toBe('nginx-operator-controller-manager');
    expect(deployments[0].spec.template.spec.containers[0].image).toBe(
      'docker.io/sample/nginx-operator:v0.0.1',
    );
    expect(clusterPermissions).toHaveLength(1);
    expect(clusterPermissions[0].serviceAccountName).toBe('nginx-operator-controller-manager');
    expect(clusterPermissions[0].rules).toContainEqual({
      apiGroups: ['operator.example.com'],
      resources: ['nginxoperators'],
      verbs: ['list', 'watch'],
    });
  });

  test('AS9.2: the annotations are the labels of bundle.Dockerfile', () => {
    const prefix = 'operators.operatorframework.io';
    const { annotations } = parse(files.read('bundle/metadata/annotations.yaml'));
    expect(annotations).toEqual({
      [`${prefix}.bundle.mediatype.v1`]: 'registry+v1',
      [`${prefix}.bundle.manifests.v1`]: 'manifests/',
      [`${prefix}.bundle.metadata.v1`]: 'metadata/',
      [`${prefix}.bundle.package.v1`]: 'nginx-operator',
      [`${prefix}.bundle.channels.v1`]: 'alpha',
      [`${prefix}.metrics.builder`]: expect.stringMatching(/^op-sdk-v\d/),
      [`${prefix}.metrics.mediatype.v1`]: 'metrics+v1',
      [`${prefix}.metrics.project_layout`]: 'typescript.opsdk.dev/v1',
      [`${prefix}.test.mediatype.v1`]: 'scorecard+v1',
      [`${prefix}.test.config.v1`]: 'tests/scorecard/',
    });
    const lines = files
      .read('bundle.Dockerfile')
      .split('\n')
      .filter((line) => line !== '' && !line.startsWith('#'));
    expect(lines.filter((line) => !line.startsWith('LABEL '))).toEqual([
      'FROM scratch',
      'COPY bundle/manifests /manifests/',
      'COPY bundle/metadata /metadata/',
      'COPY bundle/tests/scorecard /tests/scorecard/',
    ]);
    const labels = Object.entries(annotations).map(([key, value]) => `LABEL ${key}=${String(value)}`);
    expect(lines.filter((line) => line.startsWith('LABEL ')).sort()).toEqual(labels.sort());
  });

  test('AS9.2: a second make bundle asks nothing and changes nothing', async () => {
    files.commit('The first bundle');
    if (hasTerminal) {
      const { code, screen } = await onTerminal(`make ${makeBundle('0.0.1').join(' ')}`, {
        cwd: project,
        env,
      });
      expect(code, screen).toBe(0);
      expect(screen).not.toContain('(required)');
    } else await make(...makeBundle('0.0.1'));
    expect(files.status()).toEqual([]);
  });

  test('AS9.3: make bundle-build, bundle-push, and bundle validate of the image by its name', async () => {
    expect(await make('bundle-build', 'BUNDLE_IMG=example.com/nginx-operator-bundle:v0.0.1')).toContain(
      'example.com/nginx-operator-bundle:v0.0.1@sha256:',
    );
    // The same name, as the project's default.
    expect(await make('bundle-build')).toContain('example.com/nginx-operator-bundle:v0.0.1@sha256:');
    await pushAndValidate('0.0.1');
    expect(files.status()).toEqual([]);
  });

  test('AS9.7: bundle publish writes the folder of OperatorHub.io', async () => {
    files.write('logo.svg', '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1 1"/>\n');
    await opSdk('generate', 'kustomize', 'manifests', '--icon', 'logo.svg');
    await opSdk('generate', 'bundle', '--version', '0.0.1');
    files.commit('An icon');
    const reviewers = ['--reviewer', 'myGithubUsername', '--reviewer', 'yourTeammateUsername'];
    await opSdk('bundle', 'publish', '--output-dir', '../hub', ...reviewers);
    expect(Object.keys(treeOf(hub())).filter((path) => !path.endsWith('/'))).toEqual([
      '0.0.1/bundle.Dockerfile',
      '0.0.1/manifests/nginx-operator.clusterserviceversion.yaml',
      '0.0.1/manifests/operator.example.com_nginxoperators.yaml',
      '0.0.1/metadata/annotations.yaml',
      '0.0.1/tests/scorecard/config.yaml',
      'ci.yaml',
    ]);
    expect(parse(files.read('../hub/operators/nginx-operator/ci.yaml'))).toEqual({
      reviewers: ['myGithubUsername', 'yourTeammateUsername'],
      updateGraph: 'replaces-mode',
    });
    expect(treeOf(join(hub(), '0.0.1'), ['bundle.Dockerfile'])).toEqual(treeOf(join(project, 'bundle')));
    expect(files.status()).toEqual([]);
  });
});

describe('AS10.6: the next version, with a conversion', () => {
  const kind = ['--group', 'operator', '--version', 'v1alpha2', '--kind', 'NginxOperator'];

  test('AS10.1, AS10.4, AS10.6: make bundle: both versions are owned; the webhook and its Service are there', async () => {
    await opSdk('create', 'api', ...kind, '--resource', '--controller', '--storage', '--force');
    await opSdk('create', 'webhook', ...kind, '--conversion', '--spoke', 'v1alpha1');
    cpSync(join(root, 'examples/two-versions'), project, { recursive: true });
    const ports = 'ports: [{ containerPort: 8080 }]';
    files.write('config/samples/operator_v1alpha2_nginxoperator.yaml', nginxSample('v1alpha2', ports));
    files.edit('Makefile', 'VERSION ?= 0.0.1', 'VERSION ?= 0.0.2');
    files.edit(
      base,
      '\n  version: 0.0.0',
      '\n  replaces: nginx-operator.v0.0.1 # the tutorial\n  version: 0.0.0',
    );
    expect(await make(...makeBundle('0.0.2'))).toContain(valid);

    expect(files.read(base)).toContain('\n  replaces: nginx-operator.v0.0.1 # the tutorial\n');
    const csv = parse(files.read(csvFile));
    expect(csv).toMatchObject({
      metadata: { name: 'nginx-operator.v0.0.2' },
      spec: {
        version: '0.0.2',
        replaces: 'nginx-operator.v0.0.1',
        customresourcedefinitions: {
          owned: [
            { kind: 'NginxOperator', name: 'nginxoperators.operator.example.com', version: 'v1alpha1' },
            { kind: 'NginxOperator', name: 'nginxoperators.operator.example.com', version: 'v1alpha2' },
          ],
        },
        webhookdefinitions: [
          {
            type: 'ConversionWebhook',
            generateName: 'cnginxoperators.kb.io',
            conversionCRDs: ['nginxoperators.operator.example.com'],
            deploymentName: 'nginx-operator-controller-manager',
            containerPort: 443,
            targetPort: 9443,
            webhookPath: '/convert',
            admissionReviewVersions: ['v1'],
            sideEffects: 'None',
          },
        ],
      },
    });
    expect(JSON.parse(csv.metadata.annotations['alm-examples'])).toEqual([
      parse(nginxSample('v1alpha1', 'port: 8080')),
      parse(nginxSample('v1alpha2', ports)),
    ]);
    const [container] = csv.spec.install.spec.deployments[0].spec.template.spec.containers;
    expect(container.image).toBe('docker.io/sample/nginx-operator:v0.0.2');
    expect(container.ports).toContainEqual({ containerPort: 9443, name: 'webhook-server', protocol: 'TCP' });
    const crd = parse(files.read('bundle/manifests/operator.example.com_nginxoperators.yaml'));
    expect(crd.spec.versions).toMatchObject([
      { name: 'v1alpha1', served: true, storage: false },
      { name: 'v1alpha2', served: true, storage: true },
    ]);
    expect(crd.spec.conversion.strategy).toBe('Webhook');
    const service = parse(files.read('bundle/manifests/nginx-operator-webhook-service_v1_service.yaml'));
    expect(service.spec.ports).toEqual([{ port: 443, protocol: 'TCP', targetPort: 9443 }]);

    const rendered = await opSdk('kustomize', 'build', 'config/default');
    expect(rendered).toMatch(
      /^kind: Certificate\nmetadata:\n(?: .*\n)*? {2}name: nginx-operator-serving-cert$/m,
    );

    files.commit('Version 0.0.2');
    await opSdk('generate', 'bundle', '--version', '0.0.2');
    expect(files.status()).toEqual([]);
  });

  test('AS10.6: bundle-build, bundle-push and bundle validate, beside the version before', async () => {
    const before = registry.tags.get('sample/nginx-bundle:v0.0.1');
    await pushAndValidate('0.0.2');
    expect(registry.tags.get('sample/nginx-bundle:v0.0.1')).toBe(before);
  });

  test('AS10.6: bundle publish puts it beside the version before', async () => {
    const before = treeOf(hub());
    await opSdk('bundle', 'publish', '--output-dir', '../hub');
    expect(treeOf(hub(), ['0.0.2'])).toEqual(before);
    expect(treeOf(join(hub(), '0.0.2'), ['bundle.Dockerfile'])).toEqual(treeOf(join(project, 'bundle')));
  });
});

describe.skipIf(!hasOlm)('installed by OLM, which a stand-in plays', () => {
  let olm: PlayedOlm;
  const crd = 'nginxoperators.operator.example.com';
  const image = (version: string): string => `${registry.host}/sample/nginx-bundle:v${version}`;
  const flags = (): string[] => ['-n', 'default', '--push-to', `${registry.host}/sample/nginx-catalog`];

  beforeAll(async () => {
    olm = await startPlayedOlm();
    env = { ...env, KUBECONFIG: olm.kubeconfig };
  });
  afterAll(() => olm?.[Symbol.asyncDispose]());

  test('AS9.4: run bundle installs 0.0.1, and says each step', async () => {
    expectInOrder(await opSdk('run', 'bundle', image('0.0.1'), ...flags()), [
      'catalogsource.operators.coreos.com/nginx-operator-catalog created',
      'operatorgroup.operators.coreos.com/operator-sdk-og created',
      'subscription.operators.coreos.com/nginx-operator-v0-0-1-sub created',
      'approved the InstallPlan install-nginx-operator-v0-0-1',
      'OLM v0 has installed nginx-operator.v0.0.1',
    ]);
    expect(await olm.installed('default')).toEqual(['nginx-operator.v0.0.1 Succeeded']);
    expect(await olm.versionsOf(crd)).toEqual(['v1alpha1 stored']);
  });

  test('AS10.6: run bundle-upgrade goes on to 0.0.2, which has both versions', async () => {
    expectInOrder(await opSdk('run', 'bundle-upgrade', image('0.0.2'), ...flags()), [
      'approved the InstallPlan install-nginx-operator-v0-0-2',
      'OLM v0 has installed nginx-operator.v0.0.2',
    ]);
    expect(await olm.installed('default')).toEqual(['nginx-operator.v0.0.2 Succeeded']);
    expect(await olm.versionsOf(crd)).toEqual(['v1alpha1 served', 'v1alpha2 stored']);
  });

  test('AS9.5: cleanup removes all of it, each object with a line', async () => {
    const flagsOfAll = ['-n', 'default', '--delete-all', '--yes'];
    expectInOrder(await opSdk('cleanup', 'nginx-operator', ...flagsOfAll), [
      'subscription.operators.coreos.com/nginx-operator-v0-0-1-sub deleted',
      `customresourcedefinition.apiextensions.k8s.io/${crd} deleted`,
      'clusterserviceversion.operators.coreos.com/nginx-operator.v0.0.2 deleted',
      'catalogsource.operators.coreos.com/nginx-operator-catalog deleted',
      'operatorgroup.operators.coreos.com/operator-sdk-og deleted',
    ]);
    await eventually(async () => expect(await olm.added()).toEqual([]), { timeout: 60_000 });
  });
});

/** Builds and pushes the bundle's image by make, and validates it by its name. */
async function pushAndValidate(version: string): Promise<void> {
  const reference = `${registry.host}/sample/nginx-bundle:v${version}`;
  await make('bundle-build', 'bundle-push', `BUNDLE_IMG=${reference}`);
  const pushed = readImage(registry, 'sample/nginx-bundle', `v${version}`);
  const { annotations } = parse(files.read('bundle/metadata/annotations.yaml'));
  expect(pushed.labels).toEqual(annotations);
  const paths = Object.keys(treeOf(join(project, 'bundle'))).filter((path) => !path.endsWith('/'));
  expect(pushed.files).toEqual(Object.fromEntries(paths.map((path) => [path, files.read(`bundle/${path}`)])));
  registry.requests.length = 0;
  expect(await opSdk('bundle', 'validate', reference)).toContain(valid);
  expect(registry.requests).toContainEqual(`GET /v2/sample/nginx-bundle/manifests/v${version}`);
}
