import { defaultPlural } from '../../base/util/plural.ts';
import { isRecord, type JsonValue } from '../../kubernetes/crd/json-schema-props.ts';
import { ownMetadata, type CrdDocument, type CrdVersion } from '../../kubernetes/crd/index.ts';
import type { PlannedRoot } from './plan-root.ts';
import { tsKey, tsString } from './print-types.ts';
import { isTypedPath } from './typed-path.ts';

/** A list or an object on one line is not longer. */
const WIDEST = 100;

/** Argument of `defineResource` for one version of a CRD. */
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
    // What belongs to the kind is said once, where its objects are stored.
    ...(version.storage ? ofTheKind(crd) : {}),
    crd: definitionForm(crd, version, root),
  });
}

/** Facts that only the form of the CRD has. */
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
  const { conversion } = spec;
  const { strategy, webhook } = conversion ?? {};
  return {
    conversion: strategy === undefined ? undefined : { strategy, ...webhook },
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

/** A path as it is where the types know it; one that leads nowhere would else be an error of the compiler. */
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

/** Printable value: JSON, and texts that the compiler is not to look at. */
export type Printed =
  JsonValue | { readonly [untyped]: string } | readonly Printed[] | { readonly [name: string]: Printed };

/** A JSON value as a TypeScript expression in prettier's manner. */
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
  const nested = isList && (value as readonly JsonValue[]).some((item) => isRecord(item));
  const fits = indent !== '' && !nested && !line.includes('\n') && indent.length + line.length <= WIDEST;
  if (fits) return line;
  return `${open}\n${parts.map((part) => `${inner}${part},\n`).join('')}${indent}${close}`;
}
