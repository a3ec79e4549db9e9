import { field, type Case } from './cases.ts';

/** What does not fail. */
export const warnings: readonly Case[] = [
  ['no minKubeVersion', 'bundle/no-min-kube-version', 'spec:', (b) => delete b.csv.spec.minKubeVersion],
  ['no examples', 'bundle/no-example', 'annotations', (b) => (b.csv.metadata.annotations = {})],
  [
    'no example of a kind',
    'bundle/no-example',
    'kind: Site',
    (b) => (b.csv.metadata.annotations['alm-examples'] = '[]'),
  ],
  [
    'examples twice',
    'bundle/two-examples',
    'olm.examples',
    (b) => (b.csv.metadata.annotations['olm.examples'] = '[]'),
  ],
  [
    'olm.properties',
    'bundle/properties-annotation',
    'olm.properties',
    (b) => (b.csv.metadata.annotations['olm.properties'] = '[]'),
  ],
  ['an unknown field', 'bundle/unknown-field', 'displayNam:', (b) => (b.csv.spec.displayNam = 'x')],
  [
    'an unknown field of a schema',
    'crd/unknown-field',
    'minLenght',
    (b) => field(b, 'a', { type: 'string', minLenght: 1 }),
  ],
  ['no deployment', 'bundle/no-deployment', 'deployments', (b) => (b.csv.spec.install.spec.deployments = [])],
];
