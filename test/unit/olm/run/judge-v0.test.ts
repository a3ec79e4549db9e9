import { describe, expect, test } from 'vitest';
import type { KubeObject } from '../../../../src/sdk/api/index.ts';
import { judgeV0 } from '../../../../src/olm/run/judge-installation.ts';
import type { Judgement } from '../../../../src/olm/run/judgement.ts';
import { ObservedObjects } from '../../../../src/olm/run/observed.ts';
import { ago, available, condition, deployment, namespace, now, object, pod, waiting } from './objects.ts';

const expected = {
  namespace,
  catalogSource: { name: 'catalog', namespace },
  subscription: 'web',
  csv: 'web.v1.0.0',
  package: 'web',
  channel: 'stable',
  bundleImage: 'example.com/bundle:1',
};

const judge = (...objects: KubeObject[]): Judgement => judgeV0(new ObservedObjects(objects), expected, now);

const group = object('OperatorGroup', 'group');
const uid = 'subscription-uid';
const subscription = (status: unknown = {}): KubeObject =>
  object('Subscription', 'web', { metadata: { uid }, status });
const subscribed = subscription({ currentCSV: expected.csv, installedCSV: expected.csv });
const csv = (status: unknown): KubeObject =>
  object('ClusterServiceVersion', expected.csv, {
    spec: {
      customresourcedefinitions: { owned: [{ name: 'webs.example.com' }] },
      install: { spec: { deployments: [{ name: 'web' }] } },
    },
    status,
  });
const succeeded = csv({ phase: 'Succeeded' });
const installing = csv({ phase: 'Installing' });
const plan = (status: unknown, owner = uid): KubeObject =>
  object('InstallPlan', 'install-x', {
    metadata: {
      ownerReferences: [
        { apiVersion: 'operators.coreos.com/v1alpha1', kind: 'Subscription', name: 'web', uid: owner },
      ],
    },
    spec: { clusterServiceVersionNames: [expected.csv] },
    status,
  });
const ready = object('CatalogSource', 'catalog', {
  spec: { sourceType: 'grpc' },
  status: { connectionState: { lastObservedState: 'READY' } },
});

const failure = (code: string, more: Readonly<Record<string, unknown>> = {}) =>
  expect.objectContaining({
    state: 'failed',
    finding: expect.objectContaining({ code, ...more }),
  });
const waits = (line: string) => expect.objectContaining({ state: 'waiting', line: `waiting for ${line}` });

describe('an operator is done', () => {
  test('when its version has succeeded, and its Deployment is rolled out', () => {
    expect(judge(subscribed, succeeded, deployment(available))).toEqual({ state: 'done' });
  });

  test('not while its Deployment is unavailable or missing', () => {
    expect(judge(subscribed, succeeded, deployment())).toEqual(
      waits('Deployment web: 0 of 1 new replicas are available'),
    );
    expect(judge(subscribed, succeeded)).toEqual(waits('Deployment web: it does not exist yet'));
  });

  test('not by a version that an earlier Subscription left', () => {
    const objects = [group, ready, subscription(), succeeded, deployment(available)];
    expect(judge(...objects)).toEqual(waits('Subscription web: OLM has not found web.v1.0.0 yet'));
  });

  test('not before the Subscription says that it is installed', () => {
    const pending = subscription({ currentCSV: expected.csv });
    expect(judge(pending, succeeded, deployment(available))).toEqual(
      waits('Subscription web: web.v1.0.0 is not its installed version yet'),
    );
  });

  test('not by a copy of the same version of another namespace', () => {
    const copy = { ...succeeded, metadata: { ...succeeded.metadata, labels: { 'olm.copiedFrom': 'other' } } };
    expect(judge(subscribed, group, ready, copy, deployment(available))).toMatchObject({ state: 'waiting' });
  });
});

describe('Pods of the operator', () => {
  const ofWeb = { labels: { app: 'web', 'pod-template-hash': 'b' } };
  const judgePod = (...pods: KubeObject[]): Judgement => judge(subscribed, installing, deployment(), ...pods);

  test('that end again and again are the cause, with the log of the run that ended', () => {
    const crashing = pod('web-b', {
      ...ofWeb,
      ...waiting('CrashLoopBackOff'),
      restartCount: 2,
      lastState: { terminated: { exitCode: 3 } },
    });
    expect(judgePod(crashing)).toEqual(
      failure('olm/operator-failing', {
        message:
          'the operator does not start: Pod web-b: container manager: CrashLoopBackOff, it ended with exit code 3',
        fix: expect.arrayContaining(['see kubectl logs pod/web-b -n demo -c manager --previous']),
      }),
    );
  });

  test('that ended once are given another attempt', () => {
    const ended = pod('web-b', { ...ofWeb, state: { terminated: { exitCode: 1 } }, restartCount: 0 });
    expect(judgePod(ended)).toMatchObject({ state: 'waiting', step: 'rollout' });
  });

  test('with an invalid image name need a change, those that cannot pull may get better', () => {
    const invalid = judgePod(pod('web-b', { ...ofWeb, ...waiting('InvalidImageName') }));
    expect(invalid).toMatchObject({
      state: 'failed',
      terminal: true,
      finding: { code: 'olm/operator-image' },
    });
    const absent = judgePod(pod('web-b', { ...ofWeb, ...waiting('ErrImagePull') }));
    expect(absent).toMatchObject({
      state: 'failed',
      terminal: false,
      finding: { code: 'olm/operator-image' },
    });
  });

  test('of a former template, or on their way out, do not count', () => {
    const former = pod('web-a', {
      labels: { app: 'web', 'pod-template-hash': 'a' },
      created: 90,
      ...waiting('ImagePullBackOff'),
    });
    const creating = pod('web-b', { ...ofWeb, ...waiting('ContainerCreating') });
    expect(judgePod(former, creating)).toEqual(
      waits('Deployment web: 0 of 1 new replicas are available; Pod web-b is starting'),
    );
    const failing = pod('web-c', { ...ofWeb, ...waiting('ImagePullBackOff') });
    const leaving = { ...failing, metadata: { ...failing.metadata, deletionTimestamp: ago(1) } };
    expect(judgePod(leaving)).toMatchObject({ state: 'waiting' });
  });

  test('that no node takes are waited for', () => {
    const unschedulable = object('Pod', 'web-b', {
      metadata: { labels: { app: 'web' } },
      status: {
        conditions: [condition('PodScheduled', 'False', { reason: 'Unschedulable', message: 'no memory' })],
      },
    });
    expect(judgePod(unschedulable)).toEqual(
      waits('Deployment web: 0 of 1 new replicas are available; Pod web-b: no node accepts it: no memory'),
    );
  });

  test('that the API server refuses are the cause', () => {
    const refused = [condition('ReplicaFailure', 'True', { message: 'exceeded quota' })];
    const status = { replicas: 0, updatedReplicas: 0, conditions: refused };
    expect(judge(subscribed, installing, deployment(status))).toEqual(
      failure('olm/operator-pods', { message: 'Deployment web cannot create its Pods: exceeded quota' }),
    );
  });
});

describe('a ClusterServiceVersion', () => {
  test.each([
    ['UnsupportedOperatorGroup', 'olm/install-mode'],
    ['OwnerConflict', 'olm/api-conflict'],
    ['NoOperatorGroup', 'olm/no-operator-group'],
    ['InvalidStrategy', 'olm/install-failed'],
  ])('that failed with %s: %s', (reason, code) => {
    expect(judge(subscribed, csv({ phase: 'Failed', reason, message: 'why' }))).toEqual(failure(code));
  });

  test('names the operator that provides the same kind', () => {
    const crd = object('CustomResourceDefinition', 'webs.example.com', {
      metadata: { labels: { 'operators.coreos.com/web.demo': '', 'operators.coreos.com/other.there': '' } },
    });
    const status = { phase: 'Failed', reason: 'InterOperatorGroupOwnerConflict', message: 'same apis' };
    expect(judge(subscribed, csv(status), crd)).toEqual(
      failure('olm/api-conflict', {
        message:
          'ClusterServiceVersion web.v1.0.0 has failed: InterOperatorGroupOwnerConflict: same apis; operator other in namespace there provides webs.example.com',
      }),
    );
  });

  test.each([
    [5, 'waiting'],
    [60, 'failed'],
  ])('whose requirements are missing for %d s: %s', (seconds, state) => {
    const pending = csv({
      phase: 'Pending',
      reason: 'RequirementsNotMet',
      lastTransitionTime: ago(seconds),
      requirementStatus: [
        { kind: 'CustomResourceDefinition', name: 'x', status: 'NotPresent', message: 'missing' },
      ],
    });
    expect(judge(subscribed, pending)).toMatchObject({ state });
  });
});

describe('an InstallPlan', () => {
  test('that failed is final; one that is tried again may get better', () => {
    expect(judge(subscription(), plan({ phase: 'Failed', message: 'invalid CRD' }))).toMatchObject({
      terminal: true,
      finding: {
        code: 'olm/install-failed',
        message: 'OLM cannot install the objects of the bundle: invalid CRD',
      },
    });
    const retried = { phase: 'Installing', message: 'retrying execution due to error: x is forbidden' };
    expect(judge(subscription(), plan(retried))).toMatchObject({
      terminal: false,
      finding: { code: 'olm/missing-permission' },
    });
  });

  test('of a former Subscription of the same name does not count', () => {
    expect(judge(subscription(), group, ready, plan({ phase: 'Failed' }, 'former'))).toMatchObject({
      state: 'waiting',
      step: 'resolve',
    });
  });

  test('knows why what a ClusterServiceVersion waits for is missing', () => {
    const pending = csv({ phase: 'Pending', reason: 'RequirementsUnknown' });
    const retried = plan({ phase: 'Installing', message: 'crds is forbidden' });
    expect(judge(subscribed, pending, retried)).toEqual(failure('olm/missing-permission'));
  });

  test('passes over faults that the next attempt does not have, and says what is there', () => {
    const steps = [{ status: 'Present' }, { status: 'Created' }, { status: 'Unknown' }];
    const message = 'the object has been modified; please apply your changes to the latest version';
    expect(judge(subscription(), plan({ phase: 'Installing', message, plan: steps }))).toEqual(
      waits('InstallPlan install-x: Installing, 2 of 3 objects exist'),
    );
  });
});

describe('a bundle', () => {
  const unpacking = (more: Readonly<Record<string, unknown>> = {}): KubeObject =>
    subscription({ conditions: [condition('BundleUnpacking', 'True')], ...more });
  const job = (image: string, status: unknown): KubeObject =>
    object('Job', `unpack-${image.at(-1)}`, {
      metadata: { labels: { 'operatorframework.io/bundle-unpack-ref': 'x' } },
      spec: { template: { spec: { initContainers: [{ name: 'pull', image }] } } },
      status,
    });

  test('is unreadable when its Job completed, and nothing happened since', () => {
    const complete = (seconds: number) => job(expected.bundleImage, { completionTime: ago(seconds) });
    expect(judge(group, unpacking(), complete(5))).toMatchObject({ state: 'waiting', step: 'unpack' });
    expect(judge(group, unpacking(), complete(30))).toEqual(failure('olm/bundle-unreadable'));
    // The Job of an earlier installation.
    expect(judge(group, unpacking({ lastUpdated: ago(3) }), complete(300))).toMatchObject({
      state: 'waiting',
    });
  });

  test('is not judged by the Job of another bundle', () => {
    const other = job('example.com/other:2', { conditions: [condition('Failed', 'True')] });
    expect(judge(group, unpacking(), other)).toEqual(waits('the bundle: OLM unpacks it'));
  });

  test('that its Job cannot extract is the cause, until the Job tries again', () => {
    const failing = object('Pod', 'unpack-1-x', {
      metadata: { labels: { 'job-name': 'unpack-1' } },
      status: {
        phase: 'Failed',
        containerStatuses: [
          { name: 'extract', state: { terminated: { exitCode: 1, message: 'no manifests' } } },
        ],
      },
    });
    const unpackJob = job(expected.bundleImage, {});
    const next = pod('unpack-1-y', {
      labels: { 'job-name': 'unpack-1' },
      created: 10,
      state: { running: {} },
    });
    expect(judge(group, unpacking(), unpackJob, failing, next)).toEqual(
      waits('the bundle: Pod unpack-1-y runs, but is not ready yet'),
    );
    expect(judge(group, unpacking(), unpackJob, failing)).toEqual(
      failure('olm/bundle-unpack-failed', {
        message:
          'the bundle cannot be unpacked: Pod unpack-1-x: container extract ended with exit code 1: no manifests',
      }),
    );
  });
});

describe('a catalogue', () => {
  const blocked = (name: string): KubeObject =>
    subscription({
      conditions: [
        condition('ResolutionFailed', 'True', {
          reason: 'ErrorPreventedResolution',
          message: `error using catalogsource ${namespace}/${name}: failed to list bundles: refused`,
        }),
      ],
    });
  const silent = (seconds: number): KubeObject =>
    object('CatalogSource', 'other', { metadata: { creationTimestamp: ago(seconds) } });

  test('of others that does not answer is the cause once it is not new', () => {
    expect(judge(group, ready, blocked('other'), silent(300))).toEqual(
      failure('olm/other-catalog', { where: { object: 'catalogsource.operators.coreos.com/other -n demo' } }),
    );
    expect(judge(group, ready, blocked('other'), silent(10))).toEqual(
      waits(
        'Subscription web: OLM has not found web.v1.0.0 yet; CatalogSource other in namespace demo did not answer',
      ),
    );
    expect(judge(group, ready, blocked('catalog'))).toMatchObject({ state: 'waiting', step: 'resolve' });
  });

  test('that OLM refuses is the cause', () => {
    const invalid = object('CatalogSource', 'catalog', {
      spec: { sourceType: 'grpc' },
      status: { reason: 'RegistryServerError', message: 'violates PodSecurity' },
    });
    expect(judge(group, subscription(), invalid)).toEqual(
      failure('olm/catalog-not-served', {
        message: 'OLM cannot serve CatalogSource catalog: RegistryServerError: violates PodSecurity',
      }),
    );
  });
});
