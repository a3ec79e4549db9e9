import { closestName } from '../../../base/util/terminal-words.ts';
import { jsonListOf, jsonMapOf, jsonTextOf, type JsonMap } from '../../../base/util/json-map.ts';
import type { JSONSchemaProps } from '../../objects/index.ts';
import type { CodesOf } from '../../../base/errors/index.ts';
import type { FieldPath, Violation } from './violation.ts';

/** Types that a printer column may have. Source: apiextensions `printerColumnDatatypes`. */
const types = ['integer', 'number', 'string', 'boolean', 'date'];
/** Formats that a printer column may have. Source: apiextensions `customResourceColumnDefinitionFormats`. */
const formats = ['int32', 'int64', 'float', 'double', 'byte', 'date', 'date-time', 'password'];

const pathFix = 'name a field of the object, such as .spec.replicas';

/**
 * Checks `additionalPrinterColumns` of a version. Columns that the API server refuses (`ValidateCustomResourceColumnDefinition`) are
 * errors. Columns that the API server accepts, but that are empty in kubectl, are warnings.
 */
export function checkColumns(version: JsonMap, schema: JSONSchemaProps, at: FieldPath): readonly Violation[] {
  const columns = jsonListOf(version['additionalPrinterColumns']).map(jsonMapOf);
  const seen = new Set<string>();
  return columns.flatMap((column, index) => {
    const path = [...at, 'additionalPrinterColumns', index];
    const name = jsonTextOf(column['name']);
    const isRepeated = name !== '' && seen.has(name);
    seen.add(name);
    return [
      ...checkColumn(column, name, path),
      ...(isRepeated
        ? [
            {
              path,
              code: 'crd/repeated-column',
              message: `there are two printer columns named '${name}'`,
              fix: 'remove one of them, or give it another name',
            } as const,
          ]
        : []),
      ...lintColumn(column, name, schema, path),
    ];
  });
}

function checkColumn(column: JsonMap, name: string, path: FieldPath): readonly Violation[] {
  const found: Violation[] = [];
  const add = (field: string, message: string, fix: string): void =>
    void found.push({ path: [...path, field], code: 'crd/printer-column', message, fix });
  const what = name === '' ? 'a printer column' : `the printer column '${name}'`;
  if (name === '') add('name', 'a printer column has an empty name', 'write the heading of the column');
  const oneOf = (field: 'type' | 'format', allowed: readonly string[]): void => {
    const value = jsonTextOf(column[field]);
    // An empty format counts as absent.
    if (allowed.includes(value) || (field === 'format' && value === '')) return;
    const closest = closestName(value, allowed);
    const list = allowed.join(', ');
    const fix = closest === undefined ? `write one of ${list}` : `did you mean '${closest}'?`;
    add(field, `the ${field} '${value}' of ${what} is not one of ${list}`, fix);
  };
  oneOf('type', types);
  oneOf('format', formats);
  const { priority } = column;
  // `priority` is an int32 in the API.
  if (typeof priority === 'number' && (priority | 0) !== priority)
    add(
      'priority',
      `the priority ${priority} of ${what} is not a 32-bit integer`,
      'write 0, or 1 for a column that only `-o wide` shows',
    );
  const jsonPath = jsonTextOf(column['jsonPath']);
  if (!jsonPath.startsWith('.'))
    add(
      'jsonPath',
      `the path ${JSON.stringify(jsonPath)} of ${what} is not valid: it does not start with a dot`,
      pathFix,
    );
  return found;
}

function lintColumn(
  column: JsonMap,
  name: string,
  schema: JSONSchemaProps,
  path: FieldPath,
): readonly Violation[] {
  const jsonPath = jsonTextOf(column['jsonPath']);
  if (!jsonPath.startsWith('.')) return [];
  const warn = (code: CodesOf<'crd'>, field: string, message: string, fix: string): readonly Violation[] => [
    { path: [...path, field], code, message, fix },
  ];
  const steps = parseJsonPath(jsonPath);
  const reached = typeof steps === 'string' ? steps : followSteps(schema, steps);
  if (typeof reached === 'string')
    return warn(
      'crd/printer-column-path',
      'jsonPath',
      `the printer column '${name}' will be empty: ${reached}`,
      pathFix,
    );
  const type = jsonTextOf(column['type']);
  const actual = reached.type;
  // Skip fields without a type. Also skip columns of type string, in which kubectl prints any value, and columns of an invalid type, which
  // another check refuses.
  if (actual === undefined || !['integer', 'number', 'boolean', 'date'].includes(type)) return [];
  const fits =
    type === actual ||
    (type === 'number' && actual === 'integer') ||
    (type === 'date' && actual === 'string');
  if (fits) return [];
  const right = ['integer', 'number', 'boolean'].includes(actual) ? actual : 'string';
  const message = `the printer column '${name}' has type ${type}, but ${jsonPath} is of type ${actual}: kubectl will not show it`;
  return warn('crd/printer-column-type', 'type', message, `write the type ${right}`);
}

/** Schema of ObjectMeta, because the schema of a CRD does not list these fields. Source: apimachinery `metav1.ObjectMeta`. */
const metadata: JSONSchemaProps = {
  type: 'object',
  properties: {
    ...Object.fromEntries(
      ['name', 'generateName', 'namespace', 'selfLink', 'uid', 'resourceVersion'].map(
        (name) => [name, { type: 'string' }] as const,
      ),
    ),
    generation: { type: 'integer' },
    deletionGracePeriodSeconds: { type: 'integer' },
    creationTimestamp: { type: 'string', format: 'date-time' },
    deletionTimestamp: { type: 'string', format: 'date-time' },
    labels: { type: 'object', additionalProperties: { type: 'string' } },
    annotations: { type: 'object', additionalProperties: { type: 'string' } },
    finalizers: { type: 'array', items: { type: 'string' } },
    ownerReferences: {
      type: 'array',
      items: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
    },
    managedFields: { type: 'array', items: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } },
  },
};

/**
 * Returns the schema of the field at a path, or a text with the reason why the path leads to no field. The schema is empty if the field may
 * have any value.
 */
export function followSteps(schema: JSONSchemaProps, steps: readonly PathStep[]): JSONSchemaProps | string {
  return follow({ ...schema, properties: { ...schema.properties, metadata } }, steps, '');
}

function follow(node: JSONSchemaProps, steps: readonly PathStep[], at: string): JSONSchemaProps | string {
  const [step, ...rest] = steps;
  if (step === undefined) return node;
  if (step.type === 'descendants' || node['x-kubernetes-embedded-resource'] === true) return {};
  const open = node['x-kubernetes-preserve-unknown-fields'] === true || node.additionalProperties === true;
  const values = typeof node.additionalProperties === 'object' ? node.additionalProperties : undefined;
  if (step.type === 'items') {
    const items = node.items ?? (step.any ? values : undefined);
    if (items !== undefined) return follow(items, rest, `${at}[]`);
    return open ? {} : `${at === '' ? 'the object' : at} is not a list`;
  }
  const path = `${at}.${step.name}`;
  const next =
    (Object.hasOwn(node.properties ?? {}, step.name) ? node.properties?.[step.name] : undefined) ?? values;
  if (next !== undefined) return follow(next, rest, path);
  if (open) return {};
  if (node.type === 'array') return `${at} is a list; name an item, as in ${at}[0].${step.name}`;
  const closest = closestName(step.name, Object.keys(node.properties ?? {}));
  return `unknown field ${path}${closest === undefined ? '' : `; did you mean ${at}.${closest}?`}`;
}

/** One step of a JSON path. */
type PathStep =
  | { readonly type: 'field'; readonly name: string }
  /** `[0]`, `[*]`, `[1:3]`, `[?(…)]`: items of a list (`[*]` also values of a map). */
  | { readonly type: 'items'; readonly any: boolean }
  /** `..name`: anywhere below. */
  | { readonly type: 'descendants' };

/**
 * Parses a JSON path of a printer column, such as `.status.conditions[?(@.type=="Ready")].status`. Supports the parts of client-go
 * `util/jsonpath` that a path without braces can use. Source: client-go `util/jsonpath`.
 * @returns the steps, or the reason why the path is invalid
 */
export function parseJsonPath(path: string): readonly PathStep[] | string {
  if (!path.startsWith('.')) return 'it does not start with a dot';
  const steps: PathStep[] = [];
  let rest = path;
  while (rest !== '') {
    const field = /^\.((?:[^.[\]\s{}\\]|\\.)+)/.exec(rest);
    const quoted = /^\.?\[(['"])((?:(?!\1)[^\\]|\\.)+)\1\]/.exec(rest);
    const items = /^\[(?:(-?\d+)|(\*)|-?\d*:-?\d*(?::-?\d+)?|-?\d+(?:,-?\d+)+)\]/.exec(rest);
    const match = /^\.\.(?=[^.])/.exec(rest) ?? field ?? quoted ?? items;
    if (match === null) {
      const filter = filterLength(rest);
      if (filter === 0)
        return steps.length === 0
          ? 'it names no field'
          : `what follows ${path.slice(0, path.length - rest.length)} is not understood`;
      steps.push({ type: 'items', any: false });
      rest = rest.slice(filter);
      continue;
    }
    if (match[0] === '..') {
      steps.push({ type: 'descendants' });
      // The next step begins with the second dot or, in `..[`, with the bracket.
      rest = rest.slice(rest[2] === '[' ? 2 : 1);
      continue;
    }
    if (match === field)
      steps.push(
        field[1] === '*' ? { type: 'items', any: true } : { type: 'field', name: unescape(field[1] ?? '') },
      );
    else if (match === quoted) steps.push({ type: 'field', name: unescape(quoted[2] ?? '') });
    else steps.push({ type: 'items', any: match[2] !== undefined });
    rest = rest.slice(match[0].length);
  }
  return steps;
}

function unescape(name: string): string {
  return name.replace(/\\(.)/g, '$1');
}

/**
 * Returns the length of a filter `[?(…)]` at the start of a text; 0 if the text does not start with a filter. Brackets in quotes do not end
 * the filter.
 */
function filterLength(text: string): number {
  if (!text.startsWith('[?(')) return 0;
  return (
    /^\[\?\((?:"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|\[[^\]]*\]|[^"'[\]])+\)\]/.exec(text)?.[0].length ?? 0
  );
}
