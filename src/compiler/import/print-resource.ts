import { defaultPlural } from '../../base/util/kubernetes-words.ts';
import { isObject } from '../../kubernetes/objects/index.ts';
import {
  type JsonValue,
  ownMetadata,
  type CrdDocument,
  type CrdVersion,
  type JSONSchemaProps,
} from '../../kubernetes/crd/index.ts';
import type { PlannedRoot } from './plan-root.ts';
import { tsKey, tsString } from './print-types.ts';

/** Maximum width of a list or an object on one line, in characters. */
const WIDEST = 100;

/** Returns the argument of `defineResource` for one version of a CRD. */
export function resourceDefinition(crd: CrdDocument, version: CrdVersion, root: PlannedRoot): Printed {
  const { group, scope, names, versions } = crd.spec;
  const { kind, plural, singular, listKind, shortNames, categories } = names;
  const several = versions.length > 1;
  const path = pathPrinter(version);
  return definedOnly({
    group,
    version: version.name,
    kind,
    scope,
    plural: plural === defaultPlural(kind) ? undefined : plural,
    singular: isDefault(singular, kind.toLowerCase()) ? undefined : singular,
    listKind: isDefault(listKind, `${kind}List`) ? undefined : listKind,
    shortNames,
    categories,
    served: version.served ? undefined : false,
    storage: several && version.storage ? true : undefined,
    deprecated: deprecation(version),
    ...subresources(version, root),
    printerColumns: version.additionalPrinterColumns?.map(({ name, type, jsonPath, ...column }) => ({
      name,
      type,
      jsonPath: path(jsonPath),
      ...column,
    })),
    selectableFields: version.selectableFields?.map(({ jsonPath }) => path(jsonPath)),
    // Write settings that concern all versions of the kind only once, in the storage version.
    ...(version.storage ? ofTheKind(crd) : {}),
    crd: definitionForm(crd, version, root),
  });
}

/**
 * Returns the `crd` property of the definition. It contains facts about the form of the CRD that other properties cannot express. Undefined
 * if all of these facts have their default.
 */
function definitionForm(crd: CrdDocument, version: CrdVersion, root: PlannedRoot): Printed | undefined {
  const { subresources: said } = version;
  const hasNone = said !== undefined && said.status === undefined && said.scale === undefined;
  const order = crd.spec.versions.map(({ name }) => name);
  const isSorted = order.every((name, index) => index === 0 || (order[index - 1] ?? '') < name);
  const form = definedOnly({
    subresources: hasNone ? {} : undefined,
    standardFields: isEmpty(root.standardFields) ? undefined : root.standardFields,
    versionOrder: isSorted || !version.storage ? undefined : order,
  });
  return isEmpty(form) ? undefined : form;
}

function isEmpty(value: JsonValue): boolean {
  return typeof value === 'object' && value !== null && Object.keys(value).length === 0;
}

function isDefault(name: string | undefined, fallback: string): boolean {
  return name === undefined || name === '' || name === fallback;
}

function ofTheKind({ metadata, spec }: CrdDocument): Record<string, Printed | undefined> {
  const { conversion, versions } = spec;
  const { strategy, webhook } = conversion ?? {};
  // The strategy None is the default. A kind of several versions says it, since the versions may differ; one of a single version would only
  // be in the way of a conversion to the next one.
  const isSaid = strategy !== undefined && (strategy !== 'None' || versions.length > 1);
  return {
    conversion: isSaid ? { strategy, ...webhook } : undefined,
    labels: ownMetadata(metadata.labels),
    annotations: ownMetadata(metadata.annotations),
  };
}

function deprecation({ deprecated, deprecationWarning }: CrdVersion): JsonValue | undefined {
  return deprecated === true ? (deprecationWarning ?? true) : undefined;
}

function subresources(version: CrdVersion, root: PlannedRoot): Record<string, Printed | undefined> {
  const { subresources: said } = version;
  const path = pathPrinter(version);
  const hasField = root.fields.some(({ name }) => name === 'status');
  const hasStatus = said?.status !== undefined;
  const { scale } = said ?? {};
  return {
    status: hasStatus === hasField ? undefined : hasStatus,
    scale:
      scale === undefined
        ? undefined
        : definedOnly({
            spec: path(scale.specReplicasPath),
            status: path(scale.statusReplicasPath),
            selector: scale.labelSelectorPath === undefined ? undefined : path(scale.labelSelectorPath),
          }),
  };
}

/**
 * Returns a function that prints a path. If the types contain the path, it is printed as a typed string. If not, it is printed untyped,
 * because the compiler would reject it.
 */
function pathPrinter(version: CrdVersion): (path: string) => Printed {
  const root = version.schema.openAPIV3Schema;
  return (path) => (isTypedPath(root, path) ? path : { [untyped]: path });
}

function definedOnly(values: Readonly<Record<string, Printed | undefined>>): {
  readonly [name: string]: JsonValue;
} {
  return Object.fromEntries(
    Object.entries(values).filter((entry): entry is [string, JsonValue] => entry[1] !== undefined),
  );
}

const untyped = Symbol('untyped');

/** Value that can be printed: JSON that may contain strings that the compiler must not check. */
type Printed =
  JsonValue | { readonly [untyped]: string } | readonly Printed[] | { readonly [name: string]: Printed };

/** Formats a value as a TypeScript expression in prettier's style. */
export function printValue(value: Printed, indent = ''): string {
  if (typeof value === 'string') return tsString(value);
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  if (untyped in value) return `${tsString(value[untyped])} as never`;
  const inner = `${indent}  `;
  const isList = Array.isArray(value);
  const parts = isList
    ? (value as readonly JsonValue[]).map((item) => printValue(item, inner))
    : Object.entries(value).map(([name, item]) => `${tsKey(name)}: ${printValue(item, inner)}`);
  const [open, close] = isList ? ['[', ']'] : ['{', '}'];
  if (parts.length === 0) return `${open}${close}`;
  const line = isList ? `[${parts.join(', ')}]` : `{ ${parts.join(', ')} }`;
  const nested = isList && (value as readonly JsonValue[]).some((item) => isObject(item));
  const fits = indent !== '' && !nested && !line.includes('\n') && indent.length + line.length <= WIDEST;
  if (fits) return line;
  return `${open}\n${parts.map((part) => `${inner}${part},\n`).join('')}${indent}${close}`;
}

/** Maximum depth of the paths that `JsonPath` and related types check; see `sdk/api`. */
const LEVELS = 6;

/** Names of the fields of `ObjectMeta`. `JsonPath` accepts any path below them. */
const metadataFields: ReadonlySet<string> = new Set(
  'name generateName namespace selfLink uid resourceVersion generation creationTimestamp deletionTimestamp deletionGracePeriodSeconds labels annotations finalizers ownerReferences managedFields'.split(
    ' ',
  ),
);

/**
 * Returns true if the types generated from a schema contain a path, so that the compiler accepts the path in `defineResource`. CRDs in
 * practice also have paths to fields that do not exist.
 */
function isTypedPath(root: JSONSchemaProps, path: string): boolean {
  // `JsonPath` does not check paths with brackets.
  if (path.includes('[')) return path.startsWith('.');
  const [start, ...names] = path.split('.');
  if (start !== '' || names.length === 0 || names.includes('')) return false;
  if (names[0] === 'metadata')
    return names.length === 1 || (names.length <= LEVELS && metadataFields.has(names[1] ?? ''));
  if (names[0] === 'apiVersion' || names[0] === 'kind') return names.length === 1;
  // The root is printed as an interface, even if it keeps unknown fields.
  return names.length <= LEVELS && Object.hasOwn(root.properties ?? {}, names[0] ?? '') && leads(root, names);
}

function leads(schema: JSONSchemaProps, [name, ...rest]: readonly string[]): boolean {
  if (name === undefined) return true;
  const { properties = {}, additionalProperties } = schema;
  if (Object.keys(properties).length > 0) {
    const field = Object.hasOwn(properties, name) ? properties[name] : undefined;
    return field !== undefined && leads(field, rest);
  }
  // Values of a record have a type to check. Unknown objects accept any path.
  if (typeof additionalProperties === 'object') return leads(additionalProperties, rest);
  return schema.type === 'object' || schema.type === undefined;
}
