import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseNodeInfo } from '../../src/redis/node-info.ts';

const master = `# Server
redis_version:7.0.15
# Memory
used_memory:1640792
used_memory_human:1.56M
maxmemory:16777216
# Stats
instantaneous_ops_per_sec:12
rejected_connections:3
evicted_keys:7
# Replication
role:master
connected_slaves:2
slave0:ip=10.0.0.7,port=6379,state=online,offset=1240,lag=1
slave1:ip=10.0.0.8,port=6379,state=wait_bgsave,offset=0,lag=0
master_repl_offset:1500
slave_repl_offset:1
repl_backlog_size:1048576
`.replaceAll('\n', '\r\n');

test('reads what a master says', () => {
  expect(parseNodeInfo(master)).toEqual({
    replication: { isInSync: true, offset: 1500 },
    load: {
      ...{ usedMemory: 1_640_792, maxMemory: 16_777_216, operationsPerSecond: 12 },
      ...{ evictedKeys: 7, rejectedConnections: 3, backlogSize: 1_048_576 },
      // The other one copies the data.
      followers: [{ ip: '10.0.0.7', lagSeconds: 1, lagBytes: 260 }],
    },
  });
});

test.each([
  { link: 'up', sync: 0, isInSync: true },
  { link: 'down', sync: 0, isInSync: false },
  { link: 'up', sync: 1, isInSync: false },
])('reads what a replica says: link $link, synchronization $sync', ({ link, sync, isInSync }) => {
  const text = `role:slave\r\nmaster_link_status:${link}\r\nmaster_sync_in_progress:${sync}\r\nslave_repl_offset:42\r\n`;
  expect(parseNodeInfo(text).replication).toEqual({ isInSync, offset: 42 });
});

test('does not take what is missing, or no number, for 0', () => {
  fc.assert(
    fc.property(
      fc.array(fc.constantFrom(...master.split('\r\n'), 'used_memory:', 'maxmemory:-1', 'slave0:,,')),
      (lines) => {
        const { load } = parseNodeInfo(lines.join('\r\n'));
        const has = (name: string): boolean =>
          /:\d+$/.test(lines.filter((line) => line.startsWith(`${name}:`)).at(-1) ?? '');
        expect(load.usedMemory !== undefined).toBe(has('used_memory'));
        expect(load.maxMemory !== undefined).toBe(has('maxmemory'));
        expect(load.operationsPerSecond !== undefined).toBe(has('instantaneous_ops_per_sec'));
        for (const { lagBytes } of load.followers) expect(lagBytes).toBeGreaterThanOrEqual(0);
      },
    ),
  );
});
