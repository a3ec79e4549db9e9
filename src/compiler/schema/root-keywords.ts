import type ts from 'typescript';
import type { JSONSchemaProps } from '../../kubernetes/crd/json-schema-props.ts';
import type { Reporter } from './reporter.ts';
import type { Shape, Tag } from './shape.ts';
import { besideStatus } from '../../kubernetes/crd/rules/schema/check-root.ts';
import { tagProblem } from './tags/apply-tags.ts';
import { parseK8s } from './tags/k8s.ts';

/** Keywords that no root may have: a default would have to hold apiVersion and kind. Source: apiextensions `validation.go`, measured with 1.36.3. */
const never: readonly (keyof JSONSchemaProps)[] = ['nullable', 'default', 'additionalProperties'];

/** The keywords that tags of other names write. */
const keywordOf: Readonly<Record<string, keyof JSONSchemaProps>> = {
  embeddedResource: 'x-kubernetes-embedded-resource',
  mapType: 'x-kubernetes-map-type',
};

/** Refuses keywords that the API server does not take at the root of a schema, each where a tag says it, else at the interface. */
export function checkRootKeywords(
  reporter: Reporter,
  node: ts.InterfaceDeclaration,
  shape: Shape,
  schema: JSONSchemaProps,
  hasStatus: boolean,
): void {
  const inherited = shape.form.kind === 'object' ? shape.form.inherited : [];
  const tags = [...shape.docs, ...inherited].flatMap((doc) => doc.tags);
  const refused = (keyword: string): boolean =>
    never.some((name) => name === keyword) || (hasStatus && !besideStatus.includes(keyword));
  const said = new Set<string>();
  for (const tag of tags) {
    for (const keyword of keywordsOf(tag).filter(refused)) {
      said.add(keyword);
      reporter.error(tagProblem('schema/tag-type', tag, messageOf(keyword), [fixOf(keyword)]), []);
    }
  }
  for (const keyword of Object.keys(schema)) {
    if (!refused(keyword) || said.has(keyword)) continue;
    const at = { file: node.getSourceFile(), position: node.name.getStart() };
    reporter.error(
      { code: 'schema/tag-type', message: messageOf(keyword), fix: [fixOf(keyword)], at },
      shape.docs,
    );
  }
}

/** The keywords that a tag sets; unknown ones are reported elsewhere. */
function keywordsOf(tag: Tag): readonly string[] {
  if (tag.name === 'k8s') {
    const parsed = parseK8s(tag.text);
    return 'value' in parsed ? Object.keys(parsed.value) : [];
  }
  return schemaTagKeywords.has(tag.name) ? [keywordOf[tag.name] ?? tag.name] : [];
}

const schemaTagKeywords = new Set([
  ...never,
  ...Object.keys(keywordOf),
  'minProperties',
  'maxProperties',
  'allOf',
  'anyOf',
  'oneOf',
  'not',
]);

function messageOf(keyword: string): string {
  const where = never.some((name) => name === keyword) ? '' : ' of a kind with a status subresource';
  return `${keyword} is not allowed at the root of the schema${where}`;
}

function fixOf(keyword: string): string {
  if (never.some((name) => name === keyword)) return 'remove it, or put it on the field that it is for';
  return 'put it on the field that it is for, write a CEL rule, or set `status: false` in defineResource';
}
