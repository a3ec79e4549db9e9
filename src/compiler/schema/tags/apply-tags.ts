import { closestName } from '../../../base/util/terminal-words.ts';
import type { JSONSchemaProps, ValidationRule } from '../../../kubernetes/crd/index.ts';
import type { Doc, Problem, Tag } from '../shape.ts';
import { parseCel } from './cel.ts';
import { mergeOverrides, parseK8s } from './values.ts';
import {
  isKnownTag,
  isMisplacedPrefix,
  readTagName,
  repeatableTags,
  schemaTags,
  tagPrefixes,
  tagsForPeople,
  type SchemaTag,
  writtenName,
} from './tag-names.ts';
import type { TagRule } from './shape-rules.ts';
import { tagRules } from './tag-rules.ts';

const leaveOut = 'remove the field from the API, or make it a kind of its own';

/** Advice for tags of other generators, by the name of the tag: it names the construct of op-sdk to use instead. */
const tagHints: Readonly<Record<string, string>> = {
  TJS: 'use a utility type such as Int32',
  asType: 'use a utility type such as Int32',
  enum: "make the field's type a union of literals: `'a' | 'b'`",
  examples: 'use @example',
  hidden: leaveOut,
  ignore: leaveOut,
  integer: 'make the type Int32, Int64 or Integer',
  items: 'name the constraint of the items: `@items.maxLength 10`',
  kubebuilder: "op-sdk's tags are listed in docs/crd.md",
  listMapKey: "make the type ListMap<T, 'key'>",
  listType: "make the type ListMap<T, 'key'>, ListSet<T> or AtomicList<T>",
  max: 'use @maximum',
  min: 'use @minimum',
  optional: 'make the field optional: `name?: …`',
  type: 'use the TypeScript type, or with `@k8s {"type": "…"}`',
  uniqueItems: 'make the type ListSet<T>; the API server refuses uniqueItems',
  validation: 'use @cel',
  values: 'name the constraint of the values: `@values.maxLength 10`',
};

type Report = (problem: Problem) => void;

/** Functions that receive the errors and the warnings about tags. */
interface TagReports {
  readonly error: Report;
  readonly warn: Report;
}

/**
 * Maps a tag to a tag with the same meaning but a different name. If one of the two is on the field, it replaces the other one on the
 * field's type.
 */
const sameMeaning: Readonly<Record<string, string>> = {
  exclusiveMinimum: 'minimum',
  exclusiveMaximum: 'maximum',
};

/**
 * Applies the tags of a field and of its type to the schema. If several docs contain the same tag with one value, the tag of the outermost
 * doc applies. All CEL rules apply. `@k8s` is applied last.
 *
 * @param docs the docs of the field, from that of the field itself to that of its type's declaration
 * @param inherited the docs of base interfaces
 */
export function applyTags(
  schema: JSONSchemaProps,
  docs: readonly Doc[],
  inherited: readonly Doc[],
  reports: TagReports,
): void {
  const all = [...docs, ...inherited];
  const report = reports.error;
  const label = docs[0]?.label ?? 'the type';
  applySingle(schema, all, label, reports);
  const outwards = [...inherited, ...docs.toReversed()];
  const hasRules = applyRules(schema, outwards, report);
  for (const tag of tagsNamed(outwards, 'k8s')) {
    const parsed = parseK8s(tag.text);
    if ('value' in parsed) {
      if (hasRules && 'x-kubernetes-validations' in parsed.value)
        report(tagProblem('schema/tag-value', tag, twoKindsOfRules, [mergeRules]));
      mergeOverrides(schema, parsed.value);
    } else report(tagProblem('schema/tag-value', tag, `@${writtenName(tag)} ${parsed.problem}`));
  }
}

/** Reports tags that do not exist, and tags that appear twice in one comment although they may appear only once. */
export function checkTagNames(doc: Doc, report: Report): void {
  const seen = new Set<string>();
  for (const tag of doc.tags) {
    const name = writtenName(tag);
    if (!isKnownTag(name)) report(unknownTag(tag, name));
    if (seen.has(name) && isKnownTag(name) && !repeatableTags.has(readTagName(name).base)) {
      report({
        ...tagProblem('schema/repeated-tag', tag, `@${name} appears twice in this comment`),
        fix: ['keep one of them'],
      });
    }
    seen.add(name);
  }
}

function unknownTag(tag: Pick<Tag, 'file' | 'position'>, name: string): Problem {
  return {
    ...tagProblem('schema/unknown-tag', tag, `unknown tag @${name}`),
    fix: [whatWasMeant(name) ?? 'docs/crd.md lists the tags; in a text, put the word into backticks'],
  };
}

function whatWasMeant(name: string): string | undefined {
  const { prefixes, base } = readTagName(name);
  if (isMisplacedPrefix(name))
    return `@${base} cannot have a prefix for items or values: write @ and the name alone`;
  const hint = tagHints[base.split(/[-.:]/)[0] ?? ''];
  if (hint !== undefined) return hint;
  // Finds a misspelled prefix, such as `@item.maxLength` instead of `@items.maxLength`.
  const [first = '', ...rest] = base.split('.');
  const prefix = rest.length === 0 ? undefined : closestName(first, tagPrefixes);
  if (prefix !== undefined) return `did you mean @${[...prefixes, prefix, ...rest].join('.')}?`;
  const meant = closestName(base, prefixes.length === 0 ? [...schemaTags, ...tagsForPeople] : schemaTags);
  return meant === undefined ? undefined : `did you mean @${[...prefixes, meant].join('.')}?`;
}

/**
 * Returns the tags that apply, by name. If several docs contain the same tag, or a tag with the same meaning, only the tag of the outermost
 * doc is returned.
 */
function effectiveTags(docs: readonly Doc[]): Map<string, Tag> {
  const effective = new Map<string, Tag>();
  const taken = new Set<string>();
  for (const doc of docs) {
    const here = new Set<string>();
    for (const tag of doc.tags) {
      const meaning = sameMeaning[tag.name] ?? tag.name;
      here.add(meaning);
      if (!taken.has(meaning) && !effective.has(tag.name)) effective.set(tag.name, tag);
    }
    for (const meaning of here) taken.add(meaning);
  }
  return effective;
}

function applySingle(
  schema: JSONSchemaProps,
  docs: readonly Doc[],
  label: string,
  reports: TagReports,
): void {
  const effective = effectiveTags(docs);
  for (const [name, rule] of tagRules) {
    const outermost = effective.get(name);
    if (outermost === undefined) continue;
    const all = tagsNamed(docs, name);
    const other = all.find((tag) => tag.text !== outermost.text);
    if (rule.beside === 'alone' && other !== undefined) {
      reports.error(
        tagProblem('schema/repeated-tag', other, twoJunctors(label, outermost), [joinJunctors(name)]),
      );
      continue;
    }
    const applied = rule.beside === 'adds' ? all.toReversed() : [outermost];
    for (const tag of applied) applyRule(schema, rule, tag, label, reports);
  }
}

const twoJunctors = (label: string, tag: Tag): string =>
  `${label}: @${writtenName(tag)} appears twice, here and outside of it, and only one can apply`;
const joinJunctors = (name: string): string =>
  `write both in one tag: \`@allOf [{"${name}": …}, {"${name}": …}]\``;

function applyRule(
  schema: JSONSchemaProps,
  rule: TagRule,
  tag: Tag,
  label: string,
  reports: TagReports,
): void {
  const name = writtenName(tag);
  if (!rule.fits(schema)) {
    const message = `${label}: @${name} needs ${rule.needs}; the type is ${describe(schema)}`;
    reports.error(tagProblem('schema/tag-type', tag, message, fixOf(schema, tag.name)));
    return;
  }
  const problem = rule.apply(schema, tag.text);
  if (problem === undefined) return;
  const report = rule.isAdvice === true ? reports.warn : reports.error;
  report(tagProblem(rule.code ?? 'schema/tag-value', tag, `${label}: @${name} ${problem}`, rule.fix));
}

function fixOf(schema: JSONSchemaProps, name: string): string[] {
  return schema.type === 'array' || schema.additionalProperties !== undefined
    ? [
        `if ${schema.type === 'array' ? 'the items' : 'the values'} are meant, write @${schema.type === 'array' ? 'items' : 'values'}.${name}`,
      ]
    : ['remove the tag, or correct the type'];
}

function describe(schema: JSONSchemaProps): string {
  if (schema['x-kubernetes-int-or-string'] === true)
    return schema.pattern === undefined ? 'IntOrString' : 'Quantity';
  return schema.type ?? 'any JSON value';
}

const immutable: ValidationRule = { rule: 'self == oldSelf', message: 'field is immutable' };

const twoKindsOfRules = '@k8s: its x-kubernetes-validations would overwrite the rules of @cel and @immutable';
const mergeRules = 'write its rules as `@cel {json}`';

/**
 * Writes the CEL rules into the schema. If several docs contain the same rule, it is written once, in the form of the outermost of these
 * docs. Returns true if any rule was written.
 */
function applyRules(schema: JSONSchemaProps, docs: readonly Doc[], report: Report): boolean {
  let rules: readonly ValidationRule[] = [];
  for (const doc of docs) {
    const own: ValidationRule[] = [];
    for (const tag of doc.tags) {
      if (tag.name === 'immutable') {
        if (tag.text !== '')
          report(tagProblem('schema/tag-value', tag, `@${writtenName(tag)} takes no value`));
        own.push({ ...immutable });
      }
      if (tag.name !== 'cel') continue;
      const parsed = parseCel(tag.text);
      if ('value' in parsed) own.push(parsed.value);
      else report(tagProblem('schema/tag-value', tag, `@${writtenName(tag)}: ${parsed.problem}`));
    }
    rules = [...rules.filter(({ rule }) => !own.some((other) => other.rule === rule)), ...own];
  }
  if (rules.length > 0)
    schema['x-kubernetes-validations'] = [...(schema['x-kubernetes-validations'] ?? []), ...rules];
  return rules.length > 0;
}

/** Returns all tags with a name, in the order of the docs. */
function tagsNamed(docs: readonly Doc[], name: SchemaTag): Tag[] {
  return docs.flatMap((doc) => doc.tags).filter((tag) => tag.name === name);
}

/** Creates a problem that is reported at the place of a tag. */
export function tagProblem(
  code: Problem['code'],
  tag: Pick<Tag, 'file' | 'position'>,
  message: string,
  fix: readonly string[] = ['correct the value of the tag'],
): Problem {
  return { code, message, fix, at: { file: tag.file, position: tag.position } };
}
