import { schemaOf } from './bundle-folder.ts';
import { push, owned, version, field, review, service, type Case } from './cases.ts';

/** CustomResourceDefinitions. */
export const crdCases: readonly Case[] = [
  // CRDs
  [
    'v1beta1',
    'bundle/removed-crd-version',
    'apiVersion',
    (b) => {
      b.crd.apiVersion = 'apiextensions.k8s.io/v1beta1';
      b.crd.spec.preserveUnknownFields = false;
    },
  ],
  ['the name of a CRD', 'crd/name', 'name: other', (b) => (b.crd.metadata.name = 'other.example.com')],
  ['a scope', 'crd/form', 'scope', (b) => (b.crd.spec.scope = 'World')],
  [
    'preserveUnknownFields',
    'crd/preserve-unknown-fields',
    'preserve',
    (b) => (b.crd.spec.preserveUnknownFields = true),
  ],
  ['a name with an underscore', 'crd/name', 'singular', (b) => (b.crd.spec.names.singular = 'a_b')],
  ['the kind as listKind', 'crd/name', 'listKind', (b) => (b.crd.spec.names.listKind = 'Site')],
  ['a short name', 'crd/name', '- A', (b) => (b.crd.spec.names.shortNames = ['A'])],
  ['no storage version', 'crd/storage-version', 'versions:', (b) => (version(b).storage = false)],
  ['served that is no boolean', 'crd/form', 'served', (b) => (version(b).served = 'yes')],
  [
    'a version twice',
    'crd/duplicate-version',
    'name: v1',
    (b) => push(b.crd.spec.versions, { ...version(b), storage: false }),
  ],
  [
    'a version with capitals',
    'crd/version',
    'name: V2',
    (b) => push(b.crd.spec.versions, { ...version(b), name: 'V2', storage: false }),
  ],
  ['no schema', 'crd/form', 'name: v1', (b) => delete version(b).schema],
  [
    'a warning without deprecation',
    'crd/deprecation',
    'deprecationWarning',
    (b) => (version(b).deprecationWarning = 'old'),
  ],
  [
    'the scale of a status',
    'crd/scale',
    'statusReplicasPath',
    (b) =>
      (version(b).subresources.scale = { specReplicasPath: '.spec.size', statusReplicasPath: '.spec.size' }),
  ],
  [
    'the type of a column',
    'crd/printer-column',
    'type: text',
    (b) => (version(b).additionalPrinterColumns = [{ name: 'A', type: 'text', jsonPath: '.a' }]),
  ],
  [
    'the path of a column',
    'crd/printer-column',
    'jsonPath',
    (b) => (version(b).additionalPrinterColumns = [{ name: 'A', type: 'string', jsonPath: 'a' }]),
  ],
  [
    'a selectable field that is not there',
    'crd/selectable-field',
    'jsonPath',
    (b) => (version(b).selectableFields = [{ jsonPath: '.spec.none' }]),
  ],
  [
    'a selectable field that is an object',
    'crd/selectable-field',
    'jsonPath',
    (b) => (version(b).selectableFields = [{ jsonPath: '.spec' }]),
  ],
  [
    'a selectable field twice',
    'crd/selectable-field',
    'jsonPath',
    (b) => (version(b).selectableFields = [{ jsonPath: '.spec.host' }, { jsonPath: '.spec.host' }]),
  ],
  [
    'a selectable field in array notation',
    'crd/selectable-field',
    'jsonPath',
    (b) => (version(b).selectableFields = [{ jsonPath: ".spec['host']" }]),
  ],
  [
    'conversion by a URL without a host',
    'crd/conversion',
    'url',
    (b) => (b.crd.spec.conversion = review({ url: 'https:///x' })),
  ],
  [
    'more than etcd stores',
    'crd/too-large',
    'apiVersion',
    (b) => field(b, 'a', { type: 'string', description: 'x'.repeat(1_600_000) }),
  ],
  [
    'a strategy of conversion',
    'crd/conversion',
    'strategy',
    (b) => (b.crd.spec.conversion = { strategy: 'Magic' }),
  ],
  [
    'conversion without webhook',
    'crd/conversion',
    'conversion',
    (b) => (b.crd.spec.conversion = { strategy: 'Webhook' }),
  ],
  [
    'conversion without review versions',
    'crd/conversion',
    'conversionReview',
    (b) => (b.crd.spec.conversion = review({ service }, [])),
  ],
  [
    'conversion by http',
    'crd/conversion',
    'url',
    (b) => (b.crd.spec.conversion = review({ url: 'http://a' })),
  ],
  ['conversion by nobody', 'crd/conversion', 'clientConfig', (b) => (b.crd.spec.conversion = review({}))],
  [
    'a group of Kubernetes',
    'crd/reserved-group',
    'group',
    (b) => {
      b.crd.spec.group = 'web.k8s.io';
      b.crd.metadata.name = 'sites.web.k8s.io';
      owned(b)[0].name = 'sites.web.k8s.io';
      b.csv.metadata.annotations['alm-examples'] = '[{"apiVersion":"web.k8s.io/v1","kind":"Site"}]';
    },
  ],
  ['a field without type', 'crd/schema', 'a: {}', (b) => field(b, 'a', {})],
  ['a type that is no text', 'crd/form', 'type:', (b) => field(b, 'a', { type: ['string', 'null'] })],
  [
    'a type in anyOf',
    'crd/schema',
    '- type: string',
    (b) => field(b, 'a', { type: 'string', anyOf: [{ type: 'string' }] }),
  ],
  [
    'a pattern of JavaScript',
    'crd/schema',
    'pattern',
    (b) => field(b, 'a', { type: 'string', pattern: '(?=a)' }),
  ],
  [
    'a default of another type',
    'crd/schema',
    'default',
    (b) => field(b, 'a', { type: 'string', default: 1 }),
  ],
  ['a list without items', 'crd/schema', 'a:', (b) => field(b, 'a', { type: 'array' })],
  ['fields beside the status', 'crd/schema', 'anyOf', (b) => (schemaOf(b).anyOf = [{ required: ['spec'] }])],
];
