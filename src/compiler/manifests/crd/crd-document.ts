import type { ManifestDocument } from '../declaration.ts';
import {
  checkCrd,
  type FieldPath,
  type Violation,
  placed,
  type PlacedViolations,
} from '../../../kubernetes/crd/index.ts';
import type { SchemaPath, SourcePlace } from '../../schema/index.ts';
import type { CustomKind } from './check-group.ts';
import type {
  ColumnDeclaration,
  KindVersion,
  KindWithSchema,
  ScalePaths,
  PlacedParts,
  DeclaredVersion,
} from './kind-version.ts';

/** Returns `<group>_<plural>.yaml`, the file name that controller-gen uses. */
export function crdFileName(kind: CustomKind): string {
  const [first] = kind.versions;
  return `${first.group.value}_${first.plural.value}.yaml`;
}

/**
 * Creates the CustomResourceDefinition of a kind with all its versions. Omits status, creationTimestamp and tool annotation, so that the
 * same input gives the same bytes. Source: `apiextensions.k8s.io/v1`.
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

/** Returns a list under its key. An empty list is omitted unless the author declared it as `[]`. */
function listed(
  { emptyLists }: KindVersion,
  declared: string,
  key: string,
  items: readonly unknown[],
): ManifestDocument {
  return items.length === 0 && !emptyLists.has(declared) ? {} : { [key]: items };
}

/**
 * True if a kind has a status subresource. By default, it has one if its interface has a `status` field. Without the subresource, clients
 * write `spec` and `status` in one request.
 */
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

/** Codes of violations that can be decided only with a complete schema. */
const ofSchema: ReadonlySet<string> = new Set<Violation['code']>([
  'crd/schema',
  'crd/cel-rule',
  'crd/selectable-field',
  'crd/scale',
  'crd/scale-path',
  'crd/printer-column-path',
  'crd/printer-column-type',
]);

/**
 * Checks the CustomResourceDefinition of a kind by the rules of the API server. Each violation gets its place in the sources. Violations
 * that the author allows are left out.
 */
export function checkKind(kind: CustomKind<DeclaredVersion>): PlacedViolations {
  const concerns = ({ path, code }: Violation): boolean => {
    // Another check reports several declarations of one version.
    if (code === 'crd/duplicate-version') return false;
    const version = versionAt(kind, path);
    if (version === undefined) return true;
    return (version.hasSchema || !ofSchema.has(code)) && !version.allows.allows(code);
  };
  return placed(checkCrd(crdDocument(kind)).filter(concerns), (path) => placeOfField(kind, path));
}

function versionAt(
  kind: CustomKind<DeclaredVersion>,
  [, part, index]: FieldPath,
): DeclaredVersion | undefined {
  return part === 'versions' && typeof index === 'number' ? kind.versions[index] : undefined;
}

/** Returns the place in the sources that a field of the CustomResourceDefinition comes from, or the nearest such place. */
export function placeOfField(kind: CustomKind<DeclaredVersion>, keys: SchemaPath): SourcePlace {
  const { storage, conversion, labels, annotations } = kind;
  const [root, part, index, ...rest] = keys;
  if (root === 'metadata') {
    const said = part === 'labels' ? labels : part === 'annotations' ? annotations : undefined;
    return (said && placeOfPart(said, [index ?? ''])) ?? storage.group.place;
  }
  if (part === 'versions' && typeof index === 'number')
    return placeInVersion(kind.versions[index] ?? storage, rest);
  if (part === 'conversion') return (conversion && placeOfPart(conversion, keys.slice(2))) ?? storage.place;
  if (part === 'group') return storage.group.place;
  if (part === 'scope') return storage.scope.place;
  if (part === 'names') return placeOfName(storage, index, rest[0]);
  // The API server moves settings that all versions share to the top level, so look up the field in the storage version.
  return placeInVersion(storage, keys.slice(1));
}

/** Returns the place of the part at the given path, or of the nearest part that contains it. */
function placeOfPart({ parts, place }: PlacedParts<unknown>, keys: SchemaPath): SourcePlace {
  for (let length = keys.length; length > 0; length--) {
    const own = parts.get(keys.slice(0, length).join('.'));
    if (own !== undefined) return own;
  }
  return place;
}

function placeOfName(
  version: DeclaredVersion,
  name: string | number | undefined,
  index: string | number | undefined,
): SourcePlace {
  if (name === 'kind' || name === 'listKind' || name === 'plural' || name === 'singular')
    return version[name].place;
  const list = name === 'shortNames' ? version.shortNames : version.categories;
  return (list[Number(index ?? 0)] ?? list[0])?.place ?? version.place;
}

/** @param keys path of the field inside of the version */
function placeInVersion(version: DeclaredVersion, keys: SchemaPath): SourcePlace {
  const schema = keys.indexOf('openAPIV3Schema');
  if (schema !== -1) return placeInSchema(version, keys.slice(schema + 1));
  const [part, index, field] = keys;
  if (part === 'name') return version.version.place;
  if (part === 'deprecationWarning') return version.deprecatedAt ?? version.place;
  if (part === 'additionalPrinterColumns') {
    const column = version.columns[Number(index)];
    const own = field === 'jsonPath' ? column?.jsonPath.place : column?.parts?.get(String(field));
    return own ?? column?.place ?? version.place;
  }
  if (part === 'selectableFields')
    return (
      version.selectableFields?.value[Number(index)]?.place ??
      version.selectableFields?.place ??
      version.place
    );
  return part === 'subresources' ? placeOfScale(version, field) : version.place;
}

function placeOfScale({ scale, place }: DeclaredVersion, field: string | number | undefined): SourcePlace {
  const { spec, status, selector } = scale ?? {};
  const own = field === 'statusReplicasPath' ? status : field === 'labelSelectorPath' ? selector : spec;
  return (own ?? spec ?? status ?? selector)?.place ?? place;
}

function placeInSchema(version: DeclaredVersion, keys: SchemaPath): SourcePlace {
  const [keyword, index] = keys;
  // Validation rules from tags come first in the schema; those of `defineResource` follow.
  const tagged = (version.schema['x-kubernetes-validations'] ?? []).length - version.cel.length;
  const own = keyword === 'x-kubernetes-validations' ? version.cel[Number(index) - tagged] : undefined;
  return own?.place ?? version.placeOf?.(keys) ?? version.place;
}
