import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Member } from '../../src/cluster/observed.ts';
import { batchSize, freeSlots, planMoves, quotaOf, shareSlots } from '../../src/cluster/slots.ts';
import { slotCount } from '../../src/redis/cluster-node.ts';
import { idleLoad } from '../fixtures/node-load.ts';

function master(index: number, slots: readonly number[]): Member {
  const name = `c-${index}`;
  const self = {
    ...{ id: name, ip: name, flags: [], master: undefined, isLinked: true, moving: [] },
    slots,
  };
  return {
    ...{ name: `${name}-0`, shard: name, ip: name, nodeName: '', isReady: true, isOutdated: false },
    ...{ isServing: true, replication: { isInSync: true, offset: 0 }, load: idleLoad },
    self,
    known: [self],
  };
}

/** Masters with all slots among them in random shares. */
const clusters = fc
  .record({ from: fc.integer({ min: 1, max: 8 }), to: fc.integer({ min: 1, max: 8 }), seed: fc.nat() })
  .map(({ from, to, seed }) => {
    const count = Math.max(from, to);
    const slots = Array.from({ length: count }, (): number[] => []);
    for (let slot = 0; slot < slotCount; slot++) slots[(slot * (seed + 1) + (slot >> 7)) % from]?.push(slot);
    return { members: slots.map((own, index) => master(index, own)), wanted: to };
  });

const shardsOf = (count: number): string[] => Array.from({ length: count }, (_, index) => `c-${index}`);

test('quotas are all slots together, and differ by one at most', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 64 }), (masters) => {
      const quotas = shardsOf(masters).map((_, index) => quotaOf(index, masters));
      expect(quotas.reduce((sum, quota) => sum + quota, 0)).toBe(slotCount);
      expect(Math.max(...quotas) - Math.min(...quotas)).toBeLessThanOrEqual(1);
    }),
  );
});

test('moves end with equal shares, and each slot is moved once', () => {
  fc.assert(
    fc.property(clusters, ({ members, wanted }) => {
      let current = members;
      const moved = new Set<number>();
      for (let round = 0; round <= slotCount / batchSize + 1; round++) {
        const moves = planMoves(current, shardsOf(wanted));
        if (moves.length === 0) break;
        expect(moves.length).toBeLessThanOrEqual(batchSize);
        for (const { slot } of moves) {
          expect(moved.has(slot)).toBe(false);
          moved.add(slot);
        }
        const targets = new Map(moves.map(({ slot, to }) => [slot, to.self.id]));
        current = current.map((member, index) =>
          master(index, [
            ...member.self.slots.filter((slot) => !targets.has(slot)),
            ...[...targets].flatMap(([slot, id]) => (id === member.self.id ? [slot] : [])),
          ]),
        );
      }
      const sizes = current.map(({ self }) => self.slots.length);
      expect(sizes).toEqual(sizes.map((_, index) => (index < wanted ? quotaOf(index, wanted) : 0)));
    }),
    { numRuns: 20 },
  );
});

test('slots without a master are shared, and none is given twice', () => {
  const members = [master(0, [0, 1, 2]), master(1, []), master(2, [])];
  const shares = shareSlots(members, shardsOf(3));
  const given = shares.flatMap(({ slots }) => slots);
  expect(given).toEqual(freeSlots(members));
  expect(shares.map(({ slots }) => slots.length)).toEqual([5459, 5461, 5461]);
});
