import { canonicalJson, jsonListOf, type JsonMap } from '../../../../base/util/json-map.ts';
import type { Schema } from '../schema-node.ts';

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
