// The objects of `op-sdk scorecard` on a real API server, when they are created, and that they are deleted.
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import {
  ValidatingAdmissionPolicy,
  ValidatingAdmissionPolicyBinding,
} from '../../../../src/sdk/k8s/generated/admissionregistration/v1.ts';
import { ConfigMap, Pod } from '../../../../src/sdk/k8s/generated/core/v1.ts';
import type { KubeClient } from '../../../../src/sdk/kube/index.ts';
import { eventually } from '../../../../src/testing/index.ts';
import { readTar } from '../../../../src/base/util/read-tar.ts';
import {
  sharedControlPlane,
  uniqueName,
  uniqueNamespace,
  type SharedControlPlane,
} from '../../../helpers/control-plane.ts';
import { builtIn } from '../../../unit/olm/bundle/scorecard/site-bundle.ts';
import { clientOf } from '../../cluster/helpers.ts';
import { custom, leftIn, nameOf, pass, resultsOf, scorecard, stageOf, untarImage } from './helpers.ts';
import { standInNode } from './stand-in-node.ts';

let plane: SharedControlPlane;
let client: KubeClient;
beforeAll(async () => {
  plane = await sharedControlPlane();
  client = await clientOf(plane);
});
afterAll(() => client.close());

test('a Pod reads the bundle from a ConfigMap; both are deleted at the end', async () => {
  const namespace = await uniqueNamespace(plane, 'scorecard');
  let map: ConfigMap | undefined;
  let pod: Pod | undefined;
  const maps = async (): Promise<ConfigMap | undefined> =>
    (await client.list(ConfigMap, { namespace, labelSelector: 'app=scorecard-test' })).items[0];
  await using node = await standInNode(client, namespace, (each) => {
    if (map === undefined) return undefined;
    pod = each;
    return pass(each);
  });
  const looking = eventually(async () => (map = await maps()) !== undefined, {
    timeout: 90_000,
    interval: 50,
  });
  const run = await scorecard({
    namespace,
    stages: [{ tests: [builtIn('basic-check-spec'), custom('ready')] }],
    flags: ['-o', 'json'],
  });
  await looking;
  expect([run.code, node.taken.length]).toEqual([0, 1]);
  expect(resultsOf(run).map(({ name, state }) => [name, state])).toEqual([
    ['basic-check-spec', 'pass'],
    ['ready', 'pass'],
  ]);
  expect(run.stderr).toContain(`running the test ready in the Pod ${namespace}/${pod?.metadata.name}`);
  expect(map?.metadata.labels).toEqual({ app: 'scorecard-test' });
  expect(pod?.metadata.labels).toEqual({ app: 'scorecard-test', testrun: map?.metadata.name });
  expect(pod?.spec).toMatchObject({
    serviceAccountName: 'default',
    restartPolicy: 'Never',
    initContainers: [{ image: untarImage }],
    containers: [{ image: 'example.com/ready:v1', command: ['/ready'] }],
    volumes: expect.arrayContaining([
      { name: 'scorecard-bundle', configMap: { name: map?.metadata.name, defaultMode: 420 } },
    ]) as unknown,
  });
  expect(await filesIn(map)).toEqual([
    'manifests/crd.yaml',
    'manifests/csv.yaml',
    'metadata/annotations.yaml',
    'tests/scorecard/config.yaml',
  ]);
  expect(await leftIn(client, namespace)).toEqual([]);
});

async function filesIn(map: ConfigMap | undefined): Promise<readonly string[]> {
  const bytes = gunzipSync(Buffer.from(map?.binaryData?.['bundle.tar.gz'] ?? '', 'base64'));
  const files: string[] = [];
  const stream = (async function* () {
    yield bytes;
  })();
  for await (const { path, type } of readTar(stream)) if (type === 'file') files.push(path);
  return files;
}

test('stages follow one another, and so do tests of a stage that is not parallel', async () => {
  const namespace = await uniqueNamespace(plane, 'scorecard');
  const taken: string[] = [];
  // Who has come when a Pod ends.
  const atEnd: Record<string, readonly string[]> = {};
  await using _node = await standInNode(client, namespace, (pod) => {
    const name = nameOf(pod);
    if (!taken.includes(name)) taken.push(name);
    // The parallel ones end when all of them are there.
    if (['c', 'd', 'e'].includes(name) && taken.length < 5) return undefined;
    atEnd[name] = [...taken].sort();
    return pass(pod);
  });
  const run = await scorecard({
    namespace,
    stages: [stageOf(false, 'a', 'b'), stageOf(true, 'c', 'd', 'e'), stageOf(false, 'f')],
    flags: ['-o', 'json'],
  });
  expect(run.code).toBe(0);
  expect(resultsOf(run).map(({ name }) => name as string)).toEqual(['a', 'b', 'c', 'd', 'e', 'f']);
  const five = ['a', 'b', 'c', 'd', 'e'];
  expect(atEnd).toEqual({ a: ['a'], b: ['a', 'b'], c: five, d: five, e: five, f: [...five, 'f'] });
});

/** Has the API server refuse to delete objects of a kind in a namespace, until the end of the test. */
async function forbidDeletion(namespace: string, plural: string): Promise<void> {
  const name = uniqueName('keep');
  await client.create(ValidatingAdmissionPolicy, {
    metadata: { name },
    spec: {
      matchConstraints: {
        resourceRules: [
          { apiGroups: [''], apiVersions: ['v1'], operations: ['DELETE'], resources: [plural] },
        ],
      },
      validations: [{ expression: 'false', message: 'nobody deletes this' }],
    },
  });
  const matchLabels = { 'kubernetes.io/metadata.name': namespace };
  await client.create(ValidatingAdmissionPolicyBinding, {
    metadata: { name },
    spec: {
      policyName: name,
      validationActions: ['Deny'],
      matchResources: { namespaceSelector: { matchLabels } },
    },
  });
  onTestFinished(async () => {
    await client.delete(ValidatingAdmissionPolicyBinding, { name });
    await client.delete(ValidatingAdmissionPolicy, { name });
  });
  // The policy needs a moment to be heard of.
  await eventually(
    async () => {
      await client.create(ConfigMap, { metadata: { name: 'probe', namespace } }).catch(() => undefined);
      return client.delete(ConfigMap, { name: 'probe', namespace }).then(
        () => false,
        () => true,
      );
    },
    { timeout: 90_000, interval: 100 },
  );
}

describe('the end', () => {
  test('Ctrl-C deletes what was created', async () => {
    const namespace = await uniqueNamespace(plane, 'scorecard');
    const abort = new AbortController();
    await using node = await standInNode(client, namespace, () => {
      if (node.taken.length === 2) abort.abort();
      return undefined;
    });
    const run = await scorecard({ namespace, stages: [stageOf(true, 'a', 'b')], signal: abort.signal });
    expect([run.code, run.stdout]).toEqual([130, '']);
    expect(run.stderr).toContain('interrupted');
    expect(node.taken).toHaveLength(2);
    expect(await leftIn(client, namespace)).toEqual([]);
  });

  test('--skip-cleanup leaves all, and says how to delete it', async () => {
    const namespace = await uniqueNamespace(plane, 'scorecard');
    await using _node = await standInNode(client, namespace, pass);
    const run = await scorecard({ namespace, stages: [stageOf(true, 'a', 'b')], flags: ['--skip-cleanup'] });
    expect(run.code).toBe(0);
    const left = await leftIn(client, namespace);
    expect(left).toHaveLength(3);
    const command = /kubectl delete -n (\S+) (.*)/.exec(run.stderr);
    expect(command?.[1]).toBe(namespace);
    expect(command?.[2]?.split(' ').map((title) => title.split('/')[1])).toEqual(
      expect.arrayContaining([...left]),
    );
  });

  test('a warning names what cannot be deleted', async () => {
    const namespace = await uniqueNamespace(plane, 'scorecard');
    await forbidDeletion(namespace, 'configmaps');
    await using _node = await standInNode(client, namespace, pass);
    const run = await scorecard({ namespace, stages: [stageOf(false, 'a')] });
    expect(run.code).toBe(0);
    const [left = ''] = await leftIn(client, namespace);
    expect(run.stderr).toContain(
      `warning[bundle/scorecard-leftovers]: configmap/${left} in the namespace ${namespace} cannot be deleted`,
    );
    expect(run.stderr).toContain('nobody deletes this');
    expect(run.stderr).toContain(`fix: kubectl delete -n ${namespace} configmap/${left}`);
  });

  test('a Pod that somebody else deletes is a result, not a warning', async () => {
    const namespace = await uniqueNamespace(plane, 'scorecard');
    const deleted = eventually(
      async () => {
        const [pod] = (await client.list(Pod, { namespace })).items;
        if (pod === undefined) return false;
        await client.delete(Pod, { name: pod.metadata.name, namespace });
        return true;
      },
      { timeout: 90_000, interval: 50 },
    );
    const run = await scorecard({ namespace, stages: [stageOf(false, 'a')], flags: ['-ojson'] });
    await deleted;
    expect([run.code, run.stderr.includes('warning')]).toEqual([1, false]);
    expect(resultsOf(run)).toMatchObject([
      {
        state: 'error',
        errors: [expect.stringMatching(/^somebody deleted the Pod scorecard-test-\w+ before/)],
      },
    ]);
  });
});
