import { describe, expect, it } from 'vitest';
import { metricsRegistry, type EventRecorder } from '../../../../../src/index.ts';
import type { Event } from '../../../../../src/sdk/k8s/generated/events/v1.ts';
import { ApiError, type Client } from '../../../../../src/sdk/kube/index.ts';
import { EventWriter, eventSource, recorderFor } from '../../../../../src/sdk/runtime/events/index.ts';
import { configMap, site } from '../kinds.ts';
import { ManualClock } from '../manual-clock.ts';
import { memoryLog } from '../memory-log.ts';

interface Request {
  readonly verb: 'create' | 'patch';
  readonly name: string;
  readonly body: Partial<Event>;
}

let controllers = 0;
const minute = 60_000;
const idle = async () => new Promise((resolve) => setImmediate(resolve));

const apiError = (status: number, reason: string, causes: readonly { reason: string }[] = []) =>
  new ApiError({ verb: 'create' }, status, {
    ...{ kind: 'Status', status: 'Failure', message: reason, code: status, reason },
    details: { causes: [...causes] },
  } as never);

function setUp() {
  const clock = new ManualClock();
  const { log, lines } = memoryLog();
  const requests: Request[] = [];
  /** What the next requests fail with; undefined: they hang until they are aborted. */
  const failures: (Error | undefined)[] = [];
  const answer = async (request: Request, signal: AbortSignal | undefined) => {
    requests.push(request);
    if (failures.length === 0) return;
    const failure = failures.shift();
    if (failure !== undefined) throw failure;
    await new Promise((_, reject) => signal?.addEventListener('abort', () => reject(signal.reason as Error)));
  };
  const client = {
    create: (_: unknown, body: Event, options: { signal?: AbortSignal }) =>
      answer({ verb: 'create', name: body.metadata.name, body }, options.signal),
    patch: (
      _: unknown,
      key: { name: string },
      { body }: { body: Event },
      options: { signal?: AbortSignal },
    ) => answer({ verb: 'patch', name: key.name, body }, options.signal),
  } as unknown as Client;
  const writer = new EventWriter({ client, clock });
  const controller = `events-${(controllers += 1)}`;
  const source = eventSource('my_Operator', controller, log);
  const events = recorderFor(writer, source, site('a'));
  const lost = async () => {
    const { values } = (await metricsRegistry.getSingleMetric('opsdk_events_dropped_total')?.get()) ?? {
      values: [],
    };
    const own = values.filter((v) => v.labels['controller'] === controller && v.value > 0);
    return Object.fromEntries(own.map((v) => [v.labels['reason'], v.value]));
  };
  const pass = async (milliseconds: number) => {
    clock.advance(milliseconds);
    await idle();
  };
  return { clock, writer, events, requests, failures, lines, lost, pass, controller };
}

describe('an Event', () => {
  it('says who, about what, when and why, and is written without the caller waiting', async () => {
    const { events, requests, controller } = setUp();
    events.normal('ScaledUp', 'from 1 to 3', { action: 'Scale', related: configMap('c') });
    expect(requests).toEqual([]);
    await idle();
    expect(requests).toEqual([
      {
        verb: 'create',
        name: expect.stringMatching(/^a\.[0-9a-f]{16}$/),
        body: {
          metadata: { name: requests[0]?.name, namespace: 'default' },
          eventTime: '2026-01-02T03:04:05.678000Z',
          reportingController: `my-operator/${controller}`,
          reportingInstance: expect.stringMatching(/./),
          type: 'Normal',
          reason: 'ScaledUp',
          action: 'Scale',
          note: 'from 1 to 3',
          regarding: {
            ...{ apiVersion: 'web.example.com/v1', kind: 'Site', name: 'a', namespace: 'default' },
            ...{ uid: 'uid-a', resourceVersion: '1' },
          },
          related: {
            ...{ apiVersion: 'v1', kind: 'ConfigMap', name: 'c', namespace: 'default' },
            ...{ uid: 'uid-c', resourceVersion: '1' },
          },
        },
      },
    ]);
  });

  it('about a cluster-scoped object is in the namespace default, with a name that the API server accepts', async () => {
    const { events, requests } = setUp();
    const role = {
      apiVersion: 'rbac.authorization.k8s.io/v1',
      kind: 'ClusterRole',
      metadata: { name: 'system:a' },
    };
    events.about(role).warning('Refused', 'x');
    await idle();
    expect(requests[0]).toMatchObject({
      name: expect.stringMatching(/^event\.[0-9a-f]{16}$/),
      body: {
        type: 'Warning',
        action: 'Reconcile',
        metadata: { namespace: 'default' },
        regarding: { name: 'system:a' },
      },
    });
  });

  it('has at most 1,024 bytes of text, and no half characters', async () => {
    const { events, requests } = setUp();
    for (const note of ['x'.repeat(1024), 'x'.repeat(1025), `${'x'.repeat(1019)}😀😀`]) {
      events.normal('Noted', note);
    }
    await idle();
    expect(requests.map(({ body }) => body.note)).toEqual([
      'x'.repeat(1024),
      `${'x'.repeat(1021)}…`,
      `${'x'.repeat(1019)}…`,
    ]);
  });

  it.each([
    ['reason', 'not camel case', 'Scale'],
    ['reason', '', 'Scale'],
    ['reason', `A${'a'.repeat(128)}`, 'Scale'],
    ['action', 'Fine', 'scale up'],
  ])('with an invalid %s (%j) is not written but warned of, once', async (name, reason, action) => {
    const { events, requests, lines, lost } = setUp();
    for (let i = 0; i < 3; i++) events.normal(reason, 'x', { action });
    await idle();
    expect(requests).toEqual([]);
    expect(lines).toEqual([
      expect.objectContaining({
        ...{ level: 'warn', msg: 'Invalid event; not written' },
        problem: expect.stringMatching(`^${name}: expected CamelCase of 1 to 128 characters, got `),
      }),
    ]);
    expect(await lost()).toEqual({ invalid: 3 });
  });

  it('never makes the caller fail, whatever it is given', async () => {
    const { events, requests } = setUp();
    const untyped = events as unknown as Record<keyof EventRecorder, (...args: unknown[]) => EventRecorder>;
    untyped.normal(undefined, 1n);
    untyped.normal(7n, 'x');
    untyped.normal('Fine', undefined);
    untyped.normal('Fine', 'x', { related: {} });
    untyped.about(undefined).normal('Fine', 'x');
    untyped.about({ kind: 'Site' }).normal('Fine', 'x');
    await idle();
    expect(requests).toEqual([]);
  });
});

describe('equal Events', () => {
  it('become a series: the second is written at once, the count of further ones every five minutes', async () => {
    const { events, requests, pass, clock } = setUp();
    for (let i = 0; i < 2; i++) {
      events.warning('Failing', 'no route');
      await pass(1000);
    }
    const [first] = requests;
    const second = { series: { count: 2, lastObservedTime: '2026-01-02T03:04:06.678000Z' } };
    expect(requests.slice(1)).toEqual([{ verb: 'patch', name: first?.name, body: second }]);
    for (let i = 0; i < 20; i++) {
      events.warning('Failing', 'no route');
      await pass(minute / 2);
    }
    expect(requests.slice(2).map(({ body }) => body.series)).toEqual([
      { count: 12, lastObservedTime: '2026-01-02T03:08:37.678000Z' },
      { count: 22, lastObservedTime: '2026-01-02T03:13:37.678000Z' },
    ]);
    await pass(60 * minute);
    expect(requests).toHaveLength(4);
    expect(clock.timers).toBe(0);
  });

  it('are new Events after six minutes', async () => {
    const { events, requests, pass } = setUp();
    for (const wait of [0, 6 * minute, 6 * minute + 1]) {
      await pass(wait);
      events.normal('Done', 'x');
      await idle();
    }
    expect(requests.map(({ verb }) => verb)).toEqual(['create', 'patch', 'create']);
  });

  it('are one request if the first was not written yet', async () => {
    const { events, requests } = setUp();
    for (let i = 0; i < 5; i++) events.normal('Done', 'x');
    await idle();
    expect(requests.map(({ verb, body }) => [verb, body.series?.count])).toEqual([['create', 5]]);
  });

  it('differ by type, reason, action, note, object and related object, not by the state of the object', async () => {
    const { events, requests } = setUp();
    events.normal('Done', 'x');
    events.about(site('a', { resourceVersion: '9' })).normal('Done', 'x');
    events.warning('Done', 'x');
    events.normal('Ended', 'x');
    events.normal('Done', 'x', { action: 'Other' });
    events.normal('Done', 'y');
    events.about(site('b')).normal('Done', 'x');
    events.normal('Done', 'x', { related: site('b') });
    await idle();
    expect(requests.map(({ verb, body }) => [verb, body.series?.count])).toEqual([
      ['create', 2],
      ...Array<unknown>(6).fill(['create', undefined]),
    ]);
  });

  it('are created again when the Event was deleted meanwhile', async () => {
    const { events, requests, failures } = setUp();
    events.normal('Done', 'x');
    await idle();
    failures.push(apiError(404, 'NotFound'));
    events.normal('Done', 'x');
    await idle();
    expect(requests.map(({ verb, body }) => [verb, body.series?.count])).toEqual([
      ['create', undefined],
      ['patch', 2],
      ['create', 2],
    ]);
  });
});

describe('an object in a hot loop', () => {
  it('has 25 different Events at once, then one every five minutes; others are not concerned', async () => {
    const { events, requests, lost, pass } = setUp();
    for (let i = 0; i < 40; i++) events.normal('Looping', `round ${i}`);
    events.about(site('b')).normal('Looping', 'round 0');
    await pass(5 * minute);
    for (let i = 40; i < 50; i++) events.normal('Looping', `round ${i}`);
    await idle();
    const notes = requests.map(({ body }) => `${body.regarding?.name}: ${body.note}`);
    expect(notes.slice(23)).toEqual(['a: round 23', 'a: round 24', 'b: round 0', 'a: round 40']);
    expect(await lost()).toEqual({ rate_limited: 24 });
  });
});

describe('a request that fails', () => {
  it('is tried again a few times, then given up', async () => {
    const { events, requests, failures, lost, pass, lines } = setUp();
    failures.push(new Error('connection refused'), apiError(500, 'InternalError'));
    events.normal('Done', 'x');
    await idle();
    for (let i = 0; i < 3; i++) await pass(minute);
    expect(requests.map(({ verb, name }) => [verb, name])).toEqual(
      Array(3).fill(['create', requests[0]?.name]),
    );
    expect(await lost()).toEqual({});

    failures.push(...Array<Error>(5).fill(new Error('connection refused')));
    events.normal('Done', 'y');
    await idle();
    for (let i = 0; i < 9; i++) await pass(minute);
    expect(requests).toHaveLength(8);
    expect(await lost()).toEqual({ unreachable: 1 });
    expect(lines.map(({ level, msg }) => [level, msg])).toEqual([['debug', 'Event not written']]);
  });

  it('is a success if the Event exists: an earlier try got through', async () => {
    const { events, requests, failures, lost, pass } = setUp();
    failures.push(new Error('connection reset'), apiError(409, 'AlreadyExists'));
    events.normal('Done', 'x');
    await idle();
    await pass(minute);
    expect(requests).toHaveLength(2);
    expect(await lost()).toEqual({});
  });

  it('is not tried again if the API server refuses it; a missing permission is a warning, once', async () => {
    const { events, requests, failures, lost, lines } = setUp();
    failures.push(
      apiError(403, 'Forbidden'),
      apiError(403, 'Forbidden'),
      apiError(403, 'Forbidden', [{ reason: 'NamespaceTerminating' }]),
      apiError(422, 'Invalid'),
    );
    for (const note of ['a', 'b', 'c', 'd', 'e']) events.normal('Done', note);
    await idle();
    expect(requests).toHaveLength(5);
    expect(await lost()).toEqual({ refused: 4 });
    expect(lines.filter(({ level }) => level !== 'debug').map(({ level, msg }) => [level, msg])).toEqual([
      ['warn', 'Events cannot be written: the API server forbids it'],
    ]);
  });

  it('holds back a thousand Events, no more', async () => {
    const { events, requests, failures, lost } = setUp();
    failures.push(undefined);
    for (let i = 0; i < 1100; i++) events.about(site(`s${i}`)).normal('Done', 'x');
    expect(await lost()).toEqual({ queue_full: 100 });
    await idle();
    expect(requests).toHaveLength(1);
  });
});

describe('when the manager stops', () => {
  it('what is waiting is written, counts too, and nothing afterwards', async () => {
    const { events, requests, writer, lost, clock } = setUp();
    for (let i = 0; i < 3; i++) {
      events.normal('Done', 'x');
      await idle();
    }
    events.normal('Ended', 'x');
    expect(requests).toHaveLength(2);
    await writer.close();
    expect(requests.slice(2).map(({ verb, body }) => [verb, body.reason ?? body.series?.count])).toEqual([
      ['create', 'Ended'],
      ['patch', 3],
    ]);
    events.normal('Late', 'x');
    await idle();
    expect(requests).toHaveLength(4);
    expect(await lost()).toEqual({ stopped: 1 });
    expect(clock.timers).toBe(0);
  });

  it('a request that hangs is aborted after two seconds', async () => {
    const { events, requests, failures, writer, lost, pass } = setUp();
    failures.push(undefined);
    events.normal('Done', 'x');
    events.normal('Ended', 'x');
    const closed = writer.close();
    await pass(1999);
    expect(await lost()).toEqual({});
    await pass(1);
    await closed;
    expect(requests).toHaveLength(1);
    expect(await lost()).toEqual({ stopped: 2 });
  });
});

it('names the controller as the API server accepts it, whatever the manager is called', () => {
  const { log } = memoryLog();
  const name = (manager: string) => eventSource(manager, 'site', log).reportingController;
  expect(name('shop-operator')).toBe('shop-operator/site');
  expect(name('_My.Op_-')).toBe('my.op/site');
  expect(name('-.-')).toBe('site');
});
