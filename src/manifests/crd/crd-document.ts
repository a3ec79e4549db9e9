import type { ManifestDocument } from '../manifest-document.ts';
import type { CustomKind } from './check-group.ts';
import type { ColumnDeclaration, KindWithSchema } from './kind-version.ts';

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
  const values = (names: readonly { readonly value: string }[]): readonly string[] =>
    names.map((name) => name.value);
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${first.plural.value}.${first.group.value}` },
    spec: {
      group: first.group.value,
      names: {
        kind: first.kind.value,
        listKind: first.listKind.value,
        plural: first.plural.value,
        singular: first.singular.value,
        ...(first.shortNames.length === 0 ? {} : { shortNames: values(first.shortNames) }),
        ...(first.categories.length === 0 ? {} : { categories: values(first.categories) }),
      },
      scope: first.scope.value,
      versions: kind.versions.map((version) => versionDocument(version, version === kind.storage)),
    },
  };
}

function versionDocument(version: KindWithSchema, storage: boolean): ManifestDocument {
  // The status subresource exists as soon as the interface has a status: without it `spec` and `status` are written together.
  const hasStatus = version.schema.properties?.['status'] !== undefined;
  return {
    ...(version.columns.length === 0
      ? {}
      : { additionalPrinterColumns: version.columns.map(columnDocument) }),
    name: version.version.value,
    schema: { openAPIV3Schema: version.schema },
    served: version.served,
    storage,
    ...(hasStatus ? { subresources: { status: {} } } : {}),
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
    // 0 is the default; writing it would only make a difference in the file.
    ...(priority === undefined || priority === 0 ? {} : { priority }),
  };
}
