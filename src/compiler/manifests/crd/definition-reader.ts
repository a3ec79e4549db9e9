import type { ResourceDefinition } from '../../../sdk/api/index.ts';
import {
  either,
  flag,
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
import type { JsonReader } from '../../../base/util/read-json.ts';

/** Text of the CRD with its place. */
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
        optionalOldSelf: flag,
      },
      { required: { rule: "add `rule: 'self.…'`" } },
    ),
  ),
);

const standardField = orFalse(object({ description: string, required: flag }));

const crd = object({
  subresources: object(
    {},
    { hints: { status: 'set `status` of defineResource', scale: 'set `scale` of defineResource' } },
  ),
  standardFields: orWrapped(
    object({
      apiVersion: standardField,
      kind: standardField,
      // The API server allows metadata no description.
      metadata: orFalse(object({ required: flag })),
    }),
  ),
  versionOrder: list(placed),
});

/** For those who look for what is about the form of the definition beside what it says. */
const inForm = 'set it in `crd: { … }`';

/** A reader for each property of the argument of defineResource. */
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
  served: flag,
  storage: located(flag),
  deprecated: located(
    either(
      'true, false or the text of the warning',
      'write true, or a text that says what to use instead',
      flag,
      string,
    ),
  ),
  status: located(flag),
  scale,
  selectableFields: list(placed),
  conversion,
  labels: record(string),
  annotations: record(string),
  cel: list(rule),
  crd,
} satisfies Record<keyof ResourceDefinition<never>, JsonReader<unknown>>;

/** Argument of `defineResource`, as far as it could be read. */
export type Definition = ReadFields<typeof fields>;

export const definitionReader: JsonReader<Definition> = object(fields, {
  required: { group: add('group'), version: add('version'), kind: add('kind') },
  hints: { subresources: inForm, standardFields: inForm, versionOrder: inForm },
});

function add(name: string): string {
  return `add \`${name}: '…'\``;
}

/** The field may be left out of the schema: `false`. */
function orFalse<T>(reader: JsonReader<T>): JsonReader<T | false> {
  return (value, place) => (value === false ? false : reader(value, place));
}

function orWrapped<T>(reader: JsonReader<T>): JsonReader<T | 'wrapped'> {
  return (value, place) => (value === 'wrapped' ? value : reader(value, place));
}
