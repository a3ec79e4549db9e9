import fc from 'fast-check';
import { expect, test } from 'vitest';
import { formatSlots, parseClusterNodes } from '../../src/redis/cluster-node.ts';
import { slotOf } from '../../src/redis/key-slot.ts';

test('reads the answer of Redis 7, with a slot on its way in both directions', () => {
  const text = [
    '07c37d 10.0.0.1:6379@16379,host-1 slave e7d1ee 0 1426238317239 4 connected',
    'e7d1ee 10.0.0.2:6379@16379,host-2 master,fail - 0 1426238316232 2 disconnected 5461-5462 5470',
    '67ed2d :0@0 master,noaddr - 1426238316232 1426238316232 3 disconnected 100',
    'a1b2c3 10.0.0.9:6379@16379 handshake - 0 0 0 disconnected',
    'fedcba :6379@16379 myself,master - 0 0 1 connected 0-2 [93->-e7d1ee] [77-<-67ed2d]',
    '',
  ].join('\n');
  expect(parseClusterNodes(text, '10.0.0.3')).toEqual([
    {
      ...{ id: '07c37d', ip: '10.0.0.1', flags: ['slave'], master: 'e7d1ee', isLinked: true },
      ...{ slots: [], moving: [] },
    },
    {
      ...{ id: 'e7d1ee', ip: '10.0.0.2', flags: ['master', 'fail'], master: undefined, isLinked: false },
      ...{ slots: [5461, 5462, 5470], moving: [] },
    },
    {
      ...{ id: '67ed2d', ip: '', flags: ['master', 'noaddr'], master: undefined, isLinked: false },
      ...{ slots: [100], moving: [] },
    },
    {
      ...{ id: 'fedcba', ip: '10.0.0.3', flags: ['myself', 'master'], master: undefined, isLinked: true },
      slots: [0, 1, 2],
      moving: [
        { slot: 93, direction: 'migrating', peer: 'e7d1ee' },
        { slot: 77, direction: 'importing', peer: '67ed2d' },
      ],
    },
  ]);
});

test('reads an address of IPv6', () => {
  const [node] = parseClusterNodes('a fd00::1:6379@16379 master - 0 0 0 connected', 'x');
  expect(node?.ip).toBe('fd00::1');
});

test('ranges of slots are read as they were written', () => {
  fc.assert(
    fc.property(fc.uniqueArray(fc.integer({ min: 0, max: 16_383 }), { maxLength: 50 }), (slots) => {
      const line = `a 10.0.0.1:6379@16379 master - 0 0 0 connected ${formatSlots(slots).replaceAll(',', ' ')}`;
      const sorted = [...slots].sort((a, b) => a - b);
      expect(parseClusterNodes(line, '')[0]?.slots).toEqual(sorted);
    }),
  );
});

// The slots are those that CLUSTER KEYSLOT returns.
test.each([
  ['foo', 12_182],
  ['123456789', 12_739],
  ['{user1000}.following', 3443],
  ['{user1000}.followers', 3443],
  ['foo{}{bar}', 8363],
  ['foo{{bar}}zap', 4015],
  ['', 0],
])('the slot of %j is %i', (key, slot) => {
  expect(slotOf(Buffer.from(key))).toBe(slot);
});
