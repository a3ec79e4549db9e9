import { clone, listOf, objectOf, type JsonObject } from '../../../src/kubernetes/objects/index.ts';
import { jsonTextOf } from '../../../src/base/util/json-map.ts';
import type { Random } from '../random.ts';

type Change = (random: Random, spec: JsonObject) => void;

/** Changes of the few fields that a Pod or Job lets change. */
const changes: Readonly<Record<string, readonly Change[]>> = {
  Pod: [
    (_, spec) => {
      for (const container of listOf(spec['containers'])) objectOf(container)['image'] = 'other:1';
    },
    (_, spec) => {
      spec['tolerations'] = [...listOf(spec['tolerations']), { key: 'new', operator: 'Exists' }];
    },
    (random, spec) => {
      spec['activeDeadlineSeconds'] = random.pick([1, 60, 3600]);
    },
    (random, spec) => {
      spec['terminationGracePeriodSeconds'] = random.pick([1, 30]);
    },
  ],
  Job: ['parallelism', 'activeDeadlineSeconds', 'backoffLimit', 'ttlSecondsAfterFinished', 'maxFailedIndexes']
    .map((name): Change => (random, spec) => {
      spec[name] = random.pick([1, 2, 30]);
    })
    .concat((random, spec) => {
      spec['suspend'] = random.chance(0.5);
    }),
};

/** Returns a copy of a Pod or Job with a change that the server may accept, or undefined for other kinds. */
export function withLegalChange(random: Random, object: JsonObject): JsonObject | undefined {
  const ofKind = changes[jsonTextOf(object['kind'])];
  if (ofKind === undefined) return undefined;
  const changed = clone(object);
  random.pick(ofKind)(random, objectOf(changed['spec']));
  return changed;
}
