// The life of a chart: two releases in two namespaces, each with the certificate that its operator makes itself, upgraded, rolled back and removed.
import { execFile } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { missing, programOf, type HelmProgram } from '../peers/helm/helm.ts';
import { eventually } from '../../src/testing/index.ts';
import { clusterApi, eventuallyTrue, isReady, type ClusterApi } from './bed/cluster-api.ts';
import type { ClusterBed } from './bed/cluster-bed.ts';
import type { OperatorProject } from './bed/operator-project.ts';
import { createTwoVersionsProject } from './bed/two-versions-project.ts';

const bed = inject('cluster') as ClusterBed;
const definition = 'nginxoperators.operator.example.com';
const slow = { timeout: 60_000 };
const patience = ['--wait', '--timeout', '3m'];
/** Each release watches its own namespace. The names of these and of the releases have nothing of the project's. */
const one = { name: 'one', namespace: 'team-a' };
const two = { name: 'two', namespace: 'team-b' };
type Release = typeof one;

interface Definition {
  readonly spec: {
    readonly versions: readonly {
      readonly name: string;
      readonly schema: { readonly openAPIV3Schema: { readonly description: string } };
    }[];
    readonly conversion: {
      readonly webhook: { readonly clientConfig: { readonly caBundle?: string } };
    };
  };
}

if (missing !== undefined) console.log(`skipped: charts on Pods: ${missing}`);

describe.skipIf(bed === undefined || missing !== undefined)('releases of a chart', () => {
  let api: ClusterApi;
  let project: OperatorProject;
  let image: string;
  let before: readonly string[];

  beforeAll(async () => {
    api = clusterApi(bed);
    // Scaffolded for cert-manager, which this cluster does not have.
    project = await createTwoVersionsProject(bed, 'cert-manager');
    image = await project.pushImage('chart');
    await project.opSdk('generate', 'helm', '--image', image);
    before = await api.inventory();
    // A busy machine takes minutes for these commands.
  }, 900_000);
  afterAll(async () => {
    for (const { name, namespace } of [one, two]) {
      await helm('helm4', 'uninstall', name, '--namespace', namespace, '--ignore-not-found', '--wait');
      await api.delete('Namespace', namespace).catch(() => undefined);
    }
    await api.delete('CustomResourceDefinition', definition).catch(() => undefined);
    await eventually(async () => {
      expect((await api.inventory()).filter((object) => !before.includes(object))).toEqual([]);
    }, slow);
    project?.[Symbol.dispose]();
  });

  const helm = async (program: HelmProgram, ...args: readonly string[]): Promise<string> => {
    const env = { PATH: process.env['PATH'], HOME: join(project.folder, '..'), KUBECONFIG: bed.kubeconfig };
    const { stdout } = await promisify(execFile)(programOf(program), args, { env, cwd: project.folder });
    return stdout;
  };
  const valuesOf = ({ namespace }: Release): readonly string[] => [
    ...['--set', 'webhooks.certProvider=self-signed', '--set', `watchNamespaces={${namespace}}`],
  ];
  const install = (program: HelmProgram, release: Release, ...args: readonly string[]): Promise<string> =>
    helm(
      program,
      ...['install', release.name, 'chart', '--namespace', release.namespace, '--create-namespace'],
      ...valuesOf(release),
      ...patience,
      ...args,
    );
  const path = (namespace: string, version: string, name = ''): string =>
    `/apis/operator.example.com/${version}/namespaces/${namespace}/nginxoperators${name === '' ? '' : `/${name}`}`;
  const create = async (
    namespace: string,
    name: string,
    spec: object,
    version = 'v1alpha2',
  ): Promise<number> => {
    const apiVersion = `operator.example.com/${version}`;
    const object = JSON.stringify({ apiVersion, kind: 'NginxOperator', metadata: { name }, spec });
    return (await api.request('POST', path(namespace, version), object)).status;
  };
  const specOf = async (namespace: string, version: string, name: string): Promise<unknown> =>
    (await api.call<{ spec: unknown }>('GET', path(namespace, version, name))).spec;
  const isReconciled = (namespace: string, name: string): Promise<unknown> =>
    eventuallyTrue(`the Deployment of ${name}`, () => api.get('Deployment', name, namespace));
  const crd = (): Promise<Definition> =>
    api.get('CustomResourceDefinition', definition) as Promise<Definition>;
  const colours = async (): Promise<unknown> => {
    const manager = await api.get('Deployment', 'one-nginx-operator-controller-manager', one.namespace);
    return manager?.spec.template.metadata.annotations?.colour;
  };
  const description = async (): Promise<string | undefined> => {
    const { versions } = (await crd()).spec;
    return versions.find(({ name }) => name === 'v1alpha2')?.schema.openAPIV3Schema.description;
  };

  test('serve webhooks and conversions with certificates of their own', async () => {
    await install('helm4', one);
    const pods = await api.pods(one.namespace, 'control-plane=controller-manager');
    expect(pods.map(isReady)).toEqual([true]);
    expect(await create(one.namespace, 'refused', { replicas: 7 })).toBe(422);
    expect(await create(one.namespace, 'web', {})).toBe(201);
    expect(await specOf(one.namespace, 'v1alpha2', 'web')).toEqual({ replicas: 0 });
    expect(await create(one.namespace, 'old', { replicas: 0, port: 8080 }, 'v1alpha1')).toBe(201);
    expect(await specOf(one.namespace, 'v1alpha2', 'old')).toMatchObject({
      ports: [{ containerPort: 8080 }],
    });
    await isReconciled(one.namespace, 'web');
  });

  test('answer helm test', async () => {
    const said = await helm('helm4', 'test', one.name, '--namespace', one.namespace, '--timeout', '2m');
    expect(said).toContain('Phase:          Succeeded');
  });

  test('leave the namespaces of others alone', async () => {
    await install('helm3', two, '--set', 'crds.install=false');
    expect(await create(two.namespace, 'refused', { replicas: 7 })).toBe(422);
    expect(await create(two.namespace, 'web', {})).toBe(201);
    await isReconciled(two.namespace, 'web');
    // Nobody watches this one.
    expect(await create('default', 'unwatched', { replicas: 7 })).toBe(201);
    await api.call('DELETE', path('default', 'v1alpha2', 'unwatched'));
    // The conversion is that of the first release.
    expect(await create(two.namespace, 'old', { replicas: 0, port: 8080 }, 'v1alpha1')).toBe(201);
    expect(await specOf(two.namespace, 'v1alpha2', 'old')).toMatchObject({
      ports: [{ containerPort: 8080 }],
    });
  });

  test('change the Pods and the definition with an upgrade', async () => {
    const source = join(project.folder, 'src/api/operator/v1alpha2/nginx-operator.ts');
    const sentence = 'NginxOperator is the Schema for the nginxoperators API';
    const text = readFileSync(source, 'utf8');
    writeFileSync(source, text.replace(sentence, `${sentence}, in its second edition.`));
    await project.opSdk('generate', 'manifests');
    await project.opSdk('generate', 'helm', '--version', '0.2.0', '--image', image);
    const { caBundle } = (await crd()).spec.conversion.webhook.clientConfig;
    await helm(
      'helm4',
      ...['upgrade', one.name, 'chart', '--namespace', one.namespace, '--reuse-values', ...patience],
      ...['--set', 'podAnnotations.colour=blue'],
    );
    expect(await colours()).toBe('blue');
    expect(await description()).toContain('in its second edition');
    // Helm does not know it, and leaves it.
    expect(caBundle).toBeDefined();
    expect((await crd()).spec.conversion.webhook.clientConfig.caBundle).toBe(caBundle);
    expect(await create(one.namespace, 'refused', { replicas: 7 })).toBe(422);
    expect(await specOf(one.namespace, 'v1alpha1', 'old')).toEqual({ replicas: 0, port: 8080 });
  });

  test('are what they were after a rollback', async () => {
    await helm('helm4', 'rollback', one.name, '1', '--namespace', one.namespace, ...patience);
    expect(await colours()).toBeUndefined();
    expect(await description()).not.toContain('in its second edition');
    expect(await create(one.namespace, 'refused', { replicas: 7 })).toBe(422);
    expect(await specOf(one.namespace, 'v1alpha1', 'old')).toEqual({ replicas: 0, port: 8080 });
  });

  test('leave the definition, its objects and the keys of the operator when they are removed', async () => {
    await helm('helm3', 'uninstall', two.name, '--namespace', two.namespace, '--wait');
    expect(await create(two.namespace, 'unchecked', { replicas: 7 })).toBe(201);
    await api.call('DELETE', path(two.namespace, 'v1alpha2', 'unchecked'));
    expect(await create(one.namespace, 'refused', { replicas: 7 })).toBe(422);
    await helm('helm4', 'uninstall', one.name, '--namespace', one.namespace, '--wait');
    await eventually(async () => {
      const left = (await api.inventory()).filter((object) => !before.includes(object));
      expect(left.filter((object) => object.includes('nginx'))).toEqual([
        `api/v1/pods ${one.namespace}/one-nginx-operator-test`,
        ...[one, two].flatMap(({ name, namespace }) => [
          `api/v1/secrets ${namespace}/nginx-operator-conversion-key`,
          `api/v1/secrets ${namespace}/${name}-nginx-operator-webhook-server-cert`,
        ]),
        `apis/apiextensions.k8s.io/v1/customresourcedefinitions /${definition}`,
      ]);
    }, slow);
    // In the version in which they are stored.
    expect(await specOf(one.namespace, 'v1alpha2', 'old')).toMatchObject({
      ports: [{ containerPort: 8080 }],
    });
  });

  test('take up what was left when they are installed again', async () => {
    await install('helm4', one);
    expect(await specOf(one.namespace, 'v1alpha1', 'old')).toEqual({ replicas: 0, port: 8080 });
    expect(await create(one.namespace, 'refused', { replicas: 7 })).toBe(422);
  });
});
