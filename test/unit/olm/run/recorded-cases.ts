// What recordings of OLM end in.
import type { ExpectedV0, ExpectedV1 } from '../../../../src/olm/run/observed.ts';

/** What is expected of a recording. Replays begin at `from` where an installation existed before: what the user changed is seen from there. */
export type Case<Expected> = Partial<Expected> & { readonly from?: number };

/** A recording, the code of its failure, the object that shows it, and the second of the event that does. */
export type FailedCase<Expected> = readonly [string, string, string, number, Case<Expected>];

/** The names of a case, with those that all have who do not say otherwise. */
export function expectedV0({ from: _from, ...rest }: Case<ExpectedV0>): ExpectedV0 {
  const { namespace = '', csv = '' } = rest;
  const name = csv.replace(/\.v.*/, '');
  return {
    catalogSource: { name: 'demo-catalog', namespace: 'olm' },
    subscription: name,
    package: name,
    channel: 'stable',
    ...rest,
    namespace,
    csv,
  };
}

/** The same for OLM v1. */
export function expectedV1({ from: _from, ...rest }: Case<ExpectedV1>): ExpectedV1 {
  return {
    catalog: 'demo-catalog',
    extension: 'demo',
    package: 'demo',
    version: '0.0.1',
    namespace: 'demo',
    deployments: [`${rest.package ?? 'demo'}-controller-manager`],
    ...rest,
  };
}

const nginx = { csv: 'nginx-operator.v0.0.1' };
const source = (name: string, namespace: string) => ({ catalogSource: { name, namespace }, namespace });
const sdk = (name: string, namespace: string) => ({
  ...source(`${name}-catalog`, namespace),
  subscription: `${name}-v0-0-1-sub`,
});
const upgraded = { csv: 'nginx-operator.v0.0.2', from: 0.8 };

const olm = (namespace: string, name: string) => ({ namespace, csv: `${name}.v0.0.1` });
const own = (namespace: string, name: string) => ({
  ...source('demo-catalog', namespace),
  csv: `${name}.v0.0.1`,
});

/** Installations by OLM v0 that succeed. */
export const successesV0: readonly (readonly [string, Case<ExpectedV0>])[] = [
  ['v0-catalog-install', { ...source('nginx-catalog', 'cat-demo'), ...nginx }],
  ['v0-catalog-upgrade', { ...source('nginx-catalog', 'cat-demo'), ...upgraded }],
  ['v0-sdk-run-bundle', { ...sdk('nginx-operator', 'sdk-demo'), ...nginx }],
  ['v0-sdk-bundle-upgrade', { ...sdk('nginx-operator', 'sdk-demo'), ...upgraded }],
  ['v0-sdk-run-bundle-ownnamespace', { ...sdk('ownns-operator', 's-own'), csv: 'ownns-operator.v0.0.1' }],
  [
    'v0-shared-crd-first-operator',
    { ...source('demo-catalog', 'g-owner-a'), csv: 'owner-a-operator.v0.0.1' },
  ],
];

/** Installations by OLM v0 that fail. A bundle that cannot be read shows by 15 s of silence only. */
export const failuresV0: readonly FailedCase<ExpectedV0>[] = [
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
];

const nginxV1 = {
  catalog: 'nginx-catalog',
  extension: 'nginx',
  package: 'nginx-operator',
  namespace: 'v1-demo',
};
const demoV1 = (extension: string, name: string, namespace: string) => ({
  extension,
  package: name,
  namespace,
});

const extensionTitle = (name: string): string => `clusterextension.olm.operatorframework.io/${name}`;
const catalogTitle = (name: string): string => `clustercatalog.olm.operatorframework.io/${name}`;

/** Installations by OLM v1 that succeed. */
export const successesV1: readonly (readonly [string, Case<ExpectedV1>])[] = [
  ['v1-install', nginxV1],
  ['v1-upgrade', { ...nginxV1, version: '0.0.2', from: 0.5 }],
  ['v1-bundle-header', demoV1('hdr', 'hdr-operator', 'z-hdr')],
  ['v1-min-kube-version', demoV1('minkube', 'minkube-operator', 'y-minkube')],
];

/** Installations by OLM v1 that fail. */
export const failuresV1: readonly FailedCase<ExpectedV1>[] = [
  [
    'v1-fail-bundle-image-pull',
    'olm/bundle-image',
    extensionTitle('nobundle'),
    4.4,
    demoV1('nobundle', 'nobundle-operator', 'z-nobundle'),
  ],
  [
    'v1-fail-catalog-image-pull',
    'olm/catalog-image',
    catalogTitle('missing-catalog'),
    0.4,
    { catalog: 'missing-catalog' },
  ],
  [
    'v1-fail-catalog-image-pull',
    'olm/catalog-image',
    catalogTitle('plain-catalog'),
    0.4,
    { catalog: 'plain-catalog' },
  ],
  [
    'v1-fail-crd-owned-by-other',
    'olm/api-conflict',
    extensionTitle('ownerb'),
    6.9,
    demoV1('ownerb', 'owner-b-operator', 'y-ownerb'),
  ],
  [
    'v1-fail-install-mode',
    'olm/install-mode',
    extensionTitle('ownns'),
    3.1,
    demoV1('ownns', 'ownns-operator', 'z-ownns'),
  ],
  ['v1-fail-object-exists', 'olm/object-exists', extensionTitle('nginx'), 2.8, nginxV1],
  [
    'v1-fail-operator-image-pull',
    'olm/operator-image',
    'pod/badimage-operator-controller-manager-8456644989-2cn7z -n z-badimage',
    3,
    demoV1('badimage', 'badimage-operator', 'z-badimage'),
  ],
  [
    'v1-fail-other-catalog-not-serving',
    'olm/other-catalog',
    extensionTitle('gadget'),
    0.8,
    demoV1('gadget', 'gadget-operator', 'q-gadget'),
  ],
  [
    'v1-fail-package-not-found',
    'olm/not-resolvable',
    extensionTitle('absent'),
    0.5,
    demoV1('absent', 'absent-operator', 'z-absent'),
  ],
  [
    'v1-fail-upgrade-not-allowed',
    'olm/upgrade-not-allowed',
    extensionTitle('upg'),
    16.1,
    { ...demoV1('upg', 'widget-operator', 'v1-upg'), version: '1.0.0', from: 16.1 },
  ],
  [
    'v1-fail-version-not-found',
    'olm/version-not-found',
    extensionTitle('nover'),
    1,
    { ...demoV1('nover', 'widget-operator', 'z-nover'), version: '9.9.9' },
  ],
];
