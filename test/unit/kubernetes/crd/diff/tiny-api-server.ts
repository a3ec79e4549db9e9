// What the API server does with a custom resource, as far as schemas go: written for tests, apart from the code under test.
// test/control-plane/compiler/schema/crd-diff.slow.test.ts shows that the real one agrees.
/** The keywords that random schemas have. */
export interface TestSchema {
  readonly type?: string;
  readonly nullable?: boolean;
  readonly enum?: readonly unknown[];
  readonly default?: unknown;
  readonly format?: string;
  readonly pattern?: string;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly minProperties?: number;
  readonly maxProperties?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly exclusiveMinimum?: boolean;
  readonly exclusiveMaximum?: boolean;
  readonly multipleOf?: number;
  readonly required?: readonly string[];
  readonly properties?: Readonly<Record<string, TestSchema>>;
  readonly additionalProperties?: TestSchema | boolean;
  readonly items?: TestSchema;
  readonly allOf?: readonly TestSchema[];
  readonly anyOf?: readonly TestSchema[];
  readonly oneOf?: readonly TestSchema[];
  readonly not?: TestSchema;
  readonly 'x-kubernetes-list-type'?: string;
  readonly 'x-kubernetes-list-map-keys'?: readonly string[];
  readonly 'x-kubernetes-int-or-string'?: boolean;
  readonly 'x-kubernetes-preserve-unknown-fields'?: boolean;
}

/** The object as it is stored, or undefined if it is refused. */
export function store(schema: TestSchema, value: unknown): unknown {
  const pruned = prune(schema, structuredClone(value));
  const complete = fill(schema, dropNulls(schema, pruned));
  return isValid(schema, complete) ? complete : undefined;
}

/** The object as it is read with another schema. */
export function read(schema: TestSchema, stored: unknown): unknown {
  return fill(schema, dropNulls(schema, prune(schema, structuredClone(stored))));
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function child(schema: TestSchema, name: string): TestSchema | undefined {
  const { properties = {}, additionalProperties: others } = schema;
  if (Object.hasOwn(properties, name)) return properties[name];
  return typeof others === 'object' ? others : undefined;
}

/** The value without what the schema does not declare or keep: what the conversion None does for another version. */
export function prune(schema: TestSchema | undefined, value: unknown): unknown {
  if (Array.isArray(value)) return value.map((item) => prune(schema?.items, item));
  if (!isObject(value)) return value;
  const keeps =
    schema?.['x-kubernetes-preserve-unknown-fields'] === true || schema?.additionalProperties === true;
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, item]) => {
      const known = schema === undefined ? undefined : child(schema, name);
      if (known !== undefined) return [[name, prune(known, item)]];
      return keeps ? [[name, item]] : [];
    }),
  );
}

/** Null in a field that is neither nullable nor has a default is as good as no field. */
function dropNulls(schema: TestSchema, value: unknown): unknown {
  if (Array.isArray(value)) return value.map((item) => dropNulls(schema.items ?? {}, item));
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, item]) => {
      const known = schema.properties?.[name];
      if (item === null && known !== undefined && known.nullable !== true && known.default === undefined)
        return [];
      return [[name, dropNulls(child(schema, name) ?? {}, item)]];
    }),
  );
}

function fill(schema: TestSchema, value: unknown): unknown {
  if (Array.isArray(value)) return value.map((item) => fill(schema.items ?? {}, item));
  if (!isObject(value)) return value;
  const result: Record<string, unknown> = { ...value };
  for (const [name, field] of Object.entries(schema.properties ?? {})) {
    const isMissing = !Object.hasOwn(result, name) || (result[name] === null && field.nullable !== true);
    if (isMissing && field.default !== undefined) result[name] = structuredClone(field.default);
  }
  for (const [name, item] of Object.entries(result)) result[name] = fill(child(schema, name) ?? {}, item);
  return result;
}

const isType: Readonly<Record<string, (value: unknown) => boolean>> = {
  object: isObject,
  array: Array.isArray,
  string: (value) => typeof value === 'string',
  boolean: (value) => typeof value === 'boolean',
  number: (value) => typeof value === 'number',
  integer: (value) => Number.isInteger(value),
};

const equal = (a: unknown, b: unknown): boolean => canonical(a) === canonical(b);

function canonical(value: unknown): string {
  return JSON.stringify(value, (_key, item: unknown) =>
    isObject(item) ? Object.fromEntries(Object.entries(item).sort(([a], [b]) => (a < b ? -1 : 1))) : item,
  );
}

export function isValid(schema: TestSchema, value: unknown): boolean {
  if (value === null) return schema.nullable === true || schema.type === undefined;
  if (schema.type !== undefined && isType[schema.type]?.(value) !== true) return false;
  if (schema['x-kubernetes-int-or-string'] === true && !Number.isInteger(value) && typeof value !== 'string')
    return false;
  // An empty one demands nothing.
  const { enum: allowed = [] } = schema;
  if (allowed.length > 0 && !allowed.some((item) => equal(item, value))) return false;
  const junctors: readonly boolean[] = [
    (schema.allOf ?? []).every((part) => isValid(part, value)),
    schema.anyOf === undefined || schema.anyOf.some((part) => isValid(part, value)),
    schema.oneOf === undefined || schema.oneOf.filter((part) => isValid(part, value)).length === 1,
    schema.not === undefined || !isValid(schema.not, value),
  ];
  if (junctors.includes(false)) return false;
  if (typeof value === 'number') return isValidNumber(schema, value);
  if (typeof value === 'string')
    return (
      isSized(schema, 'Length', value.length) &&
      (schema.pattern === undefined || new RegExp(schema.pattern).test(value))
    );
  if (Array.isArray(value)) return isValidList(schema, value);
  if (!isObject(value)) return true;
  if (!isSized(schema, 'Properties', Object.keys(value).length)) return false;
  if ((schema.required ?? []).some((name) => !Object.hasOwn(value, name))) return false;
  return Object.entries(value).every(([name, item]) => isValid(child(schema, name) ?? {}, item));
}

function isValidNumber(schema: TestSchema, value: number): boolean {
  const { minimum = -Infinity, maximum = Infinity, multipleOf } = schema;
  if (value < minimum || (schema.exclusiveMinimum === true && value === minimum)) return false;
  if (value > maximum || (schema.exclusiveMaximum === true && value === maximum)) return false;
  if (schema.format === 'int32' && schema.type === 'integer' && (value > 2 ** 31 - 1 || value < -(2 ** 31)))
    return false;
  return multipleOf === undefined || Number.isInteger(value / multipleOf);
}

function isValidList(schema: TestSchema, value: readonly unknown[]): boolean {
  if (!isSized(schema, 'Items', value.length)) return false;
  const type = schema['x-kubernetes-list-type'];
  const keys: readonly string[] = schema['x-kubernetes-list-map-keys'] ?? [];
  const identity = (item: unknown): unknown =>
    type === 'map' && isObject(item) ? keys.map((key) => item[key] ?? null) : item;
  const isSet = type === 'set' || type === 'map';
  if (isSet && new Set(value.map((item) => canonical(identity(item)))).size < value.length) return false;
  return value.every((item) => isValid(schema.items ?? {}, item));
}

function isSized(schema: TestSchema, what: 'Length' | 'Items' | 'Properties', size: number): boolean {
  return size >= (schema[`min${what}`] ?? 0) && size <= (schema[`max${what}`] ?? Infinity);
}
