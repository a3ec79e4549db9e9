import { defaultPlural } from '../../api/plural.ts';
import type { JsonValue } from '../json-schema-props.ts';
import { isRecord } from '../tags/values.ts';
import type { CrdDocument, CrdVersion } from './crd.ts';
import { ownMetadata } from './normalize-crd.ts';
import type { PlannedRoot } from './plan-root.ts';
import { tsKey, tsString } from './print-types.ts';

/** A list or an object on one line is not longer. */
const WIDEST = 100;

/** What `defineResource` is given for one version of a CRD. */
export function resourceDefinition(
  crd: CrdDocument,
  version: CrdVersion,
  root: PlannedRoot,
): { readonly [name: string]: JsonValue } {
  const { group, scope, names, versions } = crd.spec;
  const { kind, plural, singular, listKind, shortNames = [], categories = [] } = names;
  const several = versions.length > 1;
  return given({
    group,
    version: version.name,
    kind,
    scope,
    plural: plural === defaultPlural(kind) ? undefined : plural,
    singular: singular === kind.toLowerCase() ? undefined : singular,
    listKind: listKind === `${kind}List` ? undefined : listKind,
    shortNames: listed(shortNames),
    categories: listed(categories),
    served: version.served ? undefined : false,
    storage: several && version.storage ? true : undefined,
    deprecated: deprecation(version),
    ...subresources(version, root),
    printerColumns: listed(version.additionalPrinterColumns ?? []),
    selectableFields: listed((version.selectableFields ?? []).map(({ jsonPath }) => jsonPath)),
    standardFields: Object.keys(root.standardFields).length === 0 ? undefined : root.standardFields,
    // What belongs to the kind is said once, where its objects are stored.
    ...(version.storage ? ofTheKind(crd) : {}),
  });
}

function ofTheKind({ metadata, spec }: CrdDocument): Record<string, JsonValue | undefined> {
  const order = spec.versions.map(({ name }) => name);
  const isSorted = order.every((name, index) => index === 0 || (order[index - 1] ?? '') < name);
  const { conversion } = spec;
  const { strategy, webhook } = conversion ?? {};
  return {
    versionOrder: isSorted ? undefined : order,
    conversion: strategy === undefined ? undefined : ({ strategy, ...webhook }),
    labels: ownMetadata(metadata.labels),
    annotations: ownMetadata(metadata.annotations),
  };
}

function deprecation({ deprecated, deprecationWarning }: CrdVersion): JsonValue | undefined {
  return deprecated === true ? (deprecationWarning ?? true) : undefined;
}

function subresources(
  { subresources: said }: CrdVersion,
  root: PlannedRoot,
): Record<string, JsonValue | undefined> {
  const hasField = root.fields.some(({ name }) => name === 'status');
  const hasStatus = said?.status !== undefined;
  const { scale } = said ?? {};
  const isEmpty = said !== undefined && !hasStatus && scale === undefined;
  return {
    status: hasStatus === hasField ? undefined : hasStatus,
    subresources: isEmpty ? {} : undefined,
    scale:
      scale === undefined
        ? undefined
        : given({
            spec: scale.specReplicasPath,
            status: scale.statusReplicasPath,
            selector: scale.labelSelectorPath,
          }),
  };
}

function listed(items: readonly unknown[]): JsonValue | undefined {
  return items.length === 0 ? undefined : (items as JsonValue);
}

function given(values: Readonly<Record<string, JsonValue | undefined>>): {
  readonly [name: string]: JsonValue;
} {
  return Object.fromEntries(
    Object.entries(values).filter((entry): entry is [string, JsonValue] => entry[1] !== undefined),
  );
}

/** A JSON value as a TypeScript expression in prettier's manner. */
export function printValue(value: JsonValue, indent = ''): string {
  if (typeof value === 'string') return tsString(value);
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
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
