import { schemaOf } from './bundle-folder.ts';
import { push, owned, version, field, review, service, type Case } from './cases.ts';

/** CustomResourceDefinitions. */
export const crdCases: readonly Case[] = [
  // CRDs
  [
    'v1beta1',
    'bundle/removed-crd-version',
    'apiVersion',
    (b) => (b.crd.apiVersion = 'apiextensions.k8s.io/v1beta1'),
  ],
  [
    'the name of a CRD',
    'bundle/invalid-crd',
    'name: other',
    (b) => (b.crd.metadata.name = 'other.example.com'),
  ],
  ['a scope', 'bundle/invalid-crd', 'scope', (b) => (b.crd.spec.scope = 'World')],
  [
    'preserveUnknownFields',
    'bundle/invalid-crd',
    'preserve',
    (b) => (b.crd.spec.preserveUnknownFields = true),
  ],
  ['a name with an underscore', 'bundle/invalid-crd', 'singular', (b) => (b.crd.spec.names.singular = 'a_b')],
  ['the kind as listKind', 'bundle/invalid-crd', 'listKind', (b) => (b.crd.spec.names.listKind = 'Site')],
  ['a short name', 'bundle/invalid-crd', '- A', (b) => (b.crd.spec.names.shortNames = ['A'])],
  ['no storage version', 'bundle/invalid-crd', 'versions:', (b) => (version(b).storage = false)],
  ['served that is no boolean', 'bundle/invalid-crd', 'served', (b) => (version(b).served = 'yes')],
  [
    'a version twice',
    'bundle/invalid-crd',
    'name: v1',
    (b) => push(b.crd.spec.versions, { ...version(b), storage: false }),
  ],
  [
    'a version with capitals',
    'bundle/invalid-crd',
    'name: V2',
    (b) => push(b.crd.spec.versions, { ...version(b), name: 'V2', storage: false }),
  ],
  ['no schema', 'bundle/invalid-crd', 'name: v1', (b) => delete version(b).schema],
  [
    'a warning without deprecation',
    'bundle/invalid-crd',
    'deprecationWarning',
    (b) => (version(b).deprecationWarning = 'old'),
  ],
  [
    'the scale of a status',
    'bundle/invalid-crd',
    'statusReplicasPath',
    (b) =>
      (version(b).subresources.scale = { specReplicasPath: '.spec.size', statusReplicasPath: '.spec.size' }),
  ],
  [
    'the type of a column',
    'bundle/invalid-crd',
    'jsonPath',
    (b) => (version(b).additionalPrinterColumns = [{ name: 'A', type: 'text', jsonPath: '.a' }]),
  ],
  [
    'the path of a column',
    'bundle/invalid-crd',
    'jsonPath',
    (b) => (version(b).additionalPrinterColumns = [{ name: 'A', type: 'string', jsonPath: 'a' }]),
  ],
  [
    'a selectable field that is not there',
    'bundle/invalid-crd',
    'jsonPath',
    (b) => (version(b).selectableFields = [{ jsonPath: '.spec.none' }]),
  ],
  [
    'a selectable field that is an object',
    'bundle/invalid-crd',
    'jsonPath',
    (b) => (version(b).selectableFields = [{ jsonPath: '.spec' }]),
  ],
  [
    'a selectable field twice',
    'bundle/invalid-crd',
    'jsonPath',
    (b) => (version(b).selectableFields = [{ jsonPath: '.spec.host' }, { jsonPath: '.spec.host' }]),
  ],
  [
    'a strategy of conversion',
    'bundle/invalid-crd',
    'strategy',
    (b) => (b.crd.spec.conversion = { strategy: 'Magic' }),
  ],
  [
    'conversion without webhook',
    'bundle/invalid-crd',
    'conversion',
    (b) => (b.crd.spec.conversion = { strategy: 'Webhook' }),
  ],
  [
    'conversion without review versions',
    'bundle/invalid-crd',
    'conversionReview',
    (b) => (b.crd.spec.conversion = review({ service }, [])),
  ],
  [
    'conversion by http',
    'bundle/invalid-crd',
    'url',
    (b) => (b.crd.spec.conversion = review({ url: 'http://a' })),
  ],
  ['conversion by nobody', 'bundle/invalid-crd', 'clientConfig', (b) => (b.crd.spec.conversion = review({}))],
  [
    'a group of Kubernetes',
    'bundle/invalid-crd',
    'group',
    (b) => {
      b.crd.spec.group = 'web.k8s.io';
      b.crd.metadata.name = 'sites.web.k8s.io';
      owned(b)[0].name = 'sites.web.k8s.io';
      b.csv.metadata.annotations['alm-examples'] = '[{"apiVersion":"web.k8s.io/v1","kind":"Site"}]';
    },
  ],
  ['a field without type', 'bundle/crd-schema', 'a: {}', (b) => field(b, 'a', {})],
  [
    'a type that is no text',
    'bundle/crd-schema',
    'type:',
    (b) => field(b, 'a', { type: ['string', 'null'] }),
  ],
  [
    'a type in anyOf',
    'bundle/crd-schema',
    '- type: string',
    (b) => field(b, 'a', { type: 'string', anyOf: [{ type: 'string' }] }),
  ],
  [
    'a pattern of JavaScript',
    'bundle/crd-schema',
    'pattern',
    (b) => field(b, 'a', { type: 'string', pattern: '(?=a)' }),
  ],
  [
    'a default of another type',
    'bundle/crd-schema',
    'default',
    (b) => field(b, 'a', { type: 'string', default: 1 }),
  ],
  ['a list without items', 'bundle/crd-schema', 'a:', (b) => field(b, 'a', { type: 'array' })],
  [
    'fields beside the status',
    'bundle/crd-schema',
    'anyOf',
    (b) => (schemaOf(b).anyOf = [{ required: ['spec'] }]),
  ],
];
