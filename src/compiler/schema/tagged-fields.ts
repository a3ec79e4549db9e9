import { formatWhere } from '../../base/errors/index.ts';
import type { SourcePlace } from '../source/index.ts';
import type { JSONSchemaProps } from '../../kubernetes/crd/index.ts';
import { createColumns, type FieldColumn } from './printer-columns.ts';
import type { Reporter } from './reporter.ts';
import type { Doc, Tag } from './shape.ts';
import { tagProblem } from './tags/apply-tags.ts';

/** The JSON path of a field, for a tag of this field. */
export interface TaggedPath {
  readonly jsonPath: string;
  /** Place of the tag in the source. */
  readonly place: SourcePlace;
}

const parts = ['spec', 'status', 'selector'] as const;
type ScalePart = (typeof parts)[number];

/** Facts about the entire resource that come from tags on fields. Each JSON path in these facts leads to the field with the tag. */
export interface TaggedFields {
  /** Columns from `@printerColumn` tags, in the order of the fields. */
  readonly columns: readonly FieldColumn[];
  /** Paths from `@selectable` tags, in the order of the fields. */
  readonly selectable: readonly TaggedPath[];
  /** Paths from the tags `@scale spec`, `@scale status` and `@scale selector`. */
  readonly scale: Readonly<Partial<Record<ScalePart, TaggedPath>>>;
}

export interface TaggedFieldCollector extends TaggedFields {
  /**
   * @param docs docs of the field; the field's own doc is first
   * @param path path of the field; undefined if the field is inside of a list or record
   */
  add(docs: readonly Doc[], schema: JSONSchemaProps, path: readonly string[] | undefined): void;
}

export function createTaggedFields(reporter: Reporter): TaggedFieldCollector {
  const columns = createColumns(reporter);
  const selectable: TaggedPath[] = [];
  const scale: Partial<Record<ScalePart, TaggedPath>> = {};
  const refuse = (doc: Doc, tag: Tag, problem: string): void =>
    reporter.error(
      tagProblem(
        tag.name === 'printerColumn' ? 'schema/printer-column' : 'schema/tag-type',
        tag,
        `${doc.label}: ${problem}`,
        [fixes[tag.name] ?? ''],
      ),
      [],
    );

  function addSelectable(doc: Doc, tag: Tag, schema: JSONSchemaProps, path: Path): void {
    const problem = selectableProblem(tag, schema, path);
    if (problem === undefined) selectable.push({ jsonPath: jsonPath(path), place: reporter.place(tag) });
    else refuse(doc, tag, `@selectable ${problem}`);
  }

  function addScale(doc: Doc, tag: Tag, schema: JSONSchemaProps, path: Path): void {
    const part = parts.find((item) => item === tag.text);
    if (part === undefined) {
      refuse(doc, tag, '@scale expects spec, status or selector');
      return;
    }
    const first = scale[part];
    const problem =
      scaleProblem(part, schema, path) ??
      (first && `is already on another field (${formatWhere(first.place)})`);
    if (problem === undefined) scale[part] = { jsonPath: jsonPath(path), place: reporter.place(tag) };
    else refuse(doc, tag, `@scale ${part} ${problem}`);
  }

  return {
    columns: columns.all,
    selectable,
    scale,
    add(docs, schema, path) {
      const [own, ...types] = docs;
      columns.add(own, schema, path);
      for (const tag of own?.tags ?? []) {
        const isField = own?.kind === 'member';
        if (own === undefined || !(tag.name === 'selectable' || tag.name === 'scale')) continue;
        if (!isField) refuse(own, tag, `@${tag.name} belongs to a field, not to a type`);
        else if (path === undefined)
          refuse(
            own,
            tag,
            `@${tag.name} cannot be used inside of a list or a record: the field has no fixed path there`,
          );
        else if (tag.name === 'selectable') addSelectable(own, tag, schema, path);
        else addScale(own, tag, schema, path);
      }
      for (const doc of types) {
        const tag = doc.tags.find((item) => item.name in fixes);
        if (tag !== undefined) refuse(doc, tag, `@${tag.name} belongs to a field, not to a type`);
      }
    },
  };
}

type Path = readonly string[];

const fixes: Readonly<Record<string, string>> = {
  printerColumn: 'put the tag above the field that the column shows',
  selectable: 'put the tag above a field of its own with a string, boolean or integer',
  scale: 'put the tag above a field of its own, or declare `scale` in defineResource',
};

/**
 * Returns the reason why the API server rejects a field as a selectable field; undefined if it accepts the field. Source: apiextensions
 * `validation.go` `ValidateCustomResourceSelectableFields`.
 */
function selectableProblem(tag: Tag, schema: JSONSchemaProps, path: Path): string | undefined {
  if (tag.text !== '') return 'takes no value';
  if (!['string', 'boolean', 'integer'].includes(schema.type ?? ''))
    return `needs a string, a boolean or an integer; the type is ${schema.type ?? 'another one'}`;
  return pathProblem(path);
}

const scaleTypes: Readonly<Record<ScalePart, string>> = {
  spec: 'integer',
  status: 'integer',
  selector: 'string',
};

/**
 * Returns the reason why the API server rejects a field as a part of the scale subresource; undefined if it accepts the field. Source:
 * apiextensions `validation.go` `ValidateCustomResourceDefinitionSubresources`.
 */
function scaleProblem(part: ScalePart, schema: JSONSchemaProps, path: Path): string | undefined {
  const type = scaleTypes[part];
  const [root = ''] = path;
  const roots = part === 'selector' ? ['spec', 'status'] : [part];
  if (schema.type !== type)
    return `needs a field of type ${type}; the type is ${schema.type ?? 'another one'}`;
  if (!roots.includes(root) || path.length < 2) return `needs a field below .${roots.join(' or .')}`;
  return pathProblem(path);
}

/**
 * Reports a field name that a JSON path cannot contain. The API server splits the paths of selectable fields and of scale at dots, and
 * supports no brackets in them.
 */
function pathProblem(path: Path): string | undefined {
  const odd = path.find((name) => name === '' || /[.[\]']/.test(name));
  return odd === undefined ? undefined : `has no path with the field name ${JSON.stringify(odd)}`;
}

function jsonPath(path: Path): string {
  return path.map((name) => `.${name}`).join('');
}
