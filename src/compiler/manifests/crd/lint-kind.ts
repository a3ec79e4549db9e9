import type { Finding } from '../../../base/errors/index.ts';
import { sizeOf } from '../../../kubernetes/crd/index.ts';
import type { JSONSchemaProps } from '../../schema/index.ts';
import type { CustomKind } from './check-group.ts';
import { crdDocument } from './crd-document.ts';
import type { KindWithSchema } from './kind-version.ts';

/**
 * Maximum size, in bytes, of the annotation in which client-side `kubectl apply` keeps the entire document. Source: apimachinery
 * `TotalAnnotationSizeLimitB`.
 */
const APPLY_LIMIT = 262_144;

/**
 * Annotations that make another component inject the CA certificate into a conversion webhook. Sources: cert-manager's cainjector,
 * OpenShift's service-ca operator.
 */
const injectors = [
  'cert-manager.io/inject-ca-from',
  'cert-manager.io/inject-ca-from-secret',
  'cert-manager.io/inject-apiserver-ca',
  'service.beta.openshift.io/inject-cabundle',
];

/**
 * Warns of settings of a kind that the API server accepts but that do not work as intended. Each warning has the place of the declaration
 * to change.
 */
export function lintKind(kind: CustomKind<KindWithSchema>): readonly Finding[] {
  return [
    ...unserved(kind),
    ...kind.versions.flatMap(statusWithoutField),
    ...versions(kind),
    ...conversionCa(kind),
    ...size(kind),
  ];
}

function unserved({ versions: all, storage }: CustomKind): readonly Finding[] {
  if (all.some((version) => version.served)) return [];
  return [
    {
      code: 'manifests/unserved',
      message: `no version of ${storage.kind.value} is served`,
      where: storage.place,
      fix: ['leave `served: false` out of one version'],
    },
  ];
}

function statusWithoutField({ status, schema, kind, version }: KindWithSchema): readonly Finding[] {
  const open = schema['x-kubernetes-preserve-unknown-fields'] === true;
  if (status?.value !== true || open || Object.hasOwn(schema.properties ?? {}, 'status')) return [];
  return [
    {
      code: 'manifests/status-without-field',
      message: `${kind.value} ${version.value} has a status subresource, but its interface has no field \`status\`: what is written there is dropped`,
      where: status.place,
      fix: ['declare `status?: …` in the interface, or leave `status: true` out'],
    },
  ];
}

/** Warns of versions whose schemas differ without a conversion, and of versions whose schemas do not differ. */
function versions({ versions: all, storage, conversion }: CustomKind<KindWithSchema>): readonly Finding[] {
  if (all.length === 1) return [];
  const kind = storage.kind.value;
  const schemas = new Map(all.map((version) => [version, comparableSchema(version.schema)]));
  const findings = all.flatMap((version, index): readonly Finding[] => {
    const twin = all.slice(0, index).find((other) => schemas.get(other) === schemas.get(version));
    // Two equal versions are accepted if one is deprecated: it may exist only for clients that still use its name.
    if (twin === undefined || twin.deprecated !== false || version.deprecated !== false) return [];
    return [
      {
        code: 'manifests/identical-versions',
        message: `the versions ${twin.version.value} and ${version.version.value} of ${kind} have the same schema`,
        where: version.place,
        fix: ['leave one of them out, or mark the older one with `deprecated`'],
      },
    ];
  });
  // Only served versions and the storage version are compared, because other versions are never converted.
  const alive = all.filter((version) => version.served || version === storage);
  const other = alive.find((version) => schemas.get(version) !== schemas.get(storage));
  if (conversion !== undefined || other === undefined) return findings;
  return [
    ...findings,
    {
      code: 'manifests/no-conversion',
      message: `the versions ${other.version.value} and ${storage.version.value} of ${kind} have different schemas and no conversion between them: fields that only one version has are lost`,
      where: storage.place,
      fix: [
        'declare the conversion: defineConversion(Hub).spoke(Spoke, { to, from }), which op-sdk create webhook --conversion scaffolds',
        'or give both versions the same fields, optional where only one needs them',
        "or set `conversion: { strategy: 'None' }` in defineResource if nothing can be lost",
      ],
    },
  ];
}

function conversionCa({ conversion, annotations }: CustomKind): readonly Finding[] {
  const webhook = conversion?.value['webhook'] as
    { readonly clientConfig?: { readonly service?: unknown; readonly caBundle?: string } } | undefined;
  const { service, caBundle = '' } = webhook?.clientConfig ?? {};
  // Only a webhook that is a Service needs a CA bundle; one at a URL may have a publicly trusted certificate.
  if (conversion === undefined || conversion.isDeclared === true) return [];
  if (service === undefined || caBundle !== '') return [];
  if (injectors.some((name) => annotations?.value[name] !== undefined)) return [];
  return [
    {
      code: 'manifests/conversion-ca',
      message:
        'the conversion webhook has neither a `caBundle` nor an annotation by which one is injected: the API server will not trust the webhook',
      where: conversion.place,
      fix: [
        "add `annotations: { 'cert-manager.io/inject-ca-from': '<namespace>/<certificate>' }`",
        'or write `caBundle` into `clientConfig`',
      ],
    },
  ];
}

function size(kind: CustomKind<KindWithSchema>): readonly Finding[] {
  const bytes = sizeOf(crdDocument(kind));
  const { plural, group, place } = kind.storage;
  const name = `${plural.value}.${group.value}`;
  if (bytes <= APPLY_LIMIT) return [];
  return [
    {
      code: 'manifests/large-crd',
      message: `the CustomResourceDefinition ${name} has ${bytes} bytes; client-side \`kubectl apply\` cannot apply more than ${APPLY_LIMIT}`,
      where: place,
      fix: ['apply it with `kubectl apply --server-side`'],
    },
  ];
}

/** Schema keywords whose values are data, not schemas. */
const data = new Set(['default', 'example', 'enum']);

/** Serializes a schema for comparison. Two schemas that differ only in descriptions or in the order of fields give the same text. */
function comparableSchema(schema: JSONSchemaProps): string {
  return JSON.stringify(comparable(schema, false));
}

/** @param isMap true if the keys of the value are names of fields, not schema keywords */
function comparable(value: unknown, isMap: boolean): unknown {
  if (Array.isArray(value)) return value.map((item: unknown) => comparable(item, false));
  if (typeof value !== 'object' || value === null) return value;
  return Object.entries(value)
    .filter(([key]) => isMap || key !== 'description')
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, part]: [string, unknown]) => [
      key,
      !isMap && data.has(key) ? part : comparable(part, !isMap && key === 'properties'),
    ]);
}
