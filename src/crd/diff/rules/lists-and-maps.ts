import { canonicalJson, jsonListOf, jsonTextOf } from '../../../util/json-map.ts';
import type { Schema } from '../schema-node.ts';
import type { Rule } from './rule.ts';

/** How server-side apply merges lists and objects. Absent is atomic for lists, granular for objects. */
export const listsAndMapsRule: Rule = {
  keywords: ['x-kubernetes-list-type', 'x-kubernetes-list-map-keys', 'x-kubernetes-map-type'],
  compare(pair, report) {
    const [before, after] = [listType(pair.old), listType(pair.new)];
    if (before !== after)
      report({ code: 'list-type-changed', message: `list type ${before} became ${after}` });
    const [oldKeys, keys] = [mapKeys(pair.old), mapKeys(pair.new)];
    if (before === after && canonicalJson(oldKeys) !== canonicalJson(keys)) {
      const message = `list map keys ${oldKeys.join(', ')} became ${keys.join(', ')}`;
      report({ code: 'list-map-keys-changed', message });
    }
    const [oldMap, map] = [mapType(pair.old), mapType(pair.new)];
    if (oldMap !== map) report({ code: 'map-type-changed', message: `map type ${oldMap} became ${map}` });
  },
};

const listType = (schema: Schema): string => jsonTextOf(schema['x-kubernetes-list-type']) || 'atomic';
const mapType = (schema: Schema): string => jsonTextOf(schema['x-kubernetes-map-type']) || 'granular';
const mapKeys = (schema: Schema): readonly string[] =>
  jsonListOf(schema['x-kubernetes-list-map-keys']).map(jsonTextOf).sort();
