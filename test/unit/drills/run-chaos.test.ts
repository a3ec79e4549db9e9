import { expect, test } from 'vitest';
import { HealthGate } from '../../control-plane/drills/chaos/health-gate.ts';
import { runChaos } from '../../control-plane/drills/chaos/run-chaos.ts';

const fault = (kind: string, at: number, lasts = 0) => ({ kind, at, lasts, draw: 0.5 });

test('all faults are mended, also those that would last longer than the run', async () => {
  const broken = new Set<number>();
  let next = 0;
  const lines: string[] = [];
  const counts = await runChaos({
    lanes: [
      { faults: [fault('stop', 0, 60_000), fault('stop', 1, 60_000)], mayOverlap: true },
      { faults: [fault('nothing', 0), fault('kill', 1), fault('kill', 60_000)], mayOverlap: false },
    ],
    inflict: {
      stop: async () => {
        const id = next++;
        broken.add(id);
        return { victim: `node-${id}`, mend: () => void broken.delete(id) };
      },
      kill: async () => ({ victim: 'pod' }),
      nothing: async () => undefined,
    },
    seconds: 0.2,
    report: (line) => void lines.push(line.replace(/^\d+\.\d s: /, '')),
  });
  expect(counts).toEqual({ stop: 2, kill: 1 });
  expect([...broken]).toEqual([]);
  expect([...lines].sort()).toEqual([
    ...['kill pod', 'stop node-0', 'stop node-0 is over', 'stop node-1', 'stop node-1 is over'],
  ]);
});

test('a group is hit again only when what was hit has been replaced and all is in order', async () => {
  let running = ['a', 'b'];
  let isHealthy = true;
  const gate = new HealthGate({
    running: async () => running,
    expectHealthy: async () => {
      if (!isHealthy) throw new Error('no leader');
    },
  });
  const enters = async (...groups: readonly string[]): Promise<boolean> => {
    const leave = await gate.enter(groups, AbortSignal.timeout(50));
    leave?.([]);
    return leave !== undefined;
  };
  const leave = await gate.enter(['shard-0', 'shard-1'], new AbortController().signal);
  let isWaiting = true;
  const second = gate.enter(['shard-1'], new AbortController().signal).then((left) => {
    isWaiting = false;
    left?.([]);
  });
  expect(await enters('shard-2')).toBe(true);
  expect(isWaiting).toBe(true);
  leave?.(['a']);
  running = ['b', 'c'];
  await second;

  expect(await enters('shard-0')).toBe(true);
  running = ['a', 'b'];
  expect(await enters('shard-0')).toBe(false);
  running = ['b', 'c'];
  isHealthy = false;
  expect(await enters('shard-0')).toBe(false);
  expect(await enters('shard-2')).toBe(false);
  isHealthy = true;
  expect(await enters('shard-0', 'shard-2')).toBe(true);
});
