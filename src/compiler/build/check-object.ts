import { closestName } from '../../base/util/terminal-words.ts';
import {
  isObject,
  limitText,
  writtenFaults,
  type Fault,
  type FaultRule,
  type JsonValue,
  type Schema,
  type ValuePath,
} from '../../kubernetes/objects/index.ts';
import {
  generateSchema,
  type ResourceDeclaration,
  type SourceProgram,
  type TokenInfo,
} from '../schema/index.ts';
import { expandedSchema, tableNameOfKind } from '../../kubernetes/tables/index.ts';

/** Difference between an object and its schema. */
interface Mismatch {
  readonly code: 'build/unknown-field' | 'build/wrong-type' | 'build/missing-field' | 'build/invalid-value';
  readonly path: ValuePath;
  readonly message: string;
  readonly fix: string;
  /** False if other versions of Kubernetes may accept the value. The mismatch is then only a warning. */
  readonly certain: boolean;
}

/** Returns all parts of an object that the API server would refuse because of the schema, or would silently drop. */
export function checkObject(value: unknown, schema: Schema): readonly Mismatch[] {
  return (
    writtenFaults(value as JsonValue, schema)
      // Of a field that may hold anything, null is not a wrong type.
      .filter(({ rule, limit }) => rule !== 'null' || limit !== '')
      .map(mismatchOf)
  );
}

function mismatchOf(fault: Fault): Mismatch {
  const { rule, path, value, text } = fault;
  const certain = rule !== 'knownValues';
  const limit = limitText(fault);
  if (rule === 'null' || rule === 'unsafe' || rule === 'type') return wrongType(value, limit, path);
  if (rule === 'mapItem') return wrongType(value, 'object', path);
  if (rule === 'required') {
    const message = `${dotted([...path, limit])} is required`;
    return { code: 'build/missing-field', certain, path, message, fix: `add \`${limit}\`` };
  }
  if (rule === 'unknown') {
    const known = Array.isArray(fault.limit) ? fault.limit.map(String) : [];
    const fix = fixOfUnknown(String(path.at(-1)), known);
    return { code: 'build/unknown-field', certain, path, message: `unknown field ${dotted(path)}`, fix };
  }
  const other: Problem = [`is not valid: ${text}`, 'write a value that fits the schema'];
  const [problem, fix] = problems[rule]?.(JSON.stringify(value), limit, fault) ?? other;
  return { code: 'build/invalid-value', certain, path, message: `${dotted(path)} ${problem}`, fix };
}

/** Names of the types of a schema in messages. */
const typeNames: Readonly<Record<string, string>> = {
  object: 'an object',
  array: 'a list',
  string: 'a string',
  boolean: 'true or false',
  integer: 'an integer',
  number: 'a number',
};

function wrongType(value: JsonValue, type: string, path: ValuePath): Mismatch {
  const expected = typeNames[type] ?? 'an integer or a string';
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
  const message = `${dotted(path)} is ${found}, not ${expected}`;
  return { code: 'build/wrong-type', certain: true, path, message, fix };
}

function fixOfUnknown(name: string, fields: readonly string[]): string {
  const closest = closestName(name, fields);
  if (closest !== undefined) return `did you mean \`${closest}\`?`;
  const known = [...fields].sort();
  return known.length > 0 && known.length <= 12 ? `use one of ${known.join(', ')}` : 'remove it';
}

/** Description of the problem, and its fix, for a value that has the right type but is invalid. */
type Problem = readonly [problem: string, fix: string];
type ProblemOf = (shown: string, limit: string, fault: Fault) => Problem;

const notOneOf: ProblemOf = (shown, _limit, { value, limit }) => {
  const allowed = limit as readonly JsonValue[];
  const words = allowed.filter((item) => typeof item === 'string');
  const closest = typeof value === 'string' ? closestName(value, words) : undefined;
  const names = allowed.map(String).join(', ');
  const fix = closest === undefined ? `use one of ${names}` : `did you mean ${closest}?`;
  return [`is ${shown}, not one of ${names}`, fix];
};
const twice: ProblemOf = (_shown, _limit, { limit }) => [
  `has ${JSON.stringify(limit)} twice`,
  'remove one of them',
];
const form = 'write a value of that form';

const problems: Partial<Record<FaultRule, ProblemOf>> = {
  enum: notOneOf,
  knownValues: notOneOf,
  pattern: (shown, pattern) => [`is ${shown}, which does not match ${pattern}`, form],
  format: (shown, format) => [`is ${shown}, which is not of the format ${format}`, form],
  minLength: (shown, least) => [
    `is ${shown}, shorter than ${least} characters`,
    `write ${least} characters or more`,
  ],
  maxLength: (shown, most) => [
    `is ${shown}, longer than ${most} characters`,
    `write ${most} characters or less`,
  ],
  range: (shown, type, { value }) => {
    if (!type.endsWith('int32'))
      return [`is ${shown}, out of the range of ${type}`, 'write a smaller number'];
    const [least, most] = [-(2 ** 31), 2 ** 31 - 1];
    return Number(value) < least
      ? [`is ${shown}, less than ${least}`, `write ${least} or more`]
      : [`is ${shown}, greater than ${most}`, `write ${most} or less`];
  },
  minimum: (shown, least) =>
    shown === least
      ? [`is ${shown}, not greater than ${least}`, `write more than ${least}`]
      : [`is ${shown}, less than ${least}`, `write ${least} or more`],
  maximum: (shown, most) =>
    shown === most
      ? [`is ${shown}, not less than ${most}`, `write less than ${most}`]
      : [`is ${shown}, greater than ${most}`, `write ${most} or less`],
  multipleOf: (shown, factor) => [
    `is ${shown}, not a multiple of ${factor}`,
    `write a multiple of ${factor}`,
  ],
  minItems: (_shown, least) => [`has fewer than ${least} items`, `write ${least} items or more`],
  maxItems: (_shown, most) => [`has more than ${most} items`, `write ${most} items or less`],
  minProperties: (_shown, least) => [`has fewer than ${least} fields`, `write ${least} fields or more`],
  maxProperties: (_shown, most) => [`has more than ${most} fields`, `write ${most} fields or less`],
  set: twice,
  mapKey: twice,
  embedded: (_shown, _limit, { text }) => [`is not an embedded resource: ${text}`, 'correct it'],
};

/** Formats a path, such as `.spec.containers[0].image`. */
function dotted(path: ValuePath): string {
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

/** Returns the schema of a kind; undefined if the schema is unknown. */
export type SchemaLookup = (token: TokenInfo) => Schema | undefined;

/**
 * Creates a lookup for schemas. The schemas of built-in kinds come from the canonical table. The schemas of the project's own kinds are
 * derived from their interfaces. If an interface has faults, the lookup returns undefined, so that manifests of its kind are not checked.
 * The faults are reported only by `generate manifests`.
 */
export function schemaLookup(
  program: SourceProgram,
  resources: readonly ResourceDeclaration[],
): SchemaLookup {
  return (token) => {
    const { group, version, kind } = token;
    const builtIn = tableNameOfKind(group === '' ? version : `${group}/${version}`, kind);
    if (builtIn !== undefined) return expandedSchema(builtIn);
    const own = resources.find(({ definition }) => declares(definition, { group, version, kind }));
    const schema = own && generateSchema(program, own.root).schema;
    return (
      schema && { ...schema, properties: { ...schema.properties, metadata: expandedSchema(objectMeta) } }
    );
  };
}

const objectMeta = 'io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta';

function declares(
  definition: ResourceDeclaration['definition'],
  wanted: Readonly<Record<string, string>>,
): boolean {
  if (definition?.type !== 'object') return false;
  return Object.entries(wanted).every(([name, text]) => {
    const value = definition.properties.get(name)?.value;
    return value?.type === 'scalar' && value.value === text;
  });
}
