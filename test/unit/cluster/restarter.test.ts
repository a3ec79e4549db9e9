// The operator of `op-sdk dev`: one at a time, ended in order, with injected processes and an injected clock.
import { describe, expect, test } from 'vitest';
import { OperatorRestarter, type OperatorProcess } from '../../../src/cluster/dev/restarter.ts';
import type { Clock } from '../../../src/sdk/net/index.ts';
import type { ProcessExit } from '../../../src/base/process/guardian.ts';

interface FakeOperator extends OperatorProcess {
  readonly name: string;
  end(exit?: Partial<ProcessExit>): void;
}

/** A clock that stands still until it is moved. */
function manualClock() {
  let now = 0;
  let timers: { due: number; callback: () => void }[] = [];
  const clock: Clock = {
    now: () => now,
    today: () => new Date(now),
    after(milliseconds, callback) {
      const timer = { due: now + milliseconds, callback };
      timers.push(timer);
      return () => void (timers = timers.filter((each) => each !== timer));
    },
  };
  return {
    clock,
    advance: async (milliseconds: number): Promise<void> => {
      now += milliseconds;
      const due = timers.filter((timer) => timer.due <= now);
      timers = timers.filter((timer) => timer.due > now);
      for (const { callback } of due) callback();
      await settled();
    },
  };
}

/** Lets promises that are ready go on; nothing here waits for anything else. */
const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** @param obeys whether operators end at SIGTERM */
function setUp({ obeys = true, failing = () => false }: { obeys?: boolean; failing?: () => boolean } = {}) {
  const log: string[] = [];
  const operators: FakeOperator[] = [];
  const { clock, advance } = manualClock();
  const restarter = new OperatorRestarter({
    clock,
    grace: 10_000,
    start() {
      if (failing()) return Promise.reject(new Error('no process'));
      const name = `operator ${operators.length + 1}`;
      let finish: (exit: ProcessExit) => void = () => undefined;
      const exited = new Promise<ProcessExit>((resolve) => (finish = resolve));
      const operator: FakeOperator = {
        name,
        exited,
        end: (exit) => finish({ code: 0, signal: null, ...exit }),
        kill(signal) {
          log.push(`${signal} ${name}`);
          if (signal === 'SIGKILL') operator.end({ code: null, signal });
          else if (obeys) operator.end();
        },
      };
      operators.push(operator);
      log.push(`start ${name}`);
      return Promise.resolve(operator);
    },
    onEnded: ({ code }) => log.push(`ended with ${code}`),
    onSlow: () => log.push('slow'),
    onKilled: () => log.push('killed'),
  });
  return { restarter, operators, log, advance };
}

describe('a restart', () => {
  test('ends the running operator, then does what must not happen beside it, then starts the next one', async () => {
    const { restarter, log } = setUp();
    await restarter.restart();
    await restarter.restart(async () => void log.push('between'));
    expect(log).toEqual(['start operator 1', 'SIGTERM operator 1', 'between', 'start operator 2']);
    expect(restarter.running).toBe(true);
  });

  test('waits for an operator that takes its time, and says so once', async () => {
    const { restarter, operators, log, advance } = setUp({ obeys: false });
    await restarter.restart();
    const again = restarter.restart();
    await settled();
    await advance(2_000);
    await advance(7_999);
    expect(log).toEqual(['start operator 1', 'SIGTERM operator 1', 'slow']);
    operators[0]?.end();
    await again;
    expect(log.at(-1)).toBe('start operator 2');
  });

  test('kills an operator that has not ended within its grace', async () => {
    const { restarter, log, advance } = setUp({ obeys: false });
    await restarter.restart();
    const again = restarter.restart();
    await settled();
    await advance(2_000);
    await advance(8_000);
    await again;
    expect(log.slice(2)).toEqual(['slow', 'killed', 'SIGKILL operator 1', 'start operator 2']);
  });

  test('is carried out after the one before', async () => {
    const { restarter, log } = setUp();
    await Promise.all([restarter.restart(), restarter.restart(), restarter.restart()]);
    expect(log).toEqual([
      'start operator 1',
      'SIGTERM operator 1',
      'start operator 2',
      'SIGTERM operator 2',
      'start operator 3',
    ]);
  });

  test('that fails leaves no operator, and the next one starts one', async () => {
    let fails = false;
    const { restarter, log } = setUp({ failing: () => fails });
    await restarter.restart();
    fails = true;
    await expect(restarter.restart()).rejects.toThrow('no process');
    expect(restarter.running).toBe(false);
    fails = false;
    await expect(restarter.restart(() => Promise.reject(new Error('disk full')))).rejects.toThrow(
      'disk full',
    );
    expect(await restarter.restart()).toBe(true);
    expect(log).toEqual(['start operator 1', 'SIGTERM operator 1', 'start operator 2']);
  });
});

describe('an operator that ends by itself', () => {
  test('is reported, and not started again before somebody asks for it', async () => {
    const { restarter, operators, log } = setUp();
    await restarter.restart();
    operators[0]?.end({ code: 3 });
    await settled();
    expect(log).toEqual(['start operator 1', 'ended with 3']);
    expect(restarter.running).toBe(false);
    await restarter.restart();
    expect(log.slice(2)).toEqual(['start operator 2']);
  });
});

describe('closing', () => {
  test('ends the operator and starts none that was asked for before or after', async () => {
    const { restarter, log } = setUp();
    await restarter.restart();
    const asked = restarter.restart();
    await restarter.close();
    expect(await asked).toBe(false);
    expect(await restarter.restart()).toBe(false);
    expect(log).toEqual(['start operator 1', 'SIGTERM operator 1']);
  });
});
