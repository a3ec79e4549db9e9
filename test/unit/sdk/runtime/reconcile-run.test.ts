import { getEventListeners } from 'node:events';
import { describe, expect, it } from 'vitest';
import {
  ApiError,
  requeueAfter,
  type ControllerClient,
  type ControllerOptions,
} from '../../../../src/index.ts';
import { Site, site } from './kinds.ts';
import { conflict, idle, metric, setUp, untilAborted } from './reconcile-setup.ts';

describe('a reconcile that takes too long', () => {
  it('is aborted after reconcileTimeout, counts as an error, and is retried', async () => {
    let tries = 0;
    const { queue, clock, lines, runner } = setUp({
      name: 'aborted',
      reconcileTimeout: '2s',
      reconcile: async (_, ctx) => (++tries === 1 ? untilAborted(ctx) : undefined),
    });
    queue.add('default/a');
    await idle();
    clock.advance(1999);
    await idle();
    expect(lines).toEqual([]);
    clock.advance(1);
    await idle();
    expect(lines).toMatchObject([
      {
        level: 'error',
        msg: 'Reconciler error',
        name: 'a',
        attempt: 1,
        retryAfter: '5ms',
        error: {
          findings: [
            {
              code: 'runtime/reconcile-timeout',
              message: 'reconcile of Site default/a did not end within 2s',
              where: { object: 'controller aborted' },
            },
          ],
        },
      },
    ]);
    expect(await metric('reconcile_timeouts_total', 'aborted')).toBe(1);
    expect(await metric('reconcile_errors_total', 'aborted')).toBe(1);
    clock.advance(5);
    await idle();
    expect(tries).toBe(2);
    expect(lines).toHaveLength(1);
    await runner.stop();
    expect(clock.timers).toBe(0);
  });

  it('counts as failed, too, if it returns nothing when it is aborted', async () => {
    const { queue, clock, lines, runner } = setUp({
      name: 'returns-late',
      reconcileTimeout: 100,
      reconcile: async (_, ctx) => untilAborted(ctx).catch(() => requeueAfter('1h')),
    });
    queue.add('default/a');
    await idle();
    clock.advance(100);
    await idle();
    expect(lines).toMatchObject([{ msg: 'Reconciler error', retryAfter: '5ms' }]);
    expect(queue.failures('default/a')).toBe(1);
    await runner.stop();
  });

  it('and ignores the abort keeps its key and its worker, and is logged each minute until it ends', async () => {
    let release: () => void = () => undefined;
    const { queue, clock, lines, runner } = setUp({
      name: 'ignores',
      reconcileTimeout: '90s',
      reconcile: async () => new Promise<undefined>((resolve) => (release = () => resolve(undefined))),
    });
    queue.add('default/a');
    await idle();
    queue.add('default/a');
    clock.advance(59_999);
    expect(lines).toEqual([]);
    clock.advance(1);
    expect(lines).toMatchObject([
      {
        level: 'warn',
        msg: 'Reconcile still running',
        controller: 'ignores',
        namespace: 'default',
        name: 'a',
        reconcileID: expect.any(String),
        attempt: 1,
        running: '1m',
      },
    ]);
    expect(lines[0]).not.toHaveProperty('aborted');
    clock.advance(60_000);
    clock.advance(60_000);
    expect(lines.slice(1)).toMatchObject([
      { running: '2m', aborted: true },
      { running: '3m', aborted: true },
    ]);
    expect(runner.running).toEqual(['default/a']);
    expect(await metric('active_workers', 'ignores')).toBe(1);
    expect(await metric('reconcile_timeouts_total', 'ignores')).toBe(1);
    release();
    await idle();
    expect(lines.slice(3)).toMatchObject([{ msg: 'Reconciler error' }]);
    // The run for the change meanwhile.
    expect(runner.running).toEqual(['default/a']);
    release();
    await runner.stop();
    expect(await metric('active_workers', 'ignores')).toBe(0);
  });

  it('is noticed at its own time, whatever ran before it', async () => {
    const timedOut: string[] = [];
    const { queue, clock, runner } = setUp({
      concurrency: 2,
      reconcileTimeout: '5s',
      reconcile: async (_, ctx) => {
        ctx.signal.addEventListener('abort', () => timedOut.push(`${ctx.key.name} ${clock.now()}`));
        if (ctx.key.name === 'long') await new Promise(() => undefined);
        await untilAborted(ctx);
      },
    });
    queue.add('default/long');
    await idle();
    clock.advance(7000);
    queue.add('default/later');
    await idle();
    clock.advance(4999);
    expect(timedOut).toEqual(['long 5000']);
    clock.advance(1);
    expect(timedOut).toEqual(['long 5000', 'later 12000']);
    void runner.stop();
  });
});

describe('the signal of a run', () => {
  it('is one for each run and leaves nothing with the signal of the manager', async () => {
    const seen: AbortSignal[] = [];
    const clients = new Set<ControllerClient>();
    const { queue, manager, runner, signals } = setUp({
      reconcile: ({ metadata }, ctx) => {
        if (metadata.name === 'quiet') return;
        clients.add(ctx.client).add(ctx.client);
        seen.push(ctx.signal);
      },
    });
    for (const name of ['a', 'b', 'quiet']) queue.add(`default/${name}`);
    await idle();
    expect(new Set(seen).size).toBe(2);
    expect(clients.size).toBe(2);
    // The client is made for those who ask for it.
    expect(signals).toHaveLength(2);
    expect(getEventListeners(manager.signal, 'abort')).toHaveLength(1);
    manager.abort(new Error('stop'));
    expect(seen.map(({ aborted }) => aborted)).toEqual([false, false]);
    await runner.stop();
    expect(getEventListeners(manager.signal, 'abort')).toHaveLength(0);
  });

  it('is that of its requests if it may time out; otherwise they share the signal of the manager', async () => {
    const ofRun: AbortSignal[] = [];
    const ofRequests: (AbortSignal | undefined)[] = [];
    const requestsOf = async (controller: Partial<ControllerOptions<Site>>): Promise<AbortSignal> => {
      const { queue, manager, runner, signals } = setUp({
        reconcile: (_, ctx) => {
          void ctx.client;
          ofRun.push(ctx.signal);
          ofRequests.push(signals.at(-1)?.());
        },
        ...controller,
      });
      for (const name of ['a', 'b']) queue.add(`default/${name}`);
      await idle();
      await runner.stop();
      return manager.signal;
    };
    await requestsOf({ reconcileTimeout: '2s' });
    expect(ofRequests.map((signal, i) => signal === ofRun[i])).toEqual([true, true]);
    expect(new Set(ofRequests).size).toBe(2);
    const shared = await requestsOf({});
    expect(ofRequests.slice(2).map((signal) => signal === shared)).toEqual([true, true]);
  });

  it('is aborted with the reason of the manager, also if it is read only then; no timer is left', async () => {
    const reasons: unknown[] = [];
    let release: () => void = () => undefined;
    const released = new Promise<void>((resolve) => (release = resolve));
    const { queue, manager, clock, runner } = setUp({
      concurrency: 2,
      reconcile: async (_, ctx) => {
        if (ctx.key.name === 'a') await untilAborted(ctx).catch((error: unknown) => reasons.push(error));
        await released;
        reasons.push(ctx.signal.reason);
      },
    });
    queue.add('default/a');
    queue.add('default/b');
    await idle();
    const reason = new Error('the time is over');
    const stopping = runner.stop();
    manager.abort(reason);
    await idle();
    expect(reasons).toEqual([reason]);
    expect(clock.timers).toBe(0);
    release();
    await stopping;
    expect(reasons).toEqual([reason, reason, reason]);
  });
});

describe('attempts', () => {
  it('are counted from 1 until a run succeeds, and logged with the time of the next', async () => {
    const attempts: number[] = [];
    const { queue, clock, lines, runner } = setUp({
      reconcile: (_, { attempt }) => {
        attempts.push(attempt);
        if (attempts.length % 10 !== 0) throw new Error('boom');
      },
    });
    queue.add('default/a');
    await idle();
    for (let i = 0; i < 9; i++) {
      clock.advance(5 * 2 ** i);
      await idle();
    }
    queue.add('default/a');
    await idle();
    expect(attempts).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 1]);
    expect(lines[8]).toMatchObject({ level: 'error', attempt: 9, retryAfter: '1.28s' });
    await runner.stop();
  });

  it('wait as long as the backoff of the controller says', async () => {
    const times: number[] = [];
    const { queue, clock, runner } = setUp({
      backoff: { base: '1s', cap: '3s' },
      reconcile: () => {
        times.push(clock.now());
        throw new Error('boom');
      },
    });
    queue.add('default/a');
    await idle();
    for (let i = 0; i < 9; i++) {
      clock.advance(1000);
      await idle();
    }
    expect(times).toEqual([0, 1000, 3000, 6000, 9000]);
    await runner.stop();
  });

  it('that meet a conflict are an info line without a stack', async () => {
    const { queue, lines, runner } = setUp({
      name: 'conflicts',
      reconcile: () => {
        throw conflict();
      },
    });
    queue.add('default/a');
    await idle();
    expect(lines).toEqual([
      expect.objectContaining({
        level: 'info',
        msg: 'Conflict; reconciling again',
        attempt: 1,
        retryAfter: '5ms',
        reason: expect.stringContaining('modified'),
      }),
    ]);
    expect(lines[0]).not.toHaveProperty('error');
    expect(await metric('reconcile_errors_total', 'conflicts')).toBe(1);
    await runner.stop();
  });

  it('that meet a conflict of field managers are an error with the managers, their fields and a growing delay', async () => {
    const { queue, lines, clock, runner } = setUp({
      name: 'owned-fields',
      reconcile: () => {
        throw new ApiError({ verb: 'apply', resource: Site, namespace: 'default', name: 'a' }, 409, {
          kind: 'Status',
          reason: 'Conflict',
          message: 'Apply failed with 2 conflicts',
          details: {
            causes: ['.spec.a', '.spec.b'].map((field) => ({
              reason: 'FieldManagerConflict',
              message: 'conflict with "kubectl-edit" using v1',
              field,
            })),
          },
        });
      },
    });
    queue.add('default/a');
    await idle();
    clock.advance(5);
    await idle();
    expect(lines).toEqual(
      ['5ms', '10ms'].map((retryAfter) =>
        expect.objectContaining({
          level: 'error',
          msg: 'Field manager conflict',
          retryAfter,
          conflicts: [{ manager: '"kubectl-edit" using v1', fields: ['.spec.a', '.spec.b'] }],
          hint: expect.stringContaining('force'),
        }),
      ),
    );
    await runner.stop();
  });
});

describe('a write that finds nothing', () => {
  const notFound = (verb: string, name: string) =>
    new ApiError({ verb, resource: Site, namespace: 'default', name }, 404, {
      kind: 'Status',
      reason: 'NotFound',
      message: `sites "${name}" not found`,
    });

  /** The lines of a run that throws, and of a retry. */
  async function linesOf(error: Error, present?: Site & { metadata: { uid: string } }): Promise<string[]> {
    let ran = false;
    const { queue, lines, clock, runner } = setUp(
      {
        name: 'writes-nothing',
        reconcile: () => {
          ran = true;
          throw error;
        },
      },
      { lookUp: () => (ran ? (present as ReturnType<typeof site> | undefined) : site('a')) },
    );
    queue.add('default/a');
    for (let i = 0; i < 2; i += 1) {
      await idle();
      clock.advance(1000);
    }
    await runner.stop();
    return lines.map(({ level, msg }) => `${level} ${msg}`);
  }

  const deleted = 'debug Object was deleted meanwhile';

  it('is one debug line if the object of the run is gone, or another one has its name', async () => {
    expect(await linesOf(notFound('create', 'child'))).toEqual([deleted]);
    expect(await linesOf(notFound('create', 'child'), site('a', { uid: 'another' }))).toEqual([deleted]);
    expect(await linesOf(notFound('updateStatus', 'a'), site('a'))).toEqual([deleted]);
  });

  it('is an error if the object of the run exists, and so is a read that finds nothing', async () => {
    expect(await linesOf(notFound('update', 'child'), site('a'))).toContain('error Reconciler error');
    expect(await linesOf(notFound('get', 'a'))).toContain('error Reconciler error');
  });
});

it('runs that were under way at a time are known as far as they still are, or took long', async () => {
  const { queue, clock, runner } = setUp({
    concurrency: 3,
    reconcile: async ({ metadata: { name } }, { signal }) => {
      if (name === 'blocks') clock.advance(1500);
      if (name === 'waits')
        await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()));
    },
  });
  for (const name of ['waits', 'blocks']) queue.add(`default/${name}`);
  await idle();
  clock.advance(10);
  queue.add('default/after');
  await idle();
  expect(runner.runningAt(500)).toEqual(['default/blocks', 'default/waits']);
  expect(runner.runningAt(1505)).toEqual(['default/waits']);
  void runner.stop();
});
