import { expect, it } from 'vitest';
import { from, type CachedReader } from '../../../../src/index.ts';
import { runSource } from '../../../../src/sdk/runtime/controller/watch.ts';
import { ManualClock } from './manual-clock.ts';
import { memoryLog } from './memory-log.ts';

it('a source whose key is invalid is closed before it is read again', async () => {
  const clock = new ManualClock();
  const stop = new AbortController();
  let open = 0;
  async function* items() {
    open += 1;
    try {
      yield 'a';
      yield 'b';
    } finally {
      open -= 1;
    }
  }
  const { log, lines } = memoryLog();
  const keys: string[] = [];
  const ended = runSource(
    from('items', items, (name) => [{ name }]),
    {
      context: { client: {} as CachedReader, signal: stop.signal, now: () => 0 },
      log,
      clock,
      add: (added) => {
        for (const { name } of added) keys.push(name);
        if (keys.length === 1) throw new TypeError('invalid');
      },
    },
  );
  await expect.poll(() => lines.some(({ msg }) => msg === 'Source failed')).toBe(true);
  await expect.poll(() => open).toBe(0);
  clock.advance(2000);
  await ended;
  expect(keys).toEqual(['a', 'a', 'b']);
});
