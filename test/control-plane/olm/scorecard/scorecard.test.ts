// `op-sdk scorecard` on a real API server. A stand-in for the node decides what becomes of the Pods, and serves their logs.
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { ConfigMap, Namespace, Pod } from '../../../../src/k8s/generated/core/v1.ts';
import type { KubeClient } from '../../../../src/kube/index.ts';
import { eventually } from '../../../../src/testing/index.ts';
import { readTar } from '../../../../src/util/read-tar.ts';
import {
  sharedControlPlane,
  uniqueNamespace,
  type SharedControlPlane,
} from '../../../helpers/control-plane.ts';
import { runCli, type CliRun } from '../../../helpers/run-cli.ts';
import { serviceAccountToken, tokenKubeconfig } from '../../../helpers/service-account.ts';
import { builtIn, configuration, siteFolder } from '../../../unit/bundle/scorecard/site-bundle.ts';
import type { Loose } from '../../../unit/bundle/objects.ts';
import { clientOf } from '../../cluster/helpers.ts';
import { standInNode, type Fate } from './stand-in-node.ts';

let plane: SharedControlPlane;
let client: KubeClient;
beforeAll(async () => {
  plane = await sharedControlPlane();
  client = await clientOf(plane);
});
afterAll(() => client.close());

const untarImage = 'example.com/untar:v1';
const custom = (name: string): Loose => ({
  image: `example.com/${name}:v1`,
  entrypoint: [`/${name}`],
  labels: { suite: 'mine', test: name },
});

interface ScorecardRun {
  readonly namespace: string;
  readonly stages: readonly Loose[];
  readonly more?: Loose;
  readonly flags?: readonly string[];
  readonly signal?: AbortSignal;
}

/** Runs the tests of these stages in a namespace. */
async function scorecard({ namespace, stages, more, flags = [], signal }: ScorecardRun): Promise<CliRun> {
  const cwd = siteFolder((bundle) => {
    bundle.files['tests/scorecard/config.yaml'] = { ...configuration(), stages, ...more };
  });
  return runCli(
    ['scorecard', '--kubeconfig', plane.kubeconfig, '-n', namespace, '-u', untarImage, '-w', '90s', ...flags],
    { cwd, ...(signal === undefined ? {} : { signal }) },
  );
}

/** The results of `-o json`. */
function resultsOf({ stdout }: CliRun): readonly Loose[] {
  const { items } = JSON.parse(stdout) as { items: Loose[] };
  return items.flatMap(({ status }) => status.results);
}

const nameOf = (pod: Pod): string => pod.spec?.containers[0]?.image?.replace(/^.*\/(.*):.*$/, '$1') ?? '';
const stageOf = (parallel: boolean, ...names: readonly string[]): Loose => ({
  parallel,
  tests: names.map(custom),
});

/** The Pod has ended with this log. */
function ended(log: string | undefined, exitCode = 0): Fate {
  return {
    status: {
      phase: exitCode === 0 ? 'Succeeded' : 'Failed',
      containerStatuses: [
        container('scorecard-test', {
          terminated: { exitCode, reason: exitCode === 0 ? 'Completed' : 'Error' },
        }),
      ],
    },
    ...(log === undefined ? {} : { logs: { 'scorecard-test': log } }),
  };
}

function container(
  name: string,
  state: object,
): NonNullable<NonNullable<Pod['status']>['containerStatuses']>[0] {
  return { name, state, ready: false, restartCount: 0, image: `example.com/${name}:v1`, imageID: '' };
}

const passed = (name: string): string => `${JSON.stringify({ results: [{ name, state: 'pass' }] })}\n`;
const pass = (pod: Pod): Fate => ended(passed(nameOf(pod)));

async function leftIn(namespace: string): Promise<readonly string[]> {
  const pods = await client.list(Pod, { namespace });
  const maps = await client.list(ConfigMap, { namespace, labelSelector: 'app=scorecard-test' });
  return [...pods.items, ...maps.items]
    .filter(({ metadata }) => metadata.deletionTimestamp === undefined)
    .map(({ metadata }) => metadata.name);
}

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
  expect(await leftIn(namespace)).toEqual([]);
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

test('whatever becomes of a Pod is a result', async () => {
  const namespace = await uniqueNamespace(plane, 'scorecard');
  const two = {
    results: [
      { name: 'one', state: 'pass' },
      { name: 'two', state: 'fail', errors: ['bad \u001b[31m'] },
    ],
  };
  const fates: Readonly<Record<string, Fate>> = {
    two: ended(JSON.stringify(two)),
    garbage: ended('this is not json\n'),
    silence: ended(''),
    crash: ended(Array.from({ length: 30 }, (_, line) => `line ${line}\n`).join(''), 3),
    'pass-and-exit-1': ended(passed('pass-and-exit-1'), 1),
    'no-log': ended(undefined),
    untar: {
      status: {
        phase: 'Failed',
        initContainerStatuses: [
          container('scorecard-untar', { terminated: { exitCode: 127, reason: 'StartError' } }),
        ],
        containerStatuses: [container('scorecard-test', { waiting: { reason: 'PodInitializing' } })],
      },
      logs: { 'scorecard-untar': 'tar: not found\n' },
    },
    evicted: { status: { phase: 'Failed', reason: 'Evicted', message: 'the node was low on memory' } },
    'invalid-image': {
      status: {
        phase: 'Pending',
        containerStatuses: [container('scorecard-test', { waiting: { reason: 'InvalidImageName' } })],
      },
    },
  };
  await using node = await standInNode(client, namespace, (pod) => fates[nameOf(pod)]);
  const run = await scorecard({
    namespace,
    stages: [stageOf(true, ...Object.keys(fates))],
    // Nothing here waits for the end of this time.
    flags: ['-o', 'json', '-w', '20m'],
  });
  expect([run.code, node.taken.length]).toEqual([1, Object.keys(fates).length]);
  const lastLines = Array.from({ length: 20 }, (_, line) => `line ${line + 10}\n`).join('');
  const protocol = [expect.stringContaining('print one JSON document and nothing else')];
  const none = { creationTimestamp: null };
  expect(resultsOf(run)).toEqual([
    { ...none, name: 'one', state: 'pass' },
    { ...none, name: 'two', state: 'fail', errors: ['bad \u001b[31m'] },
    {
      ...none,
      name: 'garbage',
      state: 'error',
      log: 'this is not json\n',
      errors: ['the log of container scorecard-test is not JSON'],
      suggestions: protocol,
    },
    {
      ...none,
      name: 'silence',
      state: 'error',
      errors: ['the log of container scorecard-test is empty'],
      suggestions: protocol,
    },
    {
      ...none,
      name: 'crash',
      state: 'error',
      log: lastLines,
      errors: [
        'container scorecard-test ended with exit code 3: Error',
        'the log of container scorecard-test is not JSON',
      ],
      suggestions: protocol,
    },
    { ...none, name: 'pass-and-exit-1', state: 'pass' },
    {
      ...none,
      name: 'no-log',
      state: 'error',
      errors: [
        'the log of container scorecard-test cannot be read',
        expect.stringContaining('the container runtime has no such log'),
      ],
    },
    {
      ...none,
      name: 'untar',
      state: 'error',
      log: 'tar: not found\n',
      errors: ['container scorecard-untar ended with exit code 127: StartError'],
    },
    {
      ...none,
      name: 'evicted',
      state: 'error',
      errors: [expect.stringMatching(/^Pod scorecard-test-\w+: Evicted: the node was low on memory$/)],
    },
    {
      ...none,
      name: 'invalid-image',
      state: 'error',
      errors: ['container scorecard-test (example.com/scorecard-test:v1): InvalidImageName'],
    },
  ]);
  expect(await leftIn(namespace)).toEqual([]);
});

test('text for a terminal has no control characters', async () => {
  const namespace = await uniqueNamespace(plane, 'scorecard');
  const log = JSON.stringify({
    results: [{ name: 'a', state: 'fail', log: 'x\u001b[2Jy', errors: ['\u0007'] }],
  });
  await using _node = await standInNode(client, namespace, () => ended(log));
  const run = await scorecard({ namespace, stages: [stageOf(false, 'a')] });
  expect(run.stdout).toContain('\tErrors:\n\t\t\\x07\n\tLog:\n\t\tx\\x1b[2Jy\n');
});

describe('the time of a test', () => {
  test('each has its own, and its end is a result', async () => {
    const namespace = await uniqueNamespace(plane, 'scorecard');
    const waiting = { reason: 'ImagePullBackOff', message: 'Back-off pulling image' };
    const fates: Readonly<Record<string, (pod: Pod) => Fate>> = {
      missing: () => ({
        status: { phase: 'Pending', containerStatuses: [container('scorecard-test', { waiting })] },
      }),
      slow: () => ({
        status: {
          phase: 'Running',
          containerStatuses: [
            container('scorecard-test', { running: { startedAt: '2026-01-01T00:00:00Z' } }),
          ],
        },
        logs: { 'scorecard-test': 'still at it\n' },
      }),
      quick: pass,
    };
    await using _node = await standInNode(client, namespace, (pod) => fates[nameOf(pod)]?.(pod));
    const run = await scorecard({
      namespace,
      // Two of the tests need more than half of the time of all three.
      stages: [stageOf(false, 'missing', 'slow', 'quick')],
      flags: ['-o', 'json', '-w', '15s'],
    });
    expect(run.code).toBe(1);
    const late = 'the test did not end within 15s';
    expect(resultsOf(run)).toMatchObject([
      {
        name: 'missing',
        state: 'error',
        errors: [
          late,
          'container scorecard-test (example.com/scorecard-test:v1): ImagePullBackOff: Back-off pulling image',
        ],
        suggestions: [expect.stringContaining('--wait-time')],
      },
      {
        name: 'slow',
        state: 'error',
        errors: [late, 'container scorecard-test is still running'],
        log: 'still at it\n',
      },
      { name: 'quick', state: 'pass' },
    ]);
    expect(await leftIn(namespace)).toEqual([]);
  });

  test('without a node', async () => {
    const namespace = await uniqueNamespace(plane, 'scorecard');
    const run = await scorecard({ namespace, stages: [stageOf(false, 'a')], flags: ['-ojson', '-w', '1s'] });
    expect(resultsOf(run)).toMatchObject([
      { state: 'error', errors: ['the test did not end within 1s', expect.stringContaining('scheduler')] },
    ]);
  });
});

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
    expect(await leftIn(namespace)).toEqual([]);
  });

  test('--skip-cleanup leaves all, and says how to delete it', async () => {
    const namespace = await uniqueNamespace(plane, 'scorecard');
    await using _node = await standInNode(client, namespace, pass);
    const run = await scorecard({ namespace, stages: [stageOf(true, 'a', 'b')], flags: ['--skip-cleanup'] });
    expect(run.code).toBe(0);
    const left = await leftIn(namespace);
    expect(left).toHaveLength(3);
    const command = /kubectl delete -n (\S+) (.*)/.exec(run.stderr);
    expect(command?.[1]).toBe(namespace);
    expect(command?.[2]?.split(' ').map((title) => title.split('/')[1])).toEqual(
      expect.arrayContaining([...left]),
    );
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

describe('nothing is created before all is checked', () => {
  test('a namespace that does not exist', async () => {
    const run = await scorecard({ namespace: 'no-such-namespace', stages: [stageOf(true, 'a', 'b')] });
    expect([run.code, run.stdout]).toEqual([1, '']);
    expect(run.stderr.match(/^error\[.*$/gm)).toEqual([
      'error[cluster/namespace-missing]: the namespace no-such-namespace does not exist',
    ]);
  });

  test('a ServiceAccount that does not exist, by flag and by configuration', async () => {
    const namespace = await uniqueNamespace(plane, 'scorecard');
    const stages = [stageOf(true, 'a')];
    const byFile = await scorecard({ namespace, stages, more: { serviceaccount: 'nobody' } });
    expect([byFile.code, byFile.stdout]).toEqual([1, '']);
    expect(byFile.stderr).toMatch(
      /error\[bundle\/scorecard-service-account\]: the Pod of the test a: .*nobody/,
    );
    const byFlag = await scorecard({
      namespace,
      stages,
      more: { serviceaccount: 'nobody' },
      flags: ['-s', 'other'],
    });
    expect(byFlag.stderr).toMatch(/other/);
    expect(byFlag.stderr).not.toMatch(/nobody/);
    expect(await leftIn(namespace)).toEqual([]);
  });

  test('what the Pod Security Standard refuses; --pod-security restricted passes', async () => {
    const namespace = await uniqueNamespace(plane, 'scorecard');
    await client.patch(
      Namespace,
      { name: namespace },
      {
        type: 'merge',
        body: { metadata: { labels: { 'pod-security.kubernetes.io/enforce': 'restricted' } } },
      },
    );
    const stages = [stageOf(false, 'a')];
    const refused = await scorecard({ namespace, stages });
    expect([refused.code, refused.stdout]).toEqual([1, '']);
    expect(refused.stderr).toContain('error[cluster/denied]: the Pod of the test a: ');
    expect(refused.stderr).toContain('fix: run the tests with --pod-security restricted');
    expect(await leftIn(namespace)).toEqual([]);
    await using _node = await standInNode(client, namespace, pass);
    const run = await scorecard({ namespace, stages, flags: ['--pod-security', 'restricted'] });
    expect(run.code).toBe(0);
  });

  test('missing permissions, all of them', async () => {
    const namespace = await uniqueNamespace(plane, 'scorecard');
    const token = await serviceAccountToken(client, namespace, [
      { apiGroups: [''], resources: ['pods'], verbs: ['get'] },
    ]);
    const folder = mkdtempSync(join(tmpdir(), 'op-sdk-scorecard-'));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    const kubeconfig = join(folder, 'kubeconfig');
    writeFileSync(kubeconfig, tokenKubeconfig(plane, token));
    const run = await scorecard({
      namespace,
      stages: [stageOf(false, 'a')],
      flags: ['--kubeconfig', kubeconfig],
    });
    expect([run.code, run.stdout]).toEqual([1, '']);
    expect(run.stderr.match(/^error\[.*\]/gm)).toEqual(
      Array.from({ length: 5 }, () => 'error[cluster/forbidden]'),
    );
    for (const what of [
      'configmap/',
      'the Pod of the test a',
      'delete pods',
      'get pods/log',
      'delete configmaps',
    ])
      expect(run.stderr).toContain(`: ${what}`);
  });

  test('a bundle that no ConfigMap can hold', async () => {
    const namespace = await uniqueNamespace(plane, 'scorecard');
    const cwd = siteFolder((bundle) => {
      bundle.files['tests/scorecard/config.yaml'] = configuration(custom('a'));
      bundle.files['tests/data.bin'] = randomBytes(1024 * 1024 + 1);
    });
    const run = await runCli(['scorecard', '--kubeconfig', plane.kubeconfig, '-n', namespace], { cwd });
    expect([run.code, run.stdout]).toEqual([1, '']);
    expect(run.stderr).toMatch(
      /^error\[bundle\/scorecard-too-large\]: the files of the bundle have \d+ bytes/,
    );
  });
});
