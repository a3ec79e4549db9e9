import { fitsFormat, fieldSchema, isObject, isOpen, valueSchema } from '../../objects/index.ts';
import type { Json, JsonObject, Schema } from '../../objects/index.ts';
import { celName, hasCelName } from '../cel/cel-type.ts';
import { CelDuration, CelTime, parseDuration, parseTime } from './time.ts';

/** Error value of an expression. Its message is that of the API server, such as `no such key: name`. */
export class CelFault extends Error {}

export const noOverload = (): CelFault => new CelFault('no such overload');

/** Unsigned integer, which JavaScript has no type for. */
export class CelUint {
  readonly value: bigint;

  constructor(value: bigint) {
    if (value < 0n || value >= 1n << 64n) throw new CelFault('unsigned integer overflow');
    this.value = value;
  }
}

/** List of a field. Lists of literals and of macros are plain arrays, because these have no `x-kubernetes-list-type`. */
export class CelList {
  readonly items: readonly CelValue[];
  readonly type: 'atomic' | 'map' | 'set';
  /** The fields of the key of an item, in a list of type `map`. */
  readonly keys: readonly string[];

  constructor(items: readonly CelValue[], type: string | undefined, keys: readonly string[] = []) {
    this.items = items;
    this.type = type === 'set' || type === 'map' ? type : 'atomic';
    this.keys = keys;
  }
}

/** Object with declared fields. The keys of `fields` are the names that expressions use. */
export class CelObject {
  readonly fields: ReadonlyMap<string, CelValue>;
  readonly raw: JsonObject;
  /** Names of the fields of `raw` that the schema declares. */
  readonly known: ReadonlySet<string>;

  constructor(fields: ReadonlyMap<string, CelValue>, raw: JsonObject, known: ReadonlySet<string>) {
    this.fields = fields;
    this.raw = raw;
    this.known = known;
  }
}

/** Value of a part without a declared type. It can only be compared. */
export class CelUnknown {
  readonly raw: Json;

  constructor(raw: Json) {
    this.raw = raw;
  }
}

/** Result of `.?`, `[?…]` and `optional.of`. */
export class CelOptional {
  readonly value: CelValue | undefined;

  constructor(value?: CelValue) {
    this.value = value;
  }
}

/** A type as a value, such as `int` in `type(self) == int`. */
export class CelTypeName {
  readonly name: string;

  constructor(name: string) {
    this.name = name;
  }
}

/** Value of a type that a library of Kubernetes declares. */
export abstract class LibraryValue {
  /** Name of the type in expressions. */
  abstract readonly type: string;
  abstract equals(other: LibraryValue): boolean;
}

/** A value while a rule is evaluated. Integers are bigints, so that they differ from doubles. */
export type CelValue =
  | null
  | boolean
  | bigint
  | number
  | string
  | Uint8Array
  | readonly CelValue[]
  | ReadonlyMap<CelValue, CelValue>
  | CelDuration
  | CelFault
  | CelList
  | CelObject
  | CelOptional
  | CelTime
  | CelTypeName
  | CelUint
  | CelUnknown
  | LibraryValue;

/** The classes of values, which cel-js has to know by a name. */
export const valueClasses = {
  CelDuration,
  CelFault,
  CelList,
  CelObject,
  CelOptional,
  CelTime,
  CelTypeName,
  CelUint,
  CelUnknown,
};

const text: Schema = { type: 'string' };
const metadata: Schema = { type: 'object', properties: { name: text, generateName: text } };

/** Adds the fields that rules can access in each resource. Source: apiserver `pkg/cel/common/schemas.go` `WithTypeAndObjectMeta`. */
export function withResourceFields(schema: Schema): Schema {
  return { ...schema, properties: { ...schema.properties, kind: text, apiVersion: text, metadata } };
}

/**
 * Converts JSON to the value that a rule sees, by its schema. An invalid part becomes a fault, which counts only if the rule reads it.
 * Source: apiserver `pkg/cel/common/valuesunstructured.go`.
 */
export function celValueOf(json: Json, schema: Schema): CelValue {
  if (json === null)
    return schema.nullable === true
      ? null
      : new CelFault('invalid data, got null for schema with nullable=false');
  if (schema['x-kubernetes-int-or-string'] === true) {
    if (typeof json === 'string') return json;
    return integerOf(json, 'invalid data, expected XIntOrString value to be either a string or integer');
  }
  switch (schema.type) {
    case 'object':
      return isObject(json)
        ? objectValue(json, schema)
        : new CelFault('invalid data, expected a map for the provided schema with type=object');
    case 'array':
      return listValue(json, schema);
    case 'string':
      return typeof json === 'string'
        ? textValue(json, schema.format)
        : new CelFault(`invalid data, expected string, got ${goType(json)}`);
    case 'number':
      return typeof json === 'number'
        ? json
        : new CelFault(`invalid data, expected float, got ${goType(json)}`);
    case 'integer':
      return integerOf(json, `invalid data, expected int, got ${goType(json)}`);
    case 'boolean':
      return typeof json === 'boolean'
        ? json
        : new CelFault(`invalid data, expected bool, got ${goType(json)}`);
    case undefined:
    default:
      return isOpen(schema)
        ? new CelUnknown(json)
        : new CelFault(
            `invalid type, expected object, array, number, integer, boolean or string, or no type with x-kubernetes-int-or-string or x-kubernetes-preserve-unknown-fields is true, got ${schema.type ?? ''}`,
          );
  }
}

function integerOf(json: Json, otherwise: string): CelValue {
  return typeof json === 'number' && Number.isInteger(json) ? BigInt(json) : new CelFault(otherwise);
}

function objectValue(json: JsonObject, schema: Schema): CelValue {
  const isResource = schema['x-kubernetes-embedded-resource'] === true;
  const whole = isResource ? withResourceFields(schema) : schema;
  const values = valueSchema(whole);
  if (whole.properties === undefined && values !== undefined)
    return new Map(Object.entries(json).map(([name, value]) => [name, celValueOf(value, values)]));
  const fields = new Map<string, CelValue>();
  const known = new Set<string>();
  for (const [name, value] of Object.entries(json)) {
    const field = fieldSchema(whole, name);
    if (field === undefined) continue;
    known.add(name);
    // A field of null counts as absent.
    if (value !== null) fields.set(hasCelName(name) ? celName(name) : name, celValueOf(value, field));
  }
  return new CelObject(fields, json, known);
}

function listValue(json: Json, schema: Schema): CelValue {
  if (!Array.isArray(json))
    return new CelFault('invalid data, expected an array for the provided schema with type=array');
  const { items } = schema;
  if (items === undefined) return new CelFault('invalid array type, expected Items with a non-empty Schema');
  return new CelList(
    json.map((item) => celValueOf(item, items)),
    schema['x-kubernetes-list-type'],
    schema['x-kubernetes-list-map-keys'],
  );
}

function textValue(value: string, format: string | undefined): CelValue {
  switch (format) {
    case 'duration': {
      const duration = parseDuration(value, 'schema');
      return duration ?? new CelFault(`Invalid duration ${value}: unable to parse "${value}" as duration`);
    }
    case 'date':
      return fitsFormat('date', value)
        ? (parseTime(`${value}T00:00:00Z`) ?? new CelFault(`Invalid date formatted string ${value}`))
        : new CelFault(`Invalid date formatted string ${value}`);
    case 'date-time':
      return parseTime(value, 'schema') ?? new CelFault(`Invalid date-time formatted string ${value}`);
    case 'byte': {
      // The API server checks the format by the usual alphabet, but decodes by the one for URLs.
      const wrong = value.search(/[^\w=-]/);
      return wrong < 0
        ? new Uint8Array(Buffer.from(value, 'base64url'))
        : new CelFault(`Invalid byte formatted string ${value}: illegal base64 data at input byte ${wrong}`);
    }
    case undefined:
    default:
      return value;
  }
}

function goType(json: Json): string {
  if (Array.isArray(json)) return '[]interface {}';
  if (isObject(json)) return 'map[string]interface {}';
  if (typeof json === 'number') return Number.isInteger(json) ? 'int64' : 'float64';
  return typeof json === 'boolean' ? 'bool' : 'string';
}

export function isList(value: CelValue): value is CelList | readonly CelValue[] {
  return value instanceof CelList || Array.isArray(value);
}

export function celItems(value: CelList | readonly CelValue[]): readonly CelValue[] {
  return value instanceof CelList ? value.items : value;
}

/** Returns the name of a value's type, as `type(…)` gives it. */
export function typeNameOf(value: CelValue): string {
  if (value === null) return 'null_type';
  if (typeof value === 'bigint') return 'int';
  if (typeof value === 'number') return 'double';
  if (typeof value === 'boolean') return 'bool';
  if (typeof value === 'string') return 'string';
  if (value instanceof CelUint) return 'uint';
  if (value instanceof Uint8Array) return 'bytes';
  if (isList(value)) return 'list';
  if (value instanceof Map || value instanceof CelObject) return 'map';
  if (value instanceof CelTime) return 'google.protobuf.Timestamp';
  if (value instanceof CelDuration) return 'google.protobuf.Duration';
  if (value instanceof CelOptional) return 'optional_type';
  if (value instanceof CelTypeName) return 'type';
  return value instanceof LibraryValue ? value.type : 'unknown';
}
