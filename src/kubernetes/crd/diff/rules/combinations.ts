import {
  canonicalJson,
  isJsonMap,
  jsonListOf,
  jsonMapOf,
  type JsonMap,
} from '../../../../base/util/json-map.ts';
import { documentationKeywords, kindOf, type Schema } from '../schema-node.ts';
import type { NodePair, Rule } from './values.ts';

const junctors = ['allOf', 'anyOf', 'oneOf'] as const;

/**
 * Compares allOf, anyOf, oneOf and not. The order of their members is ignored. The effect of a change is known only in the simplest cases.
 */
export const combinationsRule: Rule = {
  keywords: [...junctors, 'not'],
  compare(pair, report) {
    for (const keyword of junctors) {
      const shared = sharedMembers(pair, keyword);
      const before = membersOf(pair.old, keyword, shared);
      const after = membersOf(pair.new, keyword, shared);
      if (canonicalJson(before) === canonicalJson(after)) continue;
      const gone = before.filter((member) => !after.includes(member)).length;
      const added = after.filter((member) => !before.includes(member)).length;
      const changes = [
        ...(gone > 0 ? [`lost ${gone} of its ${before.length} schemas`] : []),
        ...(added > 0 ? [`got ${added} new`] : []),
      ];
      const message = `\`${keyword}\` ${changes.join(', and ') || 'repeats a schema'}`;
      const isLooser = (keyword === 'allOf' && added === 0) || (keyword === 'anyOf' && gone === 0);
      if (before.length === 0) report({ code: 'combination-added', message: `\`${keyword}\` is new` });
      else if (after.length === 0)
        report({ code: 'combination-loosened', message: `\`${keyword}\` was removed` });
      else report({ code: isLooser ? 'combination-loosened' : 'combination-changed', message });
    }
    const before = canonicalJson(withoutDocs(pair.old['not']));
    const after = canonicalJson(withoutDocs(pair.new['not']));
    if (before === after) return;
    if (pair.old['not'] === undefined) report({ code: 'combination-added', message: '`not` is new' });
    else if (pair.new['not'] === undefined)
      report({ code: 'combination-loosened', message: '`not` was removed' });
    else
      report({
        code: 'combination-changed',
        message: 'the schema in `not` changed, so that it excludes other values',
      });
  },
};

const intOrString = canonicalJson([{ type: 'integer' }, { type: 'string' }]);

type Junctor = (typeof junctors)[number];

/**
 * Returns the members of a keyword such as `allOf` that occur in both schemas. Such members are compared even if the schema itself implies
 * them, because a bound may move from the schema into its `allOf`.
 */
function sharedMembers({ old, new: now }: NodePair, keyword: Junctor): ReadonlySet<string> {
  const after = new Set(jsonListOf(now[keyword]).map(memberText));
  return new Set(
    jsonListOf(old[keyword])
      .map(memberText)
      .filter((member) => after.has(member)),
  );
}

/**
 * Returns the members of `allOf`, `anyOf` or `oneOf`. Members of `allOf` that the schema itself implies are omitted, unless they are in
 * `shared`.
 */
function membersOf(schema: Schema, keyword: Junctor, shared: ReadonlySet<string>): readonly string[] {
  const members = jsonListOf(schema[keyword])
    .filter(
      (member) =>
        keyword !== 'allOf' ||
        shared.has(memberText(member)) ||
        !isImplied(jsonMapOf(withoutDocs(member)), schema),
    )
    .map(memberText);
  // An `anyOf` with exactly the types integer and string is equivalent to x-kubernetes-int-or-string, so it is redundant. In any other
  // form, members must not contain types.
  const isRedundant =
    keyword === 'anyOf' && kindOf(schema) === 'int-or-string' && `[${members.join(',')}]` === intOrString;
  return isRedundant ? [] : members.sort();
}

const memberText = (member: unknown): string => canonicalJson(withoutDocs(member));

const documentation: readonly string[] = documentationKeywords;
const withSchema: readonly string[] = ['items', 'additionalProperties', 'not'];
const withSchemas: readonly string[] = ['properties', 'patternProperties'];

/** Removes documentation keywords from a schema. Data, such as the values of an enum, is kept unchanged. */
function withoutDocs(schema: unknown): unknown {
  if (!isJsonMap(schema)) return schema;
  const kept = Object.entries(schema).filter(([keyword]) => !documentation.includes(keyword));
  return Object.fromEntries(kept.map(([keyword, value]) => [keyword, valueWithoutDocs(keyword, value)]));
}

function valueWithoutDocs(keyword: string, value: unknown): unknown {
  if (withSchema.includes(keyword)) return withoutDocs(value);
  if (withSchemas.includes(keyword) && isJsonMap(value))
    return Object.fromEntries(Object.entries(value).map(([name, schema]) => [name, withoutDocs(schema)]));
  if (!Array.isArray(value)) return value;
  if ((junctors as readonly string[]).includes(keyword)) return value.map(withoutDocs);
  // The order of the names in `required` is irrelevant.
  return keyword === 'required' ? [...(value as unknown[])].sort() : value;
}

const lower = ['minimum', 'minLength', 'minItems', 'minProperties'];
const upper = ['maximum', 'maxLength', 'maxItems', 'maxProperties'];

/** Returns true if a schema node itself implies a member of its `allOf`, for example if the member repeats a bound of the node. */
export function isImplied(member: JsonMap, node: Schema): boolean {
  return Object.keys(member).every((keyword) => {
    const [inner, own] = [member[keyword], node[keyword]];
    if (own === undefined) return isAlwaysTrue(keyword, member, node);
    if (canonicalJson(inner) === canonicalJson(own)) return true;
    if (keyword === 'required') return includesAll(own, inner);
    // An empty enum of the node allows every value, so that it does not imply the member.
    if (keyword === 'enum') return jsonListOf(own).length > 0 && includesAll(inner, own);
    if (typeof inner !== 'number' || typeof own !== 'number') return isAlwaysTrue(keyword, member, node);
    return (lower.includes(keyword) && inner <= own) || (upper.includes(keyword) && inner >= own);
  });
}

/**
 * Returns true if an exclusive bound of an `allOf` member has no effect, because the range of the member extends beyond the range of the
 * node. Returns false for other keywords.
 */
function isAlwaysTrue(keyword: string, member: JsonMap, node: Schema): boolean {
  if (keyword !== 'exclusiveMinimum' && keyword !== 'exclusiveMaximum') return false;
  if (member[keyword] !== true) return true;
  const bound = keyword === 'exclusiveMinimum' ? 'minimum' : 'maximum';
  const [inner, own] = [member[bound], node[bound]];
  if (typeof inner !== 'number' || typeof own !== 'number') return inner === undefined;
  return bound === 'minimum' ? inner < own : inner > own;
}

function includesAll(list: unknown, items: unknown): boolean {
  const known = new Set(jsonListOf(list).map(canonicalJson));
  return jsonListOf(items).every((item) => known.has(canonicalJson(item)));
}
