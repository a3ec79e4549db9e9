import type { FindingList } from '../../../base/errors/index.ts';
import { defaultPlural } from '../../../project/project/index.ts';
import {
  wrappedStandardFields,
  type Evaluated,
  type SourcePlace,
  type ValidationRule,
} from '../../schema/index.ts';
import { opaqueParts, partsWithPlaces, placeAt } from '../../source/index.ts';
import {
  type Located,
  either,
  bool,
  list,
  located,
  named,
  number,
  object,
  oneOf,
  record,
  string,
  type ReadFields,
} from '../../../base/util/json-reader.ts';
import type { JsonPath, JsonProblem, JsonReader } from '../../../base/util/read-json.ts';
import { invalidDeclaration, readDeclaration, type Placed, type ManifestDocument } from '../declaration.ts';
import type { ResourceDefinition } from '../../../sdk/api/index.ts';
import type { ColumnDeclaration, KindVersion, PlacedParts, ScalePaths } from './kind-version.ts';

/**
 * Reads the argument of one `defineResource` call.
 * @param definition the evaluated argument
 * @param call the place of the call
 * @returns undefined if a part that all other parts depend on is missing; `findings` then names this part
 */
export function readDefinition(
  findings: FindingList,
  definition: Evaluated | undefined,
  call: SourcePlace,
): KindVersion | undefined {
  if (definition === undefined) {
    const fix = 'write { group, version, kind } with their values';
    findings.add(invalidDeclaration('defineResource: expected an object', call, fix));
    return undefined;
  }
  findings.add(...opaqueParts(definition).map(({ finding }) => finding));
  const { value: read, problems } = readDeclaration(findings, definitionReader, definition, 'defineResource');
  return read && kindVersion(new Source(definition, problems), read, call);
}

/** Gives access to the parts of a `defineResource` argument and to their places. */
class Source {
  readonly #definition: Evaluated;
  readonly #problems: readonly JsonProblem[];

  constructor(definition: Evaluated, problems: readonly JsonProblem[]) {
    this.#definition = definition;
    this.#problems = problems;
  }

  at(...path: JsonPath): SourcePlace {
    return placeAt(this.#definition, path);
  }

  /** Returns the place of the name of a property. */
  keyOf(...path: JsonPath): SourcePlace {
    return placeAt(this.#definition, path, true);
  }

  placed<T>({ value, path }: Located<T>): Placed<T> {
    return { value, place: this.at(...path) };
  }

  /** Returns the value of an own property; undefined if it does not exist. */
  part(name: string): Evaluated | undefined {
    return this.#definition.type === 'object' ? this.#definition.properties.get(name)?.value : undefined;
  }

  /** True if a property could be read completely, or is omitted. */
  isWhole(name: string): boolean {
    const value = this.part(name);
    const isKnown = value === undefined || opaqueParts(value).length === 0;
    return isKnown && !this.#problems.some(({ path }) => path[0] === name);
  }

  /** Returns the names of the lists declared as `[]`, which have another meaning than omitted lists. */
  emptyLists(): ReadonlySet<string> {
    if (this.#definition.type !== 'object') return new Set();
    const lists = [...this.#definition.properties].filter(
      ([, { value }]) => value.type === 'array' && value.items.length === 0,
    );
    return new Set(lists.map(([name]) => name));
  }
}

function kindVersion(source: Source, read: Definition, call: SourcePlace): KindVersion | undefined {
  const { group, version, kind, plural, singular, listKind, storage, status, deprecated, crd = {} } = read;
  if (group === undefined || version === undefined || kind === undefined) return undefined;
  const nameOr = (given: Located<string> | undefined, value: string): Placed<string> =>
    given === undefined ? { value, place: source.at(...kind.path) } : source.placed(given);
  const texts = (items: readonly Located<string>[] = []): readonly Placed<string>[] =>
    items.map((item) => source.placed(item));
  const listAt = (items: readonly Located<string>[] | undefined, ...path: JsonPath) =>
    items && { value: texts(items), place: source.keyOf(...path) };
  const { standardFields = {} } = crd;
  return {
    group: source.placed(group),
    version: source.placed(version),
    kind: source.placed(kind),
    scope:
      read.scope === undefined
        ? { value: 'Namespaced', place: source.part('scope')?.place ?? call }
        : source.placed(read.scope),
    plural: nameOr(plural, defaultPlural(kind.value)),
    singular: nameOr(singular, kind.value.toLowerCase()),
    listKind: nameOr(listKind, `${kind.value}List`),
    shortNames: texts(read.shortNames),
    categories: texts(read.categories),
    emptyLists: source.emptyLists(),
    columns: (read.printerColumns ?? []).flatMap((column) => columnOf(source, column) ?? []),
    served: read.served ?? true,
    storage: storage && source.placed(storage),
    deprecated: deprecated?.value ?? false,
    deprecatedAt: source.part('deprecated')?.place,
    status: status && source.placed(status),
    emptySubresources: crd.subresources !== undefined,
    scale: scaleOf(source, read.scale),
    selectableFields: listAt(read.selectableFields, 'selectableFields'),
    conversion: conversionOf(source, read.conversion),
    labels: metadataOf(source, 'labels', read.labels),
    annotations: metadataOf(source, 'annotations', read.annotations),
    versionOrder: listAt(crd.versionOrder, 'crd', 'versionOrder'),
    standardFields: standardFields === 'wrapped' ? wrappedStandardFields : standardFields,
    cel: (read.cel ?? []).flatMap(({ value, path }) =>
      value.rule === undefined
        ? []
        : [{ value: { ...value, rule: value.rule } satisfies ValidationRule, place: source.at(...path) }],
    ),
    place: call,
  };
}

type Item<T> = T extends readonly (infer I)[] ? I : never;
type Column = Item<NonNullable<Definition['printerColumns']>>;

function columnOf(source: Source, { value, path }: Column): ColumnDeclaration | undefined {
  const { name, type, jsonPath, ...rest } = value;
  if (name === undefined || type === undefined || jsonPath === undefined) return undefined;
  const names = ['name', 'type', 'jsonPath', ...Object.keys(rest)];
  const parts = new Map(names.map((part) => [part, source.at(...path, part)]));
  return { name, type, jsonPath: source.placed(jsonPath), ...rest, parts, place: source.at(...path) };
}

function scaleOf(source: Source, scale: Definition['scale']): ScalePaths | undefined {
  if (scale?.spec === undefined || scale.status === undefined) return undefined;
  return {
    spec: source.placed(scale.spec),
    status: source.placed(scale.status),
    ...(scale.selector === undefined ? {} : { selector: source.placed(scale.selector) }),
  };
}

/**
 * Reads `spec.conversion` of the CRD without checking its content; the rules of the API server check it later. Returns undefined if a part
 * of it could not be read.
 */
function conversionOf(
  source: Source,
  conversion: Definition['conversion'],
): PlacedParts<ManifestDocument> | undefined {
  const evaluated = source.part('conversion');
  if (conversion?.strategy === undefined || evaluated === undefined || !source.isWhole('conversion'))
    return undefined;
  const { strategy, ...webhook } = conversion;
  const inWebhook = (path: JsonPath): JsonPath =>
    path.length === 0 || path[0] === 'strategy' ? path : ['webhook', ...path];
  return {
    value: { strategy, ...(Object.keys(webhook).length > 0 ? { webhook } : {}) },
    place: source.keyOf('conversion'),
    parts: new Map(partsWithPlaces(evaluated).map(({ path, place }) => [inWebhook(path).join('.'), place])),
  };
}

function metadataOf(
  source: Source,
  name: 'labels' | 'annotations',
  value: Readonly<Record<string, string>> | undefined,
): PlacedParts<Readonly<Record<string, string>>> | undefined {
  if (value === undefined) return undefined;
  const parts = new Map(Object.keys(value).map((key) => [key, source.keyOf(name, key)]));
  return { value, place: source.keyOf(name), parts };
}

/** Reads a text that goes into the CRD, and its place. */
const placed = located(string);

const column = located(
  named(
    'a printer column',
    object(
      { name: string, type: string, jsonPath: placed, description: string, format: string, priority: number },
      { required: { name: add('name'), type: add('type'), jsonPath: add('jsonPath') } },
    ),
  ),
);

const scale = object(
  { spec: placed, status: placed, selector: placed },
  { required: { spec: "add `spec: '.spec.replicas'`", status: "add `status: '.status.replicas'`" } },
);

const service = named(
  '`service` of `clientConfig`',
  object({ namespace: string, name: string, path: string, port: number }),
);

const conversion = object(
  {
    strategy: string,
    clientConfig: object({ service, url: string, caBundle: string }),
    conversionReviewVersions: list(string),
  },
  { required: { strategy: "write `strategy: 'None'` or `strategy: 'Webhook'`" } },
);

const rule = located(
  named(
    'a rule of `cel`',
    object(
      {
        rule: string,
        message: string,
        messageExpression: string,
        reason: string,
        fieldPath: string,
        optionalOldSelf: bool,
      },
      { required: { rule: "add `rule: 'self.…'`" } },
    ),
  ),
);

const standardField = orFalse(object({ description: string, required: bool }));

const crd = object({
  subresources: object(
    {},
    { hints: { status: 'set `status` of defineResource', scale: 'set `scale` of defineResource' } },
  ),
  standardFields: orWrapped(
    object({
      apiVersion: standardField,
      kind: standardField,
      // A description is not accepted, because the API server does not allow a description of `metadata`.
      metadata: orFalse(object({ required: bool })),
    }),
  ),
  versionOrder: list(placed),
});

/** Hint for settings that belong into `crd` but are written outside of it. */
const inForm = 'set it in `crd: { … }`';

/** Reader for each property of the `defineResource` argument. */
const fields = {
  group: placed,
  version: placed,
  kind: placed,
  scope: located(oneOf('Namespaced', 'Cluster')),
  plural: placed,
  singular: placed,
  listKind: placed,
  shortNames: list(placed),
  categories: list(placed),
  printerColumns: list(column),
  served: bool,
  storage: located(bool),
  deprecated: located(
    either(
      'true, false or the text of the warning',
      'write true, or a text that says what to use instead',
      bool,
      string,
    ),
  ),
  status: located(bool),
  scale,
  selectableFields: list(placed),
  conversion,
  labels: record(string),
  annotations: record(string),
  cel: list(rule),
  crd,
} satisfies Record<keyof ResourceDefinition<never>, JsonReader<unknown>>;

/** Argument of `defineResource`, with the parts that could be read. */
type Definition = ReadFields<typeof fields>;

const definitionReader: JsonReader<Definition> = object(fields, {
  required: { group: add('group'), version: add('version'), kind: add('kind') },
  hints: { subresources: inForm, standardFields: inForm, versionOrder: inForm },
});

function add(name: string): string {
  return `add \`${name}: '…'\``;
}

/** Returns a reader that also accepts `false`, which omits the field from the schema. */
function orFalse<T>(reader: JsonReader<T>): JsonReader<T | false> {
  return (value, place) => (value === false ? false : reader(value, place));
}

function orWrapped<T>(reader: JsonReader<T>): JsonReader<T | 'wrapped'> {
  return (value, place) => (value === 'wrapped' ? value : reader(value, place));
}
