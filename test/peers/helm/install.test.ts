// From a repository of charts to an installed operator, by Helm and a real API server. No Pods run here.
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parseKubernetesYaml, type ManifestObject } from '../../../src/kubernetes/yaml/index.ts';
import { apiRequest } from '../../../src/testing/http/api-request.ts';
import { eventually } from '../../../src/testing/index.ts';
import { sharedControlPlane, type SharedControlPlane } from '../../helpers/control-plane.ts';
import { runCli } from '../../helpers/run-cli.ts';
import { collectionPath } from './collection-path.ts';
import { helms, missing, runHelm, serveFolder, type HelmProgram } from './helm.ts';
import { mapped } from './mapped.ts';

if (missing !== undefined) console.log(`skipped: the installation by Helm: ${missing}`);

const example = join(import.meta.dirname, '../../../examples/redis-enterprise');
const clusters = '/apis/app.redislabs.com/v1alpha1/namespaces/default/redisearchclusters';
const custom = {
  apiVersion: 'app.redislabs.com/v1alpha1',
  kind: 'RedisEnterpriseCluster',
  metadata: { name: 'my-release' },
  spec: {
    nodes: 3,
    resources: {
      requests: { memory: '1Gi', cpu: '500m', 'ephemeral-storage': '5Gi' },
      limits: { memory: '1Gi', cpu: '500m', 'ephemeral-storage': '5Gi' },
    },
    securityContext: { fsGroup: 999, runAsUser: 999 },
    license: 'accept',
  },
};

/** Returns an object as its author wrote it and the API server completed it: without what the server, Helm and an inventory record. */
function authored(object: ManifestObject): ManifestObject {
  const { name, namespace, labels = {}, annotations = {} } = object.metadata;
  const recorded = /^(meta\.helm\.sh|applyset\.kubernetes\.io|deployment\.kubernetes\.io)\//;
  const without = (entries: Readonly<Record<string, string>>): Record<string, string> =>
    Object.fromEntries(Object.entries(entries).filter(([key]) => !recorded.test(key)));
  const { status: _status, ...rest } = object;
  const place = namespace === undefined ? { name } : { name, namespace };
  return { ...rest, metadata: { ...place, labels: without(labels), annotations: without(annotations) } };
}

describe.skipIf(missing !== undefined)('S0: an operator from a repository of charts', () => {
  let scratch: string;
  let project: string;
  let plane: SharedControlPlane;

  beforeAll(async () => {
    plane = await sharedControlPlane();
    scratch = mkdtempSync(join(tmpdir(), 'op-sdk-install-'));
    project = join(scratch, 'project');
    const sources = /\/(?:node_modules|dist)$/;
    cpSync(example, project, { recursive: true, filter: (path) => !sources.test(path) });
  });
  afterAll(() => {
    rmSync(scratch, { recursive: true, force: true });
  });

  const helm = (program: HelmProgram, ...args: readonly string[]): Promise<string> =>
    runHelm(program, args, { folder: scratch, kubeconfig: plane.kubeconfig });
  const opSdk = async (...args: readonly string[]): Promise<void> => {
    const { code, stderr } = await runCli(args, { cwd: project });
    expect(code, stderr).toBe(0);
  };
  /** Returns the objects of a release as the API server has them. */
  async function present(objects: readonly ManifestObject[], namespace: string): Promise<ManifestObject[]> {
    const read = objects.map(async (object) => {
      const path = `${collectionPath(object, namespace)}/${object.metadata.name}`;
      const { status, text } = await apiRequest(plane, { path });
      expect(status, `${path}: ${text}`).toBe(200);
      // The server leaves out what its path says.
      return { ...(JSON.parse(text) as ManifestObject), apiVersion: object.apiVersion, kind: object.kind };
    });
    return Promise.all(read);
  }
  const manifest = async (program: HelmProgram, name: string, namespace: string): Promise<ManifestObject[]> =>
    parseKubernetesYaml(
      await helm(program, 'get', 'manifest', name, '--namespace', namespace),
      'manifest',
    ).map(({ value }) => value as ManifestObject);

  test.each(helms)('S0: %s adds the repository, finds the operator and installs it', async (program) => {
    const folder = join(scratch, `public-${program}`);
    await using server = await serveFolder(folder);
    const publish = ['generate', 'helm', '--repository-index', folder, '--url', server.url];
    for (const version of ['0.1.0', '0.2.0']) await opSdk(...publish, '--version', version);

    await helm(program, 'repo', 'add', 'operatorhub', server.url);
    const found = await helm(program, 'search', 'repo', 'operator', '--version', '0.1.0');
    expect(found).toMatch(/^operatorhub\/redis-enterprise\s+0\.1\.0\s/m);
    expect(await helm(program, 'search', 'repo', 'operator')).toMatch(
      /^operatorhub\/redis-enterprise\s+0\.2\.0\s/m,
    );

    const release = 'redis-enterprise-operator';
    const place = ['--namespace', 'default', '--create-namespace'];
    await helm(program, 'install', ...place, release, 'operatorhub/redis-enterprise', '--version', '0.1.0');
    const list = await helm(program, 'list', '--namespace', 'default', '--output', 'json');
    expect(JSON.parse(list)).toMatchObject([
      { name: release, status: 'deployed', chart: 'redis-enterprise-0.1.0' },
    ]);
    const objects = await manifest(program, release, 'default');
    expect(objects.map(({ kind }) => kind)).toContain('CustomResourceDefinition');
    await present(objects, 'default');

    await eventually(async () => (await apiRequest(plane, { path: clusters })).status === 200, {
      timeout: 60_000,
    });
    const created = await apiRequest(plane, { method: 'POST', path: clusters, body: custom });
    expect(created.status, created.text).toBe(201);

    // The version of the chart is the only difference.
    await helm(program, 'upgrade', ...place, release, 'operatorhub/redis-enterprise');
    const upgraded = await manifest(program, release, 'default');
    expect(mapped(upgraded)).toEqual(mapped(objects));
    await helm(program, 'uninstall', release, '--namespace', 'default');
    // Helm leaves the definition and its objects, and the next release takes them up.
    const path = `${clusters}/my-release`;
    expect((await apiRequest(plane, { path })).status).toBe(200);
    expect((await apiRequest(plane, { method: 'DELETE', path })).status).toBe(200);
  });

  test('S0: a release has the objects of deploy, as the API server completes them', async () => {
    await opSdk('generate', 'helm');
    const namespace = 'redis-enterprise-system';
    const name = 'redis-enterprise';
    const place = ['--namespace', namespace, '--create-namespace', '--take-ownership'];
    await helm('helm4', 'install', name, join(project, 'chart'), ...place);
    const objects = await manifest('helm4', name, namespace);
    const installed = await present(objects, namespace);
    await helm('helm4', 'uninstall', name, '--namespace', namespace);
    await opSdk('deploy', '--no-wait', '--kubeconfig', plane.kubeconfig, '--take-over');
    const deployed = await present(objects, namespace);
    expect(mapped(installed.map(authored))).toEqual(mapped(deployed.map(authored)));
  });
});
