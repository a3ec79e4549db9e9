import type { CrdDocument } from '../../../../src/kubernetes/crd/index.ts';
import { group } from './case.ts';

type Schema = Readonly<Record<string, unknown>>;

export function definition(kind: string, scope: 'Namespaced' | 'Cluster', version: object): CrdDocument {
  const singular = kind.toLowerCase();
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${singular}s.${group}` },
    spec: {
      group,
      scope,
      names: { kind, plural: `${singular}s`, singular, listKind: `${kind}List` },
      versions: [{ name: 'v1', served: true, storage: true, ...version }],
    },
  } as unknown as CrdDocument;
}

const text = { type: 'string' };
const integer = { type: 'integer' };

/** Every keyword that the cases are about. */
const spec: Schema = {
  type: 'object',
  properties: {
    size: { type: 'integer', minimum: 0, maximum: 100 },
    small: { type: 'integer', format: 'int32' },
    exact: { type: 'integer', exclusiveMinimum: true, minimum: 1, exclusiveMaximum: true, maximum: 9 },
    step: { type: 'integer', multipleOf: 5 },
    ratio: { type: 'number', minimum: 0.5, maximum: 2.5 },
    name: { type: 'string', minLength: 2, maxLength: 5, pattern: '^[a-z]+$' },
    mode: { type: 'string', enum: ['Fast', 'Slow'] },
    level: { type: 'integer', enum: [1, 2, 3] },
    color: { type: 'string', default: 'blue' },
    on: { type: 'boolean' },
    maybe: { type: 'string', nullable: true },
    maybeDefault: { type: 'string', nullable: true, default: 'here' },
    date: { type: 'string', format: 'date-time' },
    uuid: { type: 'string', format: 'uuid' },
    port: { 'x-kubernetes-int-or-string': true },
    nested: {
      type: 'object',
      required: ['key'],
      properties: {
        key: text,
        depth: { type: 'integer', default: 3 },
        inner: { type: 'object', default: {}, properties: { flag: { type: 'boolean', default: true } } },
      },
    },
    labels: { type: 'object', additionalProperties: text, maxProperties: 3 },
    counts: {
      type: 'object',
      additionalProperties: { type: 'object', properties: { n: { type: 'integer', default: 1 } } },
    },
    atomicMap: { type: 'object', 'x-kubernetes-map-type': 'atomic', additionalProperties: text },
    free: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true, properties: { known: integer } },
    any: { 'x-kubernetes-preserve-unknown-fields': true },
    tags: { type: 'array', items: text, 'x-kubernetes-list-type': 'set' },
    list: { type: 'array', items: text, minItems: 1, maxItems: 3 },
    ports: {
      type: 'array',
      'x-kubernetes-list-type': 'map',
      'x-kubernetes-list-map-keys': ['name'],
      items: {
        type: 'object',
        required: ['name'],
        properties: { name: text, number: { type: 'integer', default: 80 }, protocol: text },
      },
    },
    pairs: {
      type: 'array',
      'x-kubernetes-list-type': 'map',
      'x-kubernetes-list-map-keys': ['port', 'protocol'],
      items: {
        type: 'object',
        required: ['port'],
        properties: { port: integer, protocol: { type: 'string', default: 'TCP' }, note: text },
      },
    },
    template: {
      type: 'object',
      'x-kubernetes-embedded-resource': true,
      properties: { data: { type: 'object', additionalProperties: text } },
    },
    choice: {
      type: 'object',
      properties: { left: integer, right: integer },
      oneOf: [{ required: ['left'] }, { required: ['right'] }],
    },
    either: {
      type: 'object',
      properties: { a: integer, b: integer },
      anyOf: [{ required: ['a'] }, { required: ['b'] }],
    },
    forbidden: { type: 'string', not: { enum: ['evil'] } },
  },
};

const status: Schema = {
  type: 'object',
  properties: {
    phase: { type: 'string', enum: ['Ready', 'Pending'] },
    count: { type: 'integer', default: 7 },
    conditions: {
      type: 'array',
      'x-kubernetes-list-type': 'map',
      'x-kubernetes-list-map-keys': ['type'],
      items: {
        type: 'object',
        required: ['type', 'status'],
        properties: { type: text, status: text, reason: text, message: text },
      },
    },
  },
};

const root = (fields: Readonly<Record<string, Schema>>, more: Schema = {}): object => ({
  schema: { openAPIV3Schema: { type: 'object', properties: fields, ...more } },
});

/** The definitions of the cases. */
export const crds: readonly CrdDocument[] = [
  definition('Widget', 'Namespaced', {
    ...root({ spec, status }),
    subresources: { status: {} },
    selectableFields: [{ jsonPath: '.spec.mode' }, { jsonPath: '.spec.size' }],
  }),
  // No subresources: everything is written at once.
  definition(
    'Gadget',
    'Namespaced',
    root({
      spec: { type: 'object', properties: { size: integer, note: text } },
      status: { type: 'object', properties: { phase: text } },
    }),
  ),
  definition(
    'Planet',
    'Cluster',
    root(
      { spec: { type: 'object', required: ['size'], properties: { size: integer } } },
      { required: ['spec'] },
    ),
  ),
  definition('Engine', 'Namespaced', {
    ...root({
      spec: { type: 'object', properties: { replicas: integer } },
      status: { type: 'object', properties: { replicas: integer, selector: text } },
    }),
    subresources: {
      status: {},
      scale: {
        specReplicasPath: '.spec.replicas',
        statusReplicasPath: '.status.replicas',
        labelSelectorPath: '.status.selector',
      },
    },
  }),
];
