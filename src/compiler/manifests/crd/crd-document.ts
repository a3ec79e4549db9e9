import type { ManifestDocument } from '../manifest-document.ts';
import type { CustomKind } from './check-group.ts';
import type { ColumnDeclaration, KindVersion, KindWithSchema, ScalePaths } from './kind-version.ts';

/** `<group>_<plural>.yaml`, as controller-gen names it. */
export function crdFileName(kind: CustomKind): string {
  const [first] = kind.versions;
  return `${first.group.value}_${first.plural.value}.yaml`;
}

/**
 * The CustomResourceDefinition of a kind, all versions in it.
 * Source: `apiextensions.k8s.io/v1`. Without status, creationTimestamp and tool annotation: the same input gives the same bytes.
 */
export function crdDocument(kind: CustomKind<KindWithSchema>): ManifestDocument {
  const [first] = kind.versions;
  const { conversion, labels, annotations } = kind;
  const values = (names: readonly { readonly value: string }[]): readonly string[] =>
    names.map((name) => name.value);
  const metadata = { labels: labels?.value ?? {}, annotations: annotations?.value ?? {} };
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: {
      ...Object.fromEntries(Object.entries(metadata).filter(([, map]) => Object.keys(map).length > 0)),
      name: `${first.plural.value}.${first.group.value}`,
    },
    spec: {
      ...(conversion === undefined ? {} : { conversion: conversion.value }),
      group: first.group.value,
      names: {
        kind: first.kind.value,
        listKind: first.listKind.value,
        plural: first.plural.value,
        singular: first.singular.value,
        ...listed(first, 'shortNames', 'shortNames', values(first.shortNames)),
        ...listed(first, 'categories', 'categories', values(first.categories)),
      },
      scope: first.scope.value,
      versions: kind.versions.map((version) => versionDocument(version, version === kind.storage)),
    },
  };
}

function versionDocument(version: KindWithSchema, storage: boolean): ManifestDocument {
  const { columns, deprecated, scale } = version;
  const selectable = version.selectableFields?.value ?? [];
  const subresources = {
    ...(scale === undefined ? {} : { scale: scaleDocument(scale) }),
    ...(hasStatus(version) ? { status: {} } : {}),
  };
  return {
    ...listed(version, 'printerColumns', 'additionalPrinterColumns', columns.map(columnDocument)),
    ...(deprecated === false ? {} : { deprecated: true }),
    ...(typeof deprecated === 'string' ? { deprecationWarning: deprecated } : {}),
    name: version.version.value,
    schema: { openAPIV3Schema: version.schema },
    ...listed(
      version,
      'selectableFields',
      'selectableFields',
      selectable.map(({ value }) => ({ jsonPath: value })),
    ),
    served: version.served,
    storage,
    ...(Object.keys(subresources).length === 0 && !version.emptySubresources ? {} : { subresources }),
  };
}

/** A list under its key; an empty one only if it is declared. */
function listed(
  { emptyLists }: KindVersion,
  declared: string,
  key: string,
  items: readonly unknown[],
): ManifestDocument {
  return items.length === 0 && !emptyLists.has(declared) ? {} : { [key]: items };
}

/** The status subresource exists as soon as the interface has a status, if nothing else is said: without it `spec` and `status` are written together. */
export function hasStatus({ status, schema }: KindWithSchema): boolean {
  return status?.value ?? Object.hasOwn(schema.properties ?? {}, 'status');
}

function scaleDocument({ spec, status, selector }: ScalePaths): ManifestDocument {
  return {
    ...(selector === undefined ? {} : { labelSelectorPath: selector.value }),
    specReplicasPath: spec?.value,
    statusReplicasPath: status?.value,
  };
}

function columnDocument(column: ColumnDeclaration): ManifestDocument {
  const { name, type, description, format, priority } = column;
  return {
    name,
    type,
    jsonPath: column.jsonPath.value,
    ...(description === undefined ? {} : { description }),
    ...(format === undefined ? {} : { format }),
    ...(priority === undefined ? {} : { priority }),
  };
}
