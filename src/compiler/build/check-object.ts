import { patternMatches, patternProblem } from '../../kubernetes/crd/value/re2.ts';
import { closestName } from '../../base/util/closest-name.ts';

/** The parts of a schema that are checked; those of CRDs and of the table of built-in types both have this form. */
export interface CheckedSchema {
  /** The name of another schema, which the keywords beside it refine. */
  readonly $ref?: string;
  readonly type?: string;
  readonly format?: string;
  readonly nullable?: boolean;
  readonly default?: unknown;
  readonly enum?: readonly unknown[];
  /** Values that the server of one version accepts; later ones may accept more. */
  readonly knownValues?: readonly unknown[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly pattern?: string;
  readonly required?: readonly string[];
  readonly properties?: Readonly<Record<string, CheckedSchema>>;
  readonly items?: CheckedSchema;
  readonly additionalProperties?: boolean | CheckedSchema;
  readonly 'x-kubernetes-int-or-string'?: boolean;
  readonly 'x-kubernetes-preserve-unknown-fields'?: boolean;
  readonly 'x-kubernetes-embedded-resource'?: boolean;
}

/** Finds the schema that a `$ref` names; undefined if anything is allowed there. */
export type ResolveSchema = (name: string) => CheckedSchema | undefined;

/** Where in an object: property names and list indexes. */
export type ObjectPath = readonly (string | number)[];

/** One way in which an object does not fit its schema. */
export interface Mismatch {
  readonly code: 'build/unknown-field' | 'build/wrong-type' | 'build/missing-field' | 'build/invalid-value';
  readonly path: ObjectPath;
  readonly message: string;
  readonly fix: string;
  /** False if only this version of Kubernetes would refuse it. */
  readonly certain: boolean;
}

/**
 * Everything in a value that its schema does not allow: unknown fields, wrong types, missing fields, values outside enum,
 * bounds and pattern. Defaults are not filled in.
 */
export function checkObject(
  value: unknown,
  written: CheckedSchema,
  resolve: ResolveSchema,
  path: ObjectPath = [],
): readonly Mismatch[] {
  const schema = resolved(written, resolve);
  if (schema['x-kubernetes-int-or-string'] === true) return checkIntOrString(value, schema, path);
  if (value === null && schema.nullable === true) return [];
  switch (schema.type) {
    case 'object':
      return isObject(value)
        ? checkFields(value, schema, resolve, path)
        : [wrongType(value, 'an object', path)];
    case 'array': {
      if (!Array.isArray(value)) return [wrongType(value, 'a list', path)];
      const { items } = schema;
      return items === undefined
        ? []
        : value.flatMap((item, index) => checkObject(item, items, resolve, [...path, index]));
    }
    case 'string':
      return typeof value === 'string'
        ? checkValue(value, schema, path)
        : [wrongType(value, 'a string', path)];
    case 'boolean':
      return typeof value === 'boolean' ? [] : [wrongType(value, 'true or false', path)];
    case 'integer':
      return Number.isSafeInteger(value)
        ? checkValue(value, schema, path)
        : [wrongType(value, 'an integer', path)];
    case 'number':
      return typeof value === 'number'
        ? checkValue(value, schema, path)
        : [wrongType(value, 'a number', path)];
    case undefined:
    default:
      return [];
  }
}

function resolved(schema: CheckedSchema, resolve: ResolveSchema): CheckedSchema {
  if (schema.$ref === undefined) return schema;
  const { $ref, ...beside } = schema;
  return { ...resolve($ref), ...beside };
}

/** Quantities, which have a pattern, may be written as any number: `cpu: 0.5`. */
function checkIntOrString(value: unknown, schema: CheckedSchema, path: ObjectPath): readonly Mismatch[] {
  if (typeof value === 'string' || Number.isSafeInteger(value)) return checkValue(value, schema, path);
  if (typeof value === 'number' && schema.pattern !== undefined) return checkValue(value, schema, path);
  return [wrongType(value, 'an integer or a string', path)];
}

function checkValue(value: unknown, schema: CheckedSchema, path: ObjectPath): readonly Mismatch[] {
  return [
    ...oneOf(value, schema.enum, true, path),
    ...oneOf(value, schema.knownValues, false, path),
    ...pattern(value, schema, path),
    ...(typeof value === 'number' ? range(value, schema, path) : []),
  ];
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function checkFields(
  value: Record<string, unknown>,
  schema: CheckedSchema,
  resolve: ResolveSchema,
  path: ObjectPath,
): readonly Mismatch[] {
  const properties = schema.properties ?? {};
  const values = typeof schema.additionalProperties === 'object' ? schema.additionalProperties : undefined;
  const open =
    schema.additionalProperties === true ||
    schema['x-kubernetes-preserve-unknown-fields'] === true ||
    schema['x-kubernetes-embedded-resource'] === true;
  const missing = (schema.required ?? [])
    .filter((name) => !Object.hasOwn(value, name) && properties[name]?.default === undefined)
    .map((name): Mismatch => ({
      code: 'build/missing-field',
      certain: true,
      path,
      message: `${dotted([...path, name])} is required`,
      fix: `add \`${name}\``,
    }));
  const fields = Object.entries(value).flatMap(([name, part]): readonly Mismatch[] => {
    const at = [...path, name];
    const property = Object.hasOwn(properties, name) ? properties[name] : values;
    if (property !== undefined) return checkObject(part, property, resolve, at);
    if (open) return [];
    const closest = closestName(name, Object.keys(properties));
    const known = Object.keys(properties).sort();
    const fix =
      closest !== undefined
        ? `did you mean \`${closest}\`?`
        : known.length > 0 && known.length <= 12
          ? `use one of ${known.join(', ')}`
          : 'remove it';
    return [
      {
        code: 'build/unknown-field',
        certain: true,
        path: at,
        message: `unknown field ${dotted(at)}`,
        fix,
      },
    ];
  });
  return [...missing, ...fields];
}

function wrongType(value: unknown, expected: string, path: ObjectPath): Mismatch {
  const found =
    value === null
      ? 'null'
      : Array.isArray(value)
        ? 'a list'
        : isObject(value)
          ? 'an object'
          : `the ${typeof value} ${JSON.stringify(value)}`;
  const fix =
    value === null
      ? 'remove the line, or give it a value (`{}` for an empty object)'
      : expected === 'a string' && (typeof value === 'number' || typeof value === 'boolean')
        ? `put it in quotes: '${value}'`
        : `write ${expected}`;
  return {
    code: 'build/wrong-type',
    certain: true,
    path,
    message: `${dotted(path)} is ${found}, not ${expected}`,
    fix,
  };
}

function oneOf(
  value: unknown,
  allowed: readonly unknown[] | undefined,
  certain: boolean,
  path: ObjectPath,
): readonly Mismatch[] {
  if (allowed === undefined || allowed.includes(value)) return [];
  const words = allowed.filter((item) => typeof item === 'string');
  const closest = typeof value === 'string' ? closestName(value, words) : undefined;
  const names = allowed.map(String).join(', ');
  const fix = closest === undefined ? `use one of ${names}` : `did you mean ${closest}?`;
  return [
    {
      code: 'build/invalid-value',
      certain,
      path,
      message: `${dotted(path)} is ${JSON.stringify(value)}, not one of ${names}`,
      fix,
    },
  ];
}

function pattern(value: unknown, { pattern }: CheckedSchema, path: ObjectPath): readonly Mismatch[] {
  // One that the API server would refuse is reported with its definition.
  if (pattern === undefined || patternProblem(pattern) !== undefined) return [];
  if (patternMatches(pattern, String(value))) return [];
  return [
    {
      code: 'build/invalid-value',
      certain: true,
      path,
      message: `${dotted(path)} is ${JSON.stringify(value)}, which does not match ${pattern}`,
      fix: 'write a value of that form',
    },
  ];
}

/** The bounds of `format` and of `minimum` and `maximum`. */
function range(value: number, schema: CheckedSchema, path: ObjectPath): readonly Mismatch[] {
  const least = Math.max(schema.minimum ?? -Infinity, schema.format === 'int32' ? -(2 ** 31) : -Infinity);
  const most = Math.min(schema.maximum ?? Infinity, schema.format === 'int32' ? 2 ** 31 - 1 : Infinity);
  if (value >= least && value <= most) return [];
  const bound = value < least ? `less than ${least}` : `greater than ${most}`;
  return [
    {
      code: 'build/invalid-value',
      certain: true,
      path,
      message: `${dotted(path)} is ${value}, ${bound}`,
      fix: value < least ? `write ${least} or more` : `write ${most} or less`,
    },
  ];
}

/** `.spec.containers[0].image`. */
export function dotted(path: ObjectPath): string {
  if (path.length === 0) return 'the document';
  return path
    .map((step) =>
      typeof step === 'number'
        ? `[${step}]`
        : /^[\w-]+$/.test(step)
          ? `.${step}`
          : `[${JSON.stringify(step)}]`,
    )
    .join('');
}
