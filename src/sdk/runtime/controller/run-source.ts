import type { ObjectKey } from '../../kube/types.ts';
import { Backoff, pause, waitFor, type Clock } from '../../net/index.ts';
import type { Logger } from '../create-logger.ts';
import { durationText } from '../../../base/util/duration-text.ts';
import type { KeySource, SourceContext } from './sources.ts';

/** Between failures: 1 s, doubled up to a minute, and from the start after keys have come. */
const backoffSettings = { initial: 1000, factor: 2, maximum: 60_000, jitter: 0.2 };

export interface RunSourceOptions {
  readonly context: SourceContext;
  readonly log: Logger;
  readonly clock: Clock;
  /** Takes the keys; throws for keys that can be no object's. */
  readonly add: (keys: Iterable<ObjectKey>) => void;
}

/** Reads a source until the operator stops or the source ends; again, after a while, when it throws. Never rejects. */
export async function runSource(source: KeySource, options: RunSourceOptions): Promise<void> {
  const { context, clock } = options;
  const { signal } = context;
  const log = options.log.child({ source: source.name });
  const backoff = new Backoff(backoffSettings);
  let attempt = 1;
  const add = (keys: Iterable<ObjectKey>): void => {
    options.add(keys);
    attempt = 1;
    backoff.reset();
  };
  for (; !signal.aborted; attempt += 1) {
    try {
      await readSource(source, { ...options, add });
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
  const keys = source.keys(context);
  const iterator = keys[Symbol.asyncIterator]();
  for (;;) {
    try {
      // An iterable that ignores the signal must not keep the operator from ending.
      const next = await waitFor(iterator.next(), signal);
      if (next.done === true) return;
      add(next.value);
    } catch (error) {
      // It is read again from its start: what this reading holds, such as a subscription, must not stay behind.
      void iterator.return?.().catch(() => undefined);
      throw error;
    }
  }
}
