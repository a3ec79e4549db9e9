import type { FindingCode } from '../../base/errors/index.ts';
import { type JSONSchemaProps, checkSchema, type SchemaPath } from '../../kubernetes/crd/index.ts';
import type { Origin, SchemaNode } from './schema-node.ts';
import type { Reporter } from './reporter.ts';
import type { Doc, Tag } from './shape.ts';
import { tagProblem } from './tags/apply-tags.ts';
import { parseCel } from './tags/cel.ts';
import { parseK8s } from './tags/values.ts';
import { writtenName } from './tags/tag-names.ts';

/**
 * Keywords whose problems at the root are not reported again, because `checkRootKeywords` has already reported them together with a reason.
 */
const checkedAtRoot = new Set<unknown>(['default', 'nullable', 'additionalProperties']);

/**
 * Checks a generated schema as the API server checks it. This is the last check before the schema is returned. An error at this point is
 * therefore caused by a tag, by a list whose items cannot be identified, or by a bug of op-sdk.
 *
 * @param schema the complete root schema
 * @param root node of the root schema, with the origins of the schema's parts
 */
export function finalCheck(
  schema: JSONSchemaProps,
  root: SchemaNode,
  reporter: Pick<Reporter, 'error'>,
): void {
  checkSchema(
    { ...schema },
    {
      path: [],
      hasStatus: false,
      problem(path, message, owner) {
        if (path.length === 1 && checkedAtRoot.has(path[0])) return;
        const place = originAt(schema, root, path);
        // Skips the problem if the part is incomplete, because the reason for that has already been reported.
        if (!place.origin.isComplete) return;
        report(owner === undefined ? place : originAt(schema, root, owner, path), message, reporter);
      },
    },
  );
}

interface Place {
  readonly origin: Origin;
  /** Keys that lead from the schema of `origin` to the part that has the problem. */
  readonly rest: SchemaPath;
  readonly path: SchemaPath;
  readonly schema: JSONSchemaProps;
}

const nowhere: Origin = { label: 'the kind', docTrail: [], docs: [], isComplete: true };

/** Returns the origin of the innermost part on a path, among the parts whose origin is known. */
function originAt(schema: JSONSchemaProps, root: SchemaNode, steps: SchemaPath, path = steps): Place {
  let place: Place = { origin: root.origin ?? nowhere, rest: path, path, schema };
  let node: SchemaNode | undefined = root;
  for (let index = 0; node !== undefined && index < steps.length;) {
    const isField: boolean = steps[index] === 'properties';
    node = isField
      ? node.parts.properties?.get(String(steps[index + 1]))
      : { items: node.parts.items, additionalProperties: node.parts.values }[String(steps[index])];
    index += isField ? 2 : 1;
    if (node?.origin !== undefined)
      place = { origin: node.origin, rest: path.slice(index), path, schema: node.schema };
  }
  return place;
}

/**
 * Finds the source of the part at a path, to report a problem there. Returns the tag that sets the part, if a tag sets it, and the docs on
 * the path to the part.
 */
export function blame(
  schema: JSONSchemaProps,
  root: SchemaNode,
  path: SchemaPath,
): { readonly tag: Tag | undefined; readonly docTrail: readonly Doc[] } {
  const { origin, schema: part, rest } = originAt(schema, root, path);
  return { tag: blamedTag(origin, part, rest), docTrail: origin.docTrail };
}

function report(
  { origin, rest, path, schema }: Place,
  message: string,
  reporter: Pick<Reporter, 'error'>,
): void {
  const { label, docTrail } = origin;
  const [keyword, ...inside] = rest;
  const at = inside.length === 0 ? '' : ` (at ${rest.join('.')})`;
  const text = `${label}: ${message}${at}`;
  const tag = blamedTag(origin, schema, rest);
  if (tag !== undefined) {
    const fix = tag.name === 'k8s' ? 'correct the JSON of the tag' : `correct the @${writtenName(tag)}`;
    reporter.error(tagProblem(codeFor(tag), tag, text, [fix]), docTrail);
  } else if (isAboutItems(schema, keyword)) {
    reporter.error(
      { code: 'schema/list-type', message: `${label}: ${message}`, fix: listFixes(schema) },
      docTrail,
    );
  } else if (schema['x-kubernetes-embedded-resource'] === true) {
    const fix = ['give apiVersion, kind and metadata the types that every resource has'];
    reporter.error({ code: 'schema/utility-type', message: `${label}: ${message}`, fix }, docTrail);
  } else {
    const fix = ['report it with the declaration: nothing that is accepted here should come out like this'];
    const where = path.join('.');
    const problem = `${label}: the generated schema is not valid: ${message} (at ${where === '' ? 'the root' : where})`;
    reporter.error({ code: 'schema/not-structural', message: problem, fix }, docTrail);
  }
}

function codeFor(tag: Tag): FindingCode {
  if (tag.name === 'k8s') return 'schema/k8s-tag';
  return tag.name === 'default' ? 'schema/default-value' : 'schema/tag-value';
}

/** @param keyword keyword that has the problem; undefined for problems of the list itself */
function isAboutItems(schema: JSONSchemaProps, keyword: string | number | undefined): boolean {
  return (
    schema['x-kubernetes-list-type'] !== undefined &&
    [undefined, 'items', 'x-kubernetes-list-type', 'x-kubernetes-list-map-keys'].includes(keyword as string)
  );
}

function listFixes(schema: JSONSchemaProps): string[] {
  return schema['x-kubernetes-list-type'] === 'set'
    ? ['make the items AtomicObject<T>, AtomicMap<T> or AtomicList<T>', 'or use AtomicList<T> for the whole']
    : ['correct the item type or the keys, or use AtomicList<T>'];
}

/**
 * Returns the tag that causes a problem. This is the tag that has the name of the faulty keyword. If such a tag does not exist, it is a
 * `@k8s` tag, which may set any keyword.
 */
function blamedTag({ docs }: Origin, schema: JSONSchemaProps, rest: SchemaPath): Tag | undefined {
  const tags = docs.flatMap((doc) => doc.tags);
  const [keyword = '', index] = rest;
  const k8s = tags.filter((tag) => tag.name === 'k8s');
  const named = tags.find((tag) => tag.name === (tagOf[keyword] ?? keyword));
  if (keyword === 'x-kubernetes-validations') {
    const rule = schema['x-kubernetes-validations']?.[Number(index)]?.rule;
    const cel = tags.find((tag) => (tag.name === 'cel' && ruleOf(tag) === rule) || isImmutable(tag, rule));
    if (cel !== undefined) return cel;
  }
  return (
    k8s.find((tag) => says(tag, String(keyword))) ??
    named ??
    k8s[0] ??
    tags.find((tag) => opens.has(tag.name))
  );
}

const tagOf: Readonly<Record<string, string>> = {
  'x-kubernetes-embedded-resource': 'embeddedResource',
  'x-kubernetes-preserve-unknown-fields': 'preserveUnknownFields',
  'x-kubernetes-map-type': 'mapType',
};

/** Tags that impose requirements on the entire schema of a part, so that they may cause a problem of any keyword. */
const opens: ReadonlySet<string> = new Set(['embeddedResource', 'preserveUnknownFields']);

function ruleOf(tag: Tag): string | undefined {
  const parsed = parseCel(tag.text);
  return 'value' in parsed ? parsed.value.rule : undefined;
}

function isImmutable(tag: Tag, rule: string | undefined): boolean {
  return tag.name === 'immutable' && rule === 'self == oldSelf';
}

function says(tag: Tag, keyword: string): boolean {
  const parsed = parseK8s(tag.text);
  return 'value' in parsed && Object.hasOwn(parsed.value, keyword);
}
