import type { JSONSchemaProps } from '../../kubernetes/crd/index.ts';
import type { Reporter } from './reporter.ts';
import type { Doc, Tag } from './shape.ts';
import { tagProblem } from './tags/apply-tags.ts';

/** A column in the output of `kubectl get`, from the `@printerColumn` tag of a field. */
export interface FieldColumn {
  readonly name: string;
  readonly type: 'integer' | 'number' | 'string' | 'boolean' | 'date';
  readonly jsonPath: string;
  /**
   * Priority of the column. A column with priority 0 is always shown; a column with a greater number is shown only with `-o wide`.
   * Undefined unless the tag sets it.
   */
  readonly priority?: number;
  readonly description?: string;
}

interface ColumnCollector {
  /** @param path path of the field; undefined if the field is inside of a list or record */
  add(doc: Doc | undefined, schema: JSONSchemaProps, path: readonly string[] | undefined): void;
  /** All columns, in the order of the fields. */
  readonly all: readonly FieldColumn[];
}

export function createColumns(reporter: Reporter): ColumnCollector {
  const all: FieldColumn[] = [];
  return {
    all,
    add(doc, schema, path) {
      const tag = doc?.tags.find((item) => item.name === 'printerColumn');
      if (doc === undefined || tag === undefined) return;
      const column = columnOf(doc, tag, schema, path);
      if (typeof column === 'string')
        reporter.error(tagProblem('schema/printer-column', tag, `${doc.label}: ${column}`, fix), []);
      else all.push(column);
    },
  };
}

const fix = [
  'remove the tag, or declare the column in defineResource: `printerColumns: [{ name, type, jsonPath }]`',
];

function columnOf(
  doc: Doc,
  tag: Tag,
  schema: JSONSchemaProps,
  path: readonly string[] | undefined,
): FieldColumn | string {
  if (doc.kind !== 'member') return '@printerColumn must be on a field, but this comment is on a type';
  if (path === undefined) return 'a printer column cannot show a field inside of a list or a record';
  const type = columnType(schema);
  if (type === undefined) return 'a printer column cannot show this field: it is a list or an object';
  const odd = path.find((name) => !/^[A-Za-z_][\w-]*$/.test(name));
  if (odd !== undefined)
    return `the path of the column cannot be written with the field name ${JSON.stringify(odd)}`;
  const text = /^(.*?)\s*(?:\bpriority=(\d+))?$/s.exec(tag.text);
  const name = (text?.[1] ?? '').replace(/^"(.*)"$/, '$1');
  if (name.includes('\n') || name.includes('=')) return 'expects `@printerColumn [Name] [priority=1]`';
  if (Number(text?.[2] ?? 0) > 2 ** 31 - 1) return 'has a priority that is not a 32-bit integer';
  return {
    name: name === '' ? headerOf(path.at(-1) ?? '') : name,
    type,
    jsonPath: path.map((part) => `.${part}`).join(''),
    ...(text?.[2] === undefined ? {} : { priority: Number(text[2]) }),
    ...(schema.description === undefined ? {} : { description: schema.description }),
  };
}

function columnType(schema: JSONSchemaProps): FieldColumn['type'] | undefined {
  if (schema['x-kubernetes-int-or-string'] === true) return 'string';
  switch (schema.type) {
    case 'string':
      return schema.format === 'date-time' || schema.format === 'date' ? 'date' : 'string';
    case 'integer':
    case 'number':
    case 'boolean':
      return schema.type;
    case undefined:
    default:
      return undefined;
  }
}

/** Returns the default header of a field's column: `ReadyReplicas` for the field `readyReplicas`. */
function headerOf(field: string): string {
  return `${field.charAt(0).toUpperCase()}${field.slice(1)}`;
}
