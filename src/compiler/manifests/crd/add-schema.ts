import { formatWhere } from '../../../base/errors/format.ts';
import type { FindingList } from '../../../base/errors/index.ts';
import {
  type FieldColumn,
  type GeneratedSchema,
  type JSONSchemaProps,
  type SourcePlace,
  type TaggedPath,
} from '../../schema/index.ts';
import type { Placed } from '../declaration.ts';
import type { ColumnDeclaration, KindVersion, KindWithSchema, ScalePaths } from './kind-version.ts';

/** Puts a declaration and the schema of its interface together, with what the interface's tags say about the resource. */
export function addSchema(
  findings: FindingList,
  kind: KindVersion,
  generated: GeneratedSchema,
): KindWithSchema {
  const tagged = generated.printerColumns.map((column) => taggedColumn(column, kind.place));
  return {
    ...kind,
    columns: [...tagged, ...kind.columns],
    scale: scaleOf(findings, kind, generated.scale),
    selectableFields: selectableOf(findings, kind, generated.selectableFields),
    schema: withRules(generated.schema, kind),
  };
}

/** A column of a `@printerColumn` tag. Those come first: they show the fields, and the declared ones often end with the age. */
function taggedColumn(column: FieldColumn, place: SourcePlace): ColumnDeclaration {
  return { ...column, jsonPath: { value: column.jsonPath, place }, place };
}

function scaleOf(
  findings: FindingList,
  { scale, place }: KindVersion,
  tagged: GeneratedSchema['scale'],
): ScalePaths | undefined {
  const paths = Object.entries(tagged).map(([name, path]) => [name, placed(path)] as const);
  const [first] = paths;
  if (first === undefined) return scale;
  if (scale !== undefined) {
    findings.add(
      saidTwice('the scale subresource', '@scale', 'scale', first[1].place, placeOfScale(scale) ?? place),
    );
    return scale;
  }
  return Object.fromEntries(paths);
}

function placeOfScale({ spec, status, selector }: ScalePaths): SourcePlace | undefined {
  return (spec ?? status ?? selector)?.place;
}

function selectableOf(
  findings: FindingList,
  { selectableFields }: KindVersion,
  tagged: readonly TaggedPath[],
): KindWithSchema['selectableFields'] {
  const [first] = tagged;
  if (first === undefined) return selectableFields;
  if (selectableFields === undefined) return { value: tagged.map(placed), place: first.place };
  const what = 'the selectable fields';
  findings.add(saidTwice(what, '@selectable', 'selectableFields', first.place, selectableFields.place));
  return selectableFields;
}

function placed({ jsonPath, place }: TaggedPath): Placed<string> {
  return { value: jsonPath, place };
}

function saidTwice(what: string, tag: string, property: string, where: SourcePlace, other: SourcePlace) {
  return {
    code: 'manifests/said-twice',
    message: `${what} of one version cannot come from ${tag} tags and from \`${property}\` of defineResource (${formatWhere(other)})`,
    where,
    fix: [`leave the tags or \`${property}\` out`],
  } as const;
}

function withRules(schema: JSONSchemaProps, { cel }: KindVersion): JSONSchemaProps {
  if (cel.length === 0) return schema;
  const rules = [...(schema['x-kubernetes-validations'] ?? []), ...cel.map(({ value }) => value)];
  return { ...schema, 'x-kubernetes-validations': rules };
}
