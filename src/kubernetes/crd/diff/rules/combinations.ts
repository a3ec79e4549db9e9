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

/** allOf, anyOf, oneOf and not: equal up to order, or a change whose effect is known in the simplest cases only. */
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
    else report({ code: 'combination-changed', message: '`not` excludes something else' });
  },
};

const intOrString = canonicalJson([{ type: 'integer' }, { type: 'string' }]);

type Junctor = (typeof junctors)[number];

/** Returns the members that both schemas have, even where one has them twice: a bound may move from the schema into its `allOf`. */
function sharedMembers({ old, new: now }: NodePair, keyword: Junctor): ReadonlySet<string> {
  const after = new Set(jsonListOf(now[keyword]).map(memberText));
  return new Set(
    jsonListOf(old[keyword])
      .map(memberText)
      .filter((member) => after.has(member)),
  );
}

/** The members of a junctor; without those of `allOf` that demand nothing, unless they are `shared`. */
function membersOf(schema: Schema, keyword: Junctor, shared: ReadonlySet<string>): readonly string[] {
  const members = jsonListOf(schema[keyword])
    .filter(
      (member) =>
        keyword !== 'allOf' ||
        shared.has(memberText(member)) ||
        !isImplied(jsonMapOf(withoutDocs(member)), schema),
    )
    .map(memberText);
  // The one form in which a junctor says types says nothing but what x-kubernetes-int-or-string says.
  const isRedundant =
    keyword === 'anyOf' && kindOf(schema) === 'int-or-string' && `[${members.join(',')}]` === intOrString;
  return isRedundant ? [] : members.sort();
}

const memberText = (member: unknown): string => canonicalJson(withoutDocs(member));

const documentation: readonly string[] = documentationKeywords;
const withSchema: readonly string[] = ['items', 'additionalProperties', 'not'];
const withSchemas: readonly string[] = ['properties', 'patternProperties'];

/** A schema without what says nothing about values. Data in it, such as the values of an enum, stay as they are. */
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
  // The order of names counts for nobody.
  return keyword === 'required' ? [...(value as unknown[])].sort() : value;
}

const lower = ['minimum', 'minLength', 'minItems', 'minProperties'];
const upper = ['maximum', 'maxLength', 'maxItems', 'maxProperties'];

/** Returns true if a member of `allOf` demands nothing that the node around it does not demand itself, such as a bound that it repeats. */
export function isImplied(member: JsonMap, node: Schema): boolean {
  return Object.keys(member).every((keyword) => {
    const [inner, own] = [member[keyword], node[keyword]];
    if (own === undefined) return isAlwaysTrue(keyword, member, node);
    if (canonicalJson(inner) === canonicalJson(own)) return true;
    if (keyword === 'required') return includesAll(own, inner);
    // An empty one of the node demands nothing.
    if (keyword === 'enum') return jsonListOf(own).length > 0 && includesAll(inner, own);
    if (typeof inner !== 'number' || typeof own !== 'number') return isAlwaysTrue(keyword, member, node);
    return (lower.includes(keyword) && inner <= own) || (upper.includes(keyword) && inner >= own);
  });
}

/** Exclusive ends: that of a range which reaches beyond the node's own excludes nothing. */
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
