import { jsonListOf, jsonTextOf } from '../../../../base/util/json-map.ts';
import { isKubernetesReference } from '../kubernetes-references.ts';
import { hasRules, listTypeOf, mapTypeOf, type Schema } from '../schema-node.ts';
import type { Report } from '../change.ts';
import type { NodePair, Rule } from './rule.ts';

/** Compares how server-side apply merges lists and objects, and which items of lists are duplicates. */
export const listsAndMapsRule: Rule = {
  keywords: ['x-kubernetes-list-type', 'x-kubernetes-list-map-keys', 'x-kubernetes-map-type'],
  compare(pair, report) {
    compareListTypes(pair, report);
    compareMapTypes(pair, report);
  },
};

function compareListTypes(pair: NodePair, report: Report): void {
  const [before, after] = [listTypeOf(pair.old), listTypeOf(pair.new)];
  if (before !== after) {
    const message = `list type ${before} became ${after}`;
    // A set and a map refuse duplicates, wherever they are.
    if (after !== 'atomic') report({ code: 'list-type-changed', message });
    else reportMerge('list-type-atomic', message, pair, report);
    return;
  }
  const [oldKeys, keys] = [mapKeys(pair.old), mapKeys(pair.new)];
  if (oldKeys.join() === keys.join()) return;
  const message = `list map keys ${oldKeys.join(', ')} became ${keys.join(', ')}`;
  // Items that differ in some keys differ in more keys, too.
  if (!oldKeys.every((key) => keys.includes(key))) report({ code: 'list-map-keys-changed', message });
  else reportMerge('list-map-keys-added', message, pair, report);
}

/** A change of what server-side apply merges. Rules of CEL compare and add lists by their types, also where nothing is merged. */
function reportMerge(
  code: 'list-type-atomic' | 'list-map-keys-added',
  message: string,
  pair: NodePair,
  report: Report,
): void {
  const isSeenByRules = pair.isInsideRules || hasRules(pair.old) || hasRules(pair.new);
  if (isSeenByRules) report({ code, message, affects: ['stored', 'writers'], note: rulesNote });
  else report({ code: pair.isInsideAtomic ? 'merge-unaffected' : code, message });
}

// Source: apiserver `pkg/cel/common/values.go`, unstructuredSetList and unstructuredMapList.
const rulesNote =
  'The rules of CEL here or around it may decide otherwise: `==` and `+` heed the order of an atomic list, not that of a set or a map, whose items are the same if their keys are.';

function compareMapTypes(pair: NodePair, report: Report): void {
  const [before, after] = [mapTypeOf(pair.old), mapTypeOf(pair.new)];
  if (before === after) return;
  const message = `map type ${before} became ${after}`;
  if (pair.isInsideAtomic) report({ code: 'merge-unaffected', message });
  else if (after !== 'atomic') report({ code: 'map-type-changed', message });
  else {
    const isReference = isKubernetesReference(pair.old) && isKubernetesReference(pair.new);
    report({ code: isReference ? 'reference-atomic' : 'map-type-atomic', message });
  }
}

/** Their order counts for nobody. */
const mapKeys = (schema: Schema): readonly string[] =>
  jsonListOf(schema['x-kubernetes-list-map-keys']).map(jsonTextOf).sort();
