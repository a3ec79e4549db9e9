import { describe, expect, test } from 'vitest';
import type { ExpectedV0, ExpectedV1 } from '../../../../src/olm/run/expected.ts';
import { judgeV0 } from '../../../../src/olm/run/judge-v0.ts';
import { judgeV1 } from '../../../../src/olm/run/judge-v1.ts';
import type { Cause } from '../../../../src/olm/run/judgement.ts';
import { hasRecordings, verdictOf, type RecordedVerdict } from './replay.ts';

const reason = hasRecordings ? '' : ' (skipped: there is no folder ../shared/data/olm/recordings)';

/** Replays begin at `from` where an installation existed before: what the user changed is seen from there. */
interface Case {
  readonly from?: number;
  readonly [field: string]: unknown;
}

const ofV0 = (recording: string, { from, ...rest }: Case & Partial<ExpectedV0>): RecordedVerdict => {
  const { namespace = '', csv = '' } = rest;
  const name = csv.replace(/\.v.*/, '');
  const expected: ExpectedV0 = {
    catalogSource: { name: 'demo-catalog', namespace: 'olm' },
    subscription: name,
    package: name,
    channel: 'stable',
    ...rest,
    namespace,
    csv,
  };
  return verdictOf(recording, ({ observed, now }) => judgeV0(observed, expected, now), { from });
};

const ofV1 = (recording: string, { from, ...rest }: Case & Partial<ExpectedV1>): RecordedVerdict => {
  const expected: ExpectedV1 = {
    catalog: 'demo-catalog',
    extension: 'demo',
    package: 'demo',
    version: '0.0.1',
    namespace: 'demo',
    deployments: [`${rest.package ?? 'demo'}-controller-manager`],
    ...rest,
  };
  return verdictOf(recording, ({ observed }) => judgeV1(observed, expected), { from });
};

/** The cause that a replay ended with. */
const causeOf = ({ judgement }: RecordedVerdict): Cause => {
  if (judgement.state !== 'failed') throw new Error(`expected a failure, got ${JSON.stringify(judgement)}`);
  return judgement.finding;
};

describe.skipIf(!hasRecordings)(`what OLM v0 did${reason}`, () => {
  const nginx = { csv: 'nginx-operator.v0.0.1' };
  const source = (name: string, namespace: string) => ({ catalogSource: { name, namespace }, namespace });
  const sdk = (name: string, namespace: string) => ({
    ...source(`${name}-catalog`, namespace),
    subscription: `${name}-v0-0-1-sub`,
  });
  const upgraded = { csv: 'nginx-operator.v0.0.2', from: 0.8 };

  test.each<[string, Case & Partial<ExpectedV0>]>([
    ['v0-catalog-install', { ...source('nginx-catalog', 'cat-demo'), ...nginx }],
    ['v0-catalog-upgrade', { ...source('nginx-catalog', 'cat-demo'), ...upgraded }],
    ['v0-sdk-run-bundle', { ...sdk('nginx-operator', 'sdk-demo'), ...nginx }],
    ['v0-sdk-bundle-upgrade', { ...sdk('nginx-operator', 'sdk-demo'), ...upgraded }],
    ['v0-sdk-run-bundle-ownnamespace', { ...sdk('ownns-operator', 's-own'), csv: 'ownns-operator.v0.0.1' }],
    [
      'v0-shared-crd-first-operator',
      { ...source('demo-catalog', 'g-owner-a'), csv: 'owner-a-operator.v0.0.1' },
    ],
  ])('%s is done, and fails at no time', (recording, expected) => {
    expect(ofV0(recording, expected)).toMatchObject({ judgement: { state: 'done' }, passing: [] });
  });

  const olm = (namespace: string, name: string) => ({ namespace, csv: `${name}.v0.0.1` });
  const own = (namespace: string, name: string) => ({
    ...source('demo-catalog', namespace),
    csv: `${name}.v0.0.1`,
  });

  // The moment is that of the event that shows the cause; a bundle that cannot be read shows by 15 s of silence only.
  test.each<[string, string, string, number, Case & Partial<ExpectedV0>]>([
    [
      'v0-fail-bundle-image-pull',
      'olm/bundle-image',
      'pod/20869dafdc7dbf3b32f8cefb397ea9a709ea524c7a203e2c7fb00bc081vzxpp -n g-pull',
      33.5,
      own('g-pull', 'nobundle-operator'),
    ],
    [
      'v0-fail-bundle-unreadable',
      'olm/bundle-unreadable',
      'subscription.operators.coreos.com/hdr-operator -n g-unread',
      32.6 + 15,
      own('g-unread', 'hdr-operator'),
    ],
    [
      'v0-fail-catalog-cachedir-absent',
      'olm/catalog-not-served',
      'pod/nginx-catalog-jh7g9 -n c-cache',
      15.7,
      { ...source('nginx-catalog', 'c-cache'), ...nginx },
    ],
    [
      'v0-fail-catalog-image-pull',
      'olm/catalog-image',
      'pod/nginx-catalog-757cw -n c-pull',
      28,
      { ...source('nginx-catalog', 'c-pull'), ...nginx },
    ],
    [
      'v0-fail-channel-not-found',
      'olm/not-resolvable',
      'subscription.operators.coreos.com/gadget-operator -n f-nochan',
      6.5,
      olm('f-nochan', 'gadget-operator'),
    ],
    [
      'v0-fail-package-not-found',
      'olm/not-resolvable',
      'subscription.operators.coreos.com/absent-operator -n f-nopkg',
      11,
      olm('f-nopkg', 'absent-operator'),
    ],
    [
      'v0-fail-crd-owned-by-other',
      'olm/api-conflict',
      'clusterserviceversion.operators.coreos.com/owner-b-operator.v0.0.1 -n g-owner-b',
      37.5,
      own('g-owner-b', 'owner-b-operator'),
    ],
    [
      'v0-fail-install-mode',
      'olm/install-mode',
      'clusterserviceversion.operators.coreos.com/ownns-operator.v0.0.1 -n f-mode',
      32.8,
      olm('f-mode', 'ownns-operator'),
    ],
    [
      'v0-fail-min-kube-version',
      'olm/min-kube-version',
      'clusterserviceversion.operators.coreos.com/minkube-operator.v0.0.1 -n f-kube',
      37.6,
      olm('f-kube', 'minkube-operator'),
    ],
    [
      'v0-fail-no-operatorgroup',
      'olm/no-operator-group',
      'subscription.operators.coreos.com/gadget-operator -n f-nogroup',
      5.4,
      olm('f-nogroup', 'gadget-operator'),
    ],
    [
      'v0-fail-two-operatorgroups',
      'olm/two-operator-groups',
      'operatorgroup.operators.coreos.com/og -n f-twogroups',
      5.8,
      olm('f-twogroups', 'widget-operator'),
    ],
    [
      'v0-fail-permission',
      'olm/missing-permission',
      'installplan.operators.coreos.com/install-wtk8k -n f-perm',
      45.7,
      olm('f-perm', 'gadget-operator'),
    ],
    [
      'v0-fail-operator-image-pull',
      'olm/operator-image',
      'pod/badimage-operator-controller-manager-7ffbfd6764-dvw6x -n f-image',
      30.4,
      olm('f-image', 'badimage-operator'),
    ],
    [
      'v0-sdk-fail-operator-image-pull',
      'olm/operator-image',
      'pod/badimage-operator-controller-manager-8ffb8864-zz46x -n s-image-two',
      19.1,
      { ...sdk('badimage-operator', 's-image-two'), csv: 'badimage-operator.v0.0.1' },
    ],
  ])('%s: %s at %s', (recording, code, object, revealed, expected) => {
    const verdict = ofV0(recording, expected);
    expect(causeOf(verdict)).toMatchObject({ code, where: { object } });
    expect(causeOf(verdict).fix.length).toBeGreaterThan(1);
    expect(verdict.since).toBeGreaterThanOrEqual(revealed);
    expect(verdict.t).toBeLessThan(revealed + 10);
    expect(verdict.passing).toEqual([]);
  });

  test('a kind that another operator owns: by its name', () => {
    const verdict = ofV0('v0-fail-crd-owned-by-other', own('g-owner-b', 'owner-b-operator'));
    expect(causeOf(verdict).message).toMatch(
      /; operator owner-a-operator in namespace g-owner-a provides shareds\.demo\.example\.com$/,
    );
  });

  test('the lines of progress of an installation', () => {
    const { lines } = ofV0('v0-catalog-install', { ...source('nginx-catalog', 'cat-demo'), ...nginx });
    expect(lines).toMatchInlineSnapshot(`
      [
        "waiting for Subscription nginx-operator: it does not exist yet",
        "waiting for CatalogSource nginx-catalog: its Pod does not exist yet",
        "waiting for CatalogSource nginx-catalog: Pod nginx-catalog-whg7h is starting",
        "waiting for CatalogSource nginx-catalog: connection IDLE; Pod nginx-catalog-whg7h is starting",
        "waiting for CatalogSource nginx-catalog: connection IDLE; Pod nginx-catalog-whg7h runs its init container extract-utilities",
        "waiting for CatalogSource nginx-catalog: connection TRANSIENT_FAILURE; Pod nginx-catalog-whg7h runs its init container extract-utilities",
        "waiting for CatalogSource nginx-catalog: connection TRANSIENT_FAILURE; Pod nginx-catalog-whg7h is starting",
        "waiting for CatalogSource nginx-catalog: connection TRANSIENT_FAILURE; Pod nginx-catalog-whg7h runs its init container extract-content",
        "waiting for CatalogSource nginx-catalog: connection TRANSIENT_FAILURE; Pod nginx-catalog-whg7h is starting",
        "waiting for CatalogSource nginx-catalog: connection TRANSIENT_FAILURE; Pod nginx-catalog-whg7h runs, but is not ready yet",
        "waiting for CatalogSource nginx-catalog: connection TRANSIENT_FAILURE; its Pod runs",
        "waiting for Subscription nginx-operator: OLM has not found nginx-operator.v0.0.1 yet",
        "waiting for the bundle: Pod 824bbe08ffaec7edfa1f8ce1b6efa7075e31b4055168e6dd7dc6f7c0b0hggwk is starting",
        "waiting for the bundle: Pod 824bbe08ffaec7edfa1f8ce1b6efa7075e31b4055168e6dd7dc6f7c0b0hggwk runs its init container util",
        "waiting for the bundle: Pod 824bbe08ffaec7edfa1f8ce1b6efa7075e31b4055168e6dd7dc6f7c0b0hggwk is starting",
        "waiting for the bundle: Pod 824bbe08ffaec7edfa1f8ce1b6efa7075e31b4055168e6dd7dc6f7c0b0hggwk runs its init container pull",
        "waiting for the bundle: Pod 824bbe08ffaec7edfa1f8ce1b6efa7075e31b4055168e6dd7dc6f7c0b0hggwk is starting",
        "waiting for the bundle: Job 824bbe08ffaec7edfa1f8ce1b6efa7075e31b4055168e6dd7dc6f7c0b05659b unpacks it",
        "waiting for the InstallPlan of nginx-operator.v0.0.1: its bundle is unpacked",
        "waiting for InstallPlan install-f2jvq: new",
        "waiting for InstallPlan install-f2jvq: Installing, 0 of 8 objects exist",
        "waiting for ClusterServiceVersion nginx-operator.v0.0.1: new",
        "waiting for ClusterServiceVersion nginx-operator.v0.0.1: Pending, requirements not yet checked",
        "waiting for the requirements of ClusterServiceVersion nginx-operator.v0.0.1: ServiceAccount nginx-operator-controller-manager: Service account does not exist",
        "waiting for ClusterServiceVersion nginx-operator.v0.0.1: InstallReady, all requirements found, attempting install",
        "waiting for Deployment nginx-operator-controller-manager: its controller has not seen the change yet; Pod nginx-operator-controller-manager-5f475dbb7b-c7sn8 is starting",
        "waiting for Deployment nginx-operator-controller-manager: 0 of 1 new replicas exist; Pod nginx-operator-controller-manager-5f475dbb7b-c7sn8 is starting",
        "waiting for Deployment nginx-operator-controller-manager: 0 of 1 new replicas are available; Pod nginx-operator-controller-manager-5f475dbb7b-c7sn8 is starting",
        "waiting for Deployment nginx-operator-controller-manager: 0 of 1 new replicas are available; Pod nginx-operator-controller-manager-5f475dbb7b-c7sn8 runs, but is not ready yet",
        "waiting for Deployment nginx-operator-controller-manager: 0 of 1 new replicas are available",
        "waiting for ClusterServiceVersion nginx-operator.v0.0.1: Installing",
      ]
    `);
  });
});

describe.skipIf(!hasRecordings)(`what OLM v1 did${reason}`, () => {
  const nginx = {
    catalog: 'nginx-catalog',
    extension: 'nginx',
    package: 'nginx-operator',
    namespace: 'v1-demo',
  };
  const demo = (extension: string, name: string, namespace: string) => ({
    extension,
    package: name,
    namespace,
  });

  test.each<[string, Case & Partial<ExpectedV1>]>([
    ['v1-install', nginx],
    ['v1-upgrade', { ...nginx, version: '0.0.2', from: 0.5 }],
    ['v1-bundle-header', demo('hdr', 'hdr-operator', 'z-hdr')],
    ['v1-min-kube-version', demo('minkube', 'minkube-operator', 'y-minkube')],
  ])('%s is done, and fails at no time', (recording, expected) => {
    expect(ofV1(recording, expected)).toMatchObject({ judgement: { state: 'done' }, passing: [] });
  });

  const extension = (name: string): string => `clusterextension.olm.operatorframework.io/${name}`;
  const catalog = (name: string): string => `clustercatalog.olm.operatorframework.io/${name}`;

  test.each<[string, string, string, number, Case & Partial<ExpectedV1>]>([
    [
      'v1-fail-bundle-image-pull',
      'olm/bundle-image',
      extension('nobundle'),
      4.4,
      demo('nobundle', 'nobundle-operator', 'z-nobundle'),
    ],
    [
      'v1-fail-catalog-image-pull',
      'olm/catalog-image',
      catalog('missing-catalog'),
      0.4,
      { catalog: 'missing-catalog' },
    ],
    [
      'v1-fail-catalog-image-pull',
      'olm/catalog-image',
      catalog('plain-catalog'),
      0.4,
      { catalog: 'plain-catalog' },
    ],
    [
      'v1-fail-crd-owned-by-other',
      'olm/api-conflict',
      extension('ownerb'),
      6.9,
      demo('ownerb', 'owner-b-operator', 'y-ownerb'),
    ],
    [
      'v1-fail-install-mode',
      'olm/install-mode',
      extension('ownns'),
      3.1,
      demo('ownns', 'ownns-operator', 'z-ownns'),
    ],
    ['v1-fail-object-exists', 'olm/object-exists', extension('nginx'), 2.8, nginx],
    [
      'v1-fail-operator-image-pull',
      'olm/operator-image',
      'pod/badimage-operator-controller-manager-8456644989-2cn7z -n z-badimage',
      3,
      demo('badimage', 'badimage-operator', 'z-badimage'),
    ],
    [
      'v1-fail-other-catalog-not-serving',
      'olm/other-catalog',
      extension('gadget'),
      0.8,
      demo('gadget', 'gadget-operator', 'q-gadget'),
    ],
    [
      'v1-fail-package-not-found',
      'olm/not-resolvable',
      extension('absent'),
      0.5,
      demo('absent', 'absent-operator', 'z-absent'),
    ],
    [
      'v1-fail-upgrade-not-allowed',
      'olm/upgrade-not-allowed',
      extension('upg'),
      16.1,
      { ...demo('upg', 'widget-operator', 'v1-upg'), version: '1.0.0', from: 16.1 },
    ],
    [
      'v1-fail-version-not-found',
      'olm/version-not-found',
      extension('nover'),
      1,
      { ...demo('nover', 'widget-operator', 'z-nover'), version: '9.9.9' },
    ],
  ])('%s: %s at %s', (recording, code, object, revealed, expected) => {
    const verdict = ofV1(recording, expected);
    expect(causeOf(verdict)).toMatchObject({ code, where: { object } });
    expect(causeOf(verdict).fix.length).toBeGreaterThan(1);
    expect(verdict.since).toBeGreaterThanOrEqual(revealed);
    expect(verdict.t).toBeLessThan(revealed + 10);
    expect(verdict.passing).toEqual([]);
  });

  test('a kind that another operator owns: by its name', () => {
    const verdict = ofV1('v1-fail-crd-owned-by-other', demo('ownerb', 'owner-b-operator', 'y-ownerb'));
    expect(causeOf(verdict).message).toMatch(
      /^ClusterExtension ownera owns CustomResourceDefinition shareds\.demo\.example\.com: /,
    );
  });

  test('an operator is done once nothing blocks its installation', () => {
    const expected = { ...demo('gadget', 'gadget-operator', 'q-gadget'), from: 9 };
    expect(ofV1('v1-fail-other-catalog-not-serving', expected).judgement).toEqual({ state: 'done' });
  });

  test('the lines of progress of an installation', () => {
    expect(ofV1('v1-install', nginx).lines).toMatchInlineSnapshot(`
      [
        "waiting for ClusterCatalog nginx-catalog: it does not exist yet",
        "waiting for ClusterCatalog nginx-catalog: its image is unpacked",
        "waiting for ClusterExtension nginx: version 0.0.1 is being installed",
        "waiting for Deployment nginx-operator-controller-manager: 0 of 1 new replicas are available; Pod nginx-operator-controller-manager-99f657477-j5bj4 is starting",
        "waiting for Deployment nginx-operator-controller-manager: 0 of 1 new replicas are available; Pod nginx-operator-controller-manager-99f657477-j5bj4 runs, but is not ready yet",
      ]
    `);
  });
});
