import { patternMatches, patternProblem, fitsFormat, isKnownFormat } from './formats.ts';
import { fieldErrorOf, type Fault, type FaultRule, type ValuePath, type FieldError } from './fault.ts';
import { isEqualJson, ownField } from '../../base/util/json-map.ts';
import { fitsInt64, isObject, type JsonValue } from './json.ts';
import { isAlmostInteger, numberFaults } from './validate-number.ts';
import { fieldSchema, valueSchema, type Schema } from './schema.ts';

/** The value before an update. Used to skip the validation of unchanged parts. */
export interface Ratchet {
  /** The value before the update; undefined if it is unknown. */
  readonly before: JsonValue | undefined;
}

interface ValidationOptions {
  /** The value before an update. If given, parts of the value that the update does not change are not validated. */
  readonly ratchet?: Ratchet | undefined;
  /**
   * True if the value is a `default` in a definition. In defaults, the API server ignores `additionalProperties` inside of junctors
   * (`allOf`, `anyOf`, `oneOf`, `not`).
   */
  readonly isDefault?: boolean | undefined;
}

/**
 * Validates a value by an OpenAPI v3 schema like the API server, after pruning and defaulting. Returns the same messages as the API server.
 * If a value fits no alternative of an `anyOf` or `oneOf`, reports the faults of the same alternative as the API server.
 *
 * Source: kube-openapi `pkg/validation/validate`; apiextensions-apiserver `pkg/apiserver/validation/ratcheting.go`.
 */
export function schemaFaults(
  value: JsonValue,
  schema: Schema,
  { ratchet, isDefault = false }: ValidationOptions = {},
): readonly Fault[] {
  return judge(value, schema, { path: [], at: '', branch: false, isDefault, ratchet }).faults;
}

/**
 * Returns the same faults as {@link schemaFaults}, but as field errors.
 * @param prefix path of the field that contains the value
 */
export function schemaErrors(
  value: JsonValue,
  schema: Schema,
  prefix: string,
  ratchet?: Ratchet,
): readonly FieldError[] {
  return schemaFaults(value, schema, { ratchet }).map((each) => fieldErrorOf(each, prefix));
}

interface Place {
  readonly path: ValuePath;
  readonly at: string;
  /** True if the value is validated by a schema inside of a junctor (`allOf`, `anyOf`, `oneOf`, `not`). */
  readonly branch: boolean;
  readonly isDefault: boolean;
  readonly ratchet: Ratchet | undefined;
}

class Verdict {
  readonly faults: Fault[] = [];
  readonly #texts = new Set<string>();
  /**
   * Score of how well the value matches the schema. If a value fits no alternative of a junctor, the faults of the alternative with the
   * best score are reported.
   */
  matches = 0;

  add(...faults: readonly Fault[]): this {
    for (const fault of faults) {
      if (this.#texts.has(fault.text)) continue;
      this.#texts.add(fault.text);
      this.faults.push(fault);
    }
    return this;
  }

  merge(other: Verdict): void {
    // Faults are added one by one, because a single call with all faults as arguments may exceed the maximum number of arguments.
    for (const fault of other.faults) this.add(fault);
    this.matches += other.matches;
  }
}

function judge(value: JsonValue, schema: Schema, place: Place): Verdict {
  const result = new Verdict();
  const format = knownFormat(schema);
  if (value === null) {
    result.merge(judgeType(value, schema, format, place));
    result.add(...enumFaults(value, schema, place));
  } else {
    if (typesOf(schema).length > 0 || format !== undefined) {
      result.merge(judgeType(value, schema, format, place));
      result.matches += 1;
    }
    result.merge(judgeJunctors(value, schema, place));
    result.matches += 1;
    if (typeof value === 'string') {
      result.add(...stringFaults(value, schema, place));
      result.matches += 1;
      if (format !== undefined && isKnownFormat(format)) {
        const text = `${place.at} in body must be of type ${format}: ${JSON.stringify(value)}`;
        if (!fitsFormat(format, value)) result.add(fault('format', place, value, format, text));
        result.matches += 1;
      }
    }
    if (typeof value === 'number') {
      result.add(...numberFaults(value, schema, place));
      result.matches += 2;
    }
    if (Array.isArray(value)) {
      result.merge(judgeList(value as readonly JsonValue[], schema, place));
      result.matches += 2;
    }
    result.add(...enumFaults(value, schema, place));
    result.matches += 1;
    if (isObject(value)) {
      result.merge(judgeObject(value, schema, place));
      result.matches += 1;
    }
    result.matches += 1;
  }
  const { ratchet } = place;
  if (ratchet?.before !== undefined && isEqualJson(ratchet.before, value)) result.faults.length = 0;
  return result;
}

function fault(
  rule: FaultRule,
  { path, at, branch: isInBranch }: Place,
  value: JsonValue,
  limit: JsonValue,
  text: string,
  shown?: JsonValue,
): Fault {
  return { rule, path, at, value, limit, shown, text, isInBranch };
}

function typesOf(schema: Schema): readonly string[] {
  if (schema.isQuantity === true) return ['number', 'string'];
  if (schema.type !== undefined && schema.type !== '') return [schema.type];
  return schema['x-kubernetes-int-or-string'] === true ? ['integer', 'string'] : [];
}

const numberFormats: Readonly<Record<string, readonly string[]>> = {
  integer: ['int32', 'int64'],
  number: ['float', 'double'],
};

/**
 * Returns the format of a schema; undefined if the API server does not know the format and drops it. Source: apiextensions-apiserver
 * `pkg/apiserver/validation/formats.go`.
 */
function knownFormat(schema: Schema): string | undefined {
  const { format } = schema;
  if (format === undefined || format === '') return undefined;
  const types = typesOf(schema);
  const [type = ''] = types.length === 1 ? types : [];
  if (type === 'string' || type === '')
    return isKnownFormat(format) || format === 'password' ? format : undefined;
  return numberFormats[type]?.includes(format) === true ? format : undefined;
}

/** Returns the JSON type of a value, and the format of the Go type in which the API server holds the value. */
function goType(value: JsonValue): readonly [type: string, format: string] {
  if (value === null) return ['null', ''];
  if (Array.isArray(value)) return ['array', ''];
  if (typeof value !== 'number') return [typeof value, ''];
  return fitsInt64(value) ? ['integer', 'int64'] : ['number', 'float64'];
}

/** Checks the type of a value. Source: kube-openapi `type.go`. */
function judgeType(value: JsonValue, schema: Schema, format: string | undefined, place: Place): Verdict {
  const types = typesOf(schema);
  const [found, foundFormat] = goType(value);
  const fits = new Verdict();
  fits.matches = 1;
  const misses = (expected: string, shown: string): Verdict => {
    const text = `${place.at} in body must be of type ${expected}: ${JSON.stringify(shown)}`;
    return new Verdict().add(fault('type', place, value, types.join(','), text, shown));
  };
  if (value === null)
    return types.length > 0 && schema.nullable !== true ? misses(types.join(','), found) : fits;
  const isListOrText = typeof value === 'string' || Array.isArray(value);
  const hasType =
    types.includes(found) ||
    (found === 'integer' && types.includes('number')) ||
    (typeof value === 'number' && types.includes('integer') && isAlmostInteger(value));
  if (!isListOrText && format !== undefined && !hasType) return misses(format, foundFormat);
  const isNumeric = types.includes('number') || types.includes('integer');
  if (isListOrText && format !== undefined && !isNumeric) return fits;
  return hasType ? fits : misses(types.join(','), found);
}

function enumFaults(value: JsonValue, { enum: values = [] }: Schema, place: Place): readonly Fault[] {
  if (values.length === 0 || values.some((each) => isSame(value, each))) return [];
  const names = values.map((each) => (typeof each === 'string' ? each : JSON.stringify(each)));
  return [fault('enum', place, value, values, `${place.at} in body should be one of [${names.join(' ')}]`)];
}

/**
 * Compares a value with a value of an enum like Go. Go first converts the value to the type of the enum's value. Null does not equal any
 * value, even null.
 */
function isSame(value: JsonValue, each: JsonValue): boolean {
  if (value === null || each === null) return false;
  if (typeof value === 'number' && typeof each === 'number' && !fitsInt64(value) && fitsInt64(each))
    return Math.trunc(value) === each;
  if (typeof value === 'number' && typeof each === 'string' && fitsInt64(value))
    return goRune(value) === each;
  return isEqualJson(value, each);
}

/** Converts an integer to the text of the character with this code, as Go does. */
function goRune(value: number): string {
  const isCharacter = value >= 0 && value <= 0x10ffff && !(value >= 0xd800 && value <= 0xdfff);
  return isCharacter ? String.fromCodePoint(value) : '\ufffd';
}

/** Returns the faults of a text. Lengths count code points, not UTF-16 units. If a length is wrong, the pattern is not checked. */
function stringFaults(
  value: string,
  { minLength, maxLength, pattern }: Schema,
  place: Place,
): readonly Fault[] {
  const length = [...value].length;
  const text = (what: string): string => `${place.at} in body should ${what}`;
  if (maxLength !== undefined && length > maxLength)
    return [fault('maxLength', place, value, maxLength, text(`be at most ${maxLength} chars long`))];
  if (minLength !== undefined && length < minLength)
    return [fault('minLength', place, value, minLength, text(`be at least ${minLength} chars long`))];
  // A pattern that the API server would refuse is skipped, because it is reported with the definition that contains it.
  if (pattern === undefined || pattern === '' || patternProblem(pattern) !== undefined) return [];
  if (patternMatches(pattern, value)) return [];
  return [fault('pattern', place, value, pattern, text(`match '${pattern}'`))];
}

function judgeList(value: readonly JsonValue[], schema: Schema, place: Place): Verdict {
  const result = new Verdict();
  const { items, minItems, maxItems, uniqueItems } = schema;
  if (items !== undefined) {
    const before = itemsBefore(value, schema, place.ratchet);
    for (const [index, item] of value.entries())
      result.merge(
        judge(item, items, {
          ...place,
          path: [...place.path, index],
          at: `${place.at}[${index}]`,
          ratchet: before?.[index],
        }),
      );
  }
  const size = { rules: ['minItems', 'maxItems'], least: minItems, most: maxItems } as const;
  result.add(...sizeFaults(value, value.length, size, 'items', place));
  const isRepeated = (item: JsonValue, index: number): boolean =>
    value.slice(0, index).some((other) => isEqualJson(item, other));
  if (uniqueItems === true && value.some(isRepeated))
    result.add(
      fault('uniqueItems', place, value, true, `${place.at} in body shouldn't contain duplicates`, ''),
    );
  return result;
}

function sizeFaults(
  value: JsonValue,
  size: number,
  {
    rules,
    least,
    most,
  }: Readonly<{
    rules: readonly [FaultRule, FaultRule];
    least: number | undefined;
    most: number | undefined;
  }>,
  parts: string,
  place: Place,
): readonly Fault[] {
  const found: Fault[] = [];
  const text = (bound: string): string => `${place.at} in body should have at ${bound} ${parts}`;
  if (least !== undefined && size < least)
    found.push(fault(rules[0], place, value, least, text(`least ${least}`), size));
  if (most !== undefined && size > most)
    found.push(fault(rules[1], place, value, most, text(`most ${most}`), size));
  return found;
}

/**
 * Returns the items of a list before an update. In a list of type `map`, each item is matched with the former item with the same keys.
 * Items of other lists are not matched, because such lists are compared only in their entirety.
 */
function itemsBefore(
  value: readonly JsonValue[],
  schema: Schema,
  ratchet: Ratchet | undefined,
): readonly Ratchet[] | undefined {
  const keys = schema['x-kubernetes-list-map-keys'];
  const { before } = ratchet ?? {};
  if (schema['x-kubernetes-list-type'] !== 'map' || keys === undefined || !Array.isArray(before))
    return undefined;
  const keyOf = (item: JsonValue): string =>
    JSON.stringify(keys.map((key) => (isObject(item) ? (item[key] ?? null) : null)));
  const known = new Map((before as readonly JsonValue[]).map((item) => [keyOf(item), item]));
  return value.map((item) => ({ before: known.get(keyOf(item)) }));
}

function judgeObject(value: Readonly<Record<string, JsonValue>>, schema: Schema, place: Place): Verdict {
  const result = new Verdict();
  const { minProperties, maxProperties } = schema;
  const { path, at, ratchet } = place;
  const size = {
    rules: ['minProperties', 'maxProperties'],
    least: minProperties,
    most: maxProperties,
  } as const;
  result.add(...sizeFaults(value, Object.keys(value).length, size, 'properties', place));
  const before = isObject(ratchet?.before) ? ratchet.before : undefined;
  const values = valueSchema(schema);
  for (const [name, item] of Object.entries(value)) {
    const property = fieldSchema(schema, name);
    const inner = property ?? values;
    const isRoot = at === '' && path.length === 0;
    const field = {
      ...place,
      path: [...path, name],
      at: isRoot && property !== undefined ? name : `${at}.${name}`,
    };
    if (inner === undefined) {
      if (schema.additionalProperties === false && !(place.branch && place.isDefault))
        result.add(
          fault(
            'unknown',
            { ...field, at },
            item,
            name,
            `${at}.${name} in body is a forbidden property`,
            name,
          ),
        );
      continue;
    }
    const isTypeMeta = isRoot && (name === 'kind' || name === 'apiVersion');
    const hasBefore = before !== undefined && !isTypeMeta;
    result.merge(
      judge(item, inner, { ...field, ratchet: hasBefore ? { before: ownField(before, name) } : undefined }),
    );
  }
  for (const name of schema.required ?? []) {
    if (Object.hasOwn(value, name)) continue;
    const missing = `${at}.${name}`;
    result.add(fault('required', { ...place, at: missing }, value, name, `${missing} in body is required`));
  }
  return result;
}

/** Validates a value by the `allOf`, `anyOf`, `oneOf` and `not` of a schema. Source: kube-openapi `schema_props.go`. */
function judgeJunctors(value: JsonValue, schema: Schema, place: Place): Verdict {
  const result = new Verdict();
  result.matches = 1;
  const { allOf = [], anyOf = [], oneOf = [], not } = schema;
  const branch = { ...place, branch: true, ratchet: undefined };
  const judged = (parts: readonly Schema[]): readonly Verdict[] =>
    parts.map((part) => judge(value, part, branch));
  const at = JSON.stringify(place.at);
  if (anyOf.length > 0) {
    const verdicts = judged(anyOf);
    const first = verdicts.find(({ faults }) => faults.length === 0);
    const text = `${at} must validate at least one schema (anyOf)`;
    if (first === undefined) result.add(fault('anyOf', place, value, 0, text));
    result.merge(first ?? bestOf(verdicts));
  }
  if (oneOf.length > 0) {
    const verdicts = judged(oneOf);
    const [first, ...more] = verdicts.filter(({ faults }) => faults.length === 0);
    if (first === undefined || more.length > 0) {
      const count = first === undefined ? 0 : more.length + 1;
      const found = count === 0 ? 'Found none valid' : `Found ${count} valid alternatives`;
      const text = `${at} must validate one and only one schema (oneOf). ${found}`;
      result.add(fault('oneOf', place, value, count, text));
      if (first === undefined) result.merge(bestOf(verdicts));
    } else {
      result.merge(first);
    }
  }
  if (allOf.length > 0) {
    const verdicts = judged(allOf);
    const fitting = verdicts.filter(({ faults }) => faults.length === 0).length;
    for (const verdict of verdicts) result.merge(verdict);
    const text = `${at} must validate all the schemas (allOf)${fitting === 0 ? '. None validated' : ''}`;
    if (fitting < allOf.length) result.add(fault('allOf', place, value, fitting, text));
  }
  if (not !== undefined && judge(value, not, branch).faults.length === 0)
    result.add(fault('not', place, value, null, `${at} must not validate the schema (not)`));
  return result;
}

function bestOf(verdicts: readonly Verdict[]): Verdict {
  return verdicts.reduce((best, verdict) => (verdict.matches > best.matches ? verdict : best));
}
