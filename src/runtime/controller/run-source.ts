import type { ObjectKey } from '../../kube/types.ts';
import { Backoff, pause, untilAborted, type Clock } from '../../net/index.ts';
import type { Logger } from '../create-logger.ts';
import { durationText } from '../../util/duration-text.ts';
import type { KeySource, SourceContext } from './sources.ts';

/** Between failures: 1 s, doubled up to a minute, and from the start after two minutes without one. */
const backoffSettings = { initial: 1000, factor: 2, maximum: 60_000, jitter: 0.2, resetAfter: 120_000 };

export interface RunSourceOptions {
  readonly context: SourceContext;
  readonly log: Logger;
  readonly clock: Clock;
  /** Takes the keys; throws for keys that can be no object's. */
  add(keys: Iterable<ObjectKey>): void;
}

/** Reads a source until the operator stops or the source ends; again, after a while, when it throws. Never rejects. */
export async function runSource(source: KeySource, options: RunSourceOptions): Promise<void> {
  const { context, clock } = options;
  const { signal } = context;
  const log = options.log.child({ source: source.name });
  const backoff = new Backoff(backoffSettings, () => clock.now());
  for (let attempt = 1; !signal.aborted; attempt += 1) {
    try {
      await readSource(source, options);
      if (!signal.aborted) log.info('Source ended');
      return;
    } catch (error) {
      if (signal.aborted) return;
      const delay = backoff.next();
      log.error({ error, attempt, retryAfter: durationText(delay) }, 'Source failed');
      await pause(clock, delay, signal);
    }
  }
}

async function readSource(source: KeySource, { context, add }: RunSourceOptions): Promise<void> {
  const { signal } = context;
  const iterator = source.keys(context)[Symbol.asyncIterator]();
  const stopped = untilAborted(signal);
  for (;;) {
    // An iterable that ignores the signal must not keep the operator from ending.
    const next = await Promise.race([iterator.next(), stopped]);
    if (next === undefined) {
      void iterator.return?.().catch(() => undefined);
      return;
    }
    if (next.done === true) return;
    add(next.value);
  }
}
