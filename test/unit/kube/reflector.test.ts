import { afterEach, describe, expect, test } from 'vitest';
import { isExpired, isForbidden, isTypeNotServed } from '../../../src/kube/index.ts';
import {
  added,
  bookmark,
  deleted,
  endOfInitialEvents,
  errorEvent,
  list,
  mirror,
  modified,
  status,
  stopMirrors,
  thing,
  tooLarge,
  type Thing,
} from './support/reflector-harness.ts';
import type { Exchange } from './support/scripted-server.ts';

afterEach(stopMirrors);

/** A streaming list that is complete at once and stays open. */
function initial(exchange: Exchange, version: string, ...things: Thing[]): void {
  exchange.open();
  exchange.events(...things.map(added), endOfInitialEvents(version));
}

const patient = { settings: { shortestWatch: 0 } };

describe.each(['http2', 'http1'] as const)('a reflector over %s', (protocol) => {
  test('R1 asks for a streaming list and is synced exactly at its end', async () => {
    let exchange: Exchange | undefined;
    const m = await mirror(protocol, (each) => {
      exchange = each;
      each.open();
      each.events(added(thing('a', '3')), added(thing('b', '9')), bookmark('9'));
    });
    await m.until(() => exchange !== undefined);
    expect(exchange?.query).toEqual({
      watch: 'true',
      allowWatchBookmarks: 'true',
      sendInitialEvents: 'true',
      resourceVersionMatch: 'NotOlderThan',
      timeoutSeconds: '300',
    });
    expect(m.log).toEqual([]);
    expect(m.reflector.state.synced).toBe(false);
    exchange?.events(endOfInitialEvents('10'));
    await m.until(() => m.log.length > 0);
    expect(m.log).toEqual(['replace a,b @10']);
    expect(m.states).toEqual([{ synced: true }]);
    exchange?.events(added(thing('c', '11')));
    await m.until(() => m.log.length > 1);
    expect(m.log).toEqual(['replace a,b @10', 'ADDED c']);
    expect(m.requests()).toEqual(['watchlist']);
  });

  test('R1 is synced at once when there is nothing', async () => {
    const m = await mirror(protocol, (each) => initial(each, '7'));
    await m.until(() => m.log.length > 0);
    expect(m.log).toEqual(['replace  @7']);
  });

  test('R1 takes changes during the initial events into the first list', async () => {
    const m = await mirror(protocol, (each) => {
      each.open();
      each.events(
        added(thing('a', '3')),
        added(thing('b', '4')),
        modified(thing('a', '5', { new: 'yes' })),
        deleted(thing('b', '6')),
      );
      each.events(endOfInitialEvents('6'));
    });
    await m.until(() => m.log.length > 0);
    expect(m.log).toEqual(['replace a @6']);
    expect(m.objects.get('a')?.data).toEqual({ new: 'yes' });
  });

  test('R1 tells objects of one name in two namespaces apart', async () => {
    const seen: (string | undefined)[] = [];
    const other = thing('a', '4');
    const m = await mirror(
      protocol,
      (each) =>
        initial(each, '5', thing('a', '3'), {
          ...other,
          metadata: { ...other.metadata, namespace: 'other' },
        }),
      {
        handler: {
          replace: (objects) => void seen.push(...objects.map(({ metadata }) => metadata.namespace)),
          apply: () => undefined,
        },
      },
    );
    await m.until(() => m.reflector.state.synced);
    expect(seen).toEqual(['default', 'other']);
  });

  test.each([400, 404, 422])(
    'R2 falls back to LIST when the server answers %i, and remembers it',
    async (code) => {
      const m = await mirror(
        protocol,
        (each, kind) => {
          if (kind.startsWith('watchlist')) each.reply(code, status(code, 'Invalid'));
          else if (kind.startsWith('list')) each.reply(200, list('5', [thing('a', '3')]));
          else {
            each.open();
            if (each.index > 2) return;
            each.events(errorEvent(410, 'Expired'));
            each.end();
          }
        },
        { settings: { shortestWatch: 0 } },
      );
      await m.until(() => m.requests().length === 5);
      expect(m.requests()).toEqual(['watchlist', 'list 0', 'watch 5', 'list 5', 'watch 5']);
      expect(m.objects.get('a')).toMatchObject({ apiVersion: 'example.com/v1', kind: 'Thing' });
    },
  );

  test('R2 does not remember a 404 that LIST gets too: the type may come', async () => {
    let installed = false;
    const m = await mirror(protocol, (each) => {
      if (installed && each.query['watch'] === 'true') initial(each, '5', thing('a', '5'));
      else each.reply(404, '404 page not found\n', { 'content-type': 'text/plain' });
    });
    await m.until(() => m.states.length > 1);
    expect(m.reflector.state.synced).toBe(false);
    expect(m.states[0]?.error).toSatisfy(isTypeNotServed);
    installed = true;
    await m.until(() => m.reflector.state.synced);
    expect(m.requests().at(-1)).toBe('watchlist');
    expect(m.states.at(-1)).toEqual({ synced: true });
  });

  test('R2 lists plainly when a streaming list ends before it is complete', async () => {
    const m = await mirror(protocol, (each, kind) => {
      if (kind === 'watchlist') {
        each.open();
        each.events(added(thing('a', '3')));
        each.end();
      } else if (kind === 'list 0') each.reply(200, list('5', [thing('b', '3')]));
      else each.open();
    });
    await m.until(() => m.requests().length === 3);
    expect(m.requests()).toEqual(['watchlist', 'list 0', 'watch 5']);
    expect(m.log).toEqual(['replace b @5']);
  });

  test.each([
    ['an HTTP 410', (each: Exchange) => each.reply(410, status(410, 'Expired'))],
    ['a version that is too large', (each: Exchange) => each.reply(504, tooLarge, { 'retry-after': '1' })],
  ])('R3 lists without a version at once after %s', async (_what, refuse) => {
    let lists = 0;
    const m = await mirror(protocol, (each, kind) => {
      if (kind.startsWith('watchlist')) each.reply(422, status(422, 'Invalid'));
      else if (kind.startsWith('watch')) {
        each.open();
        if (lists > 2) return;
        each.events(errorEvent(410, 'Expired'));
        each.end();
      } else if (kind === 'list 5') refuse(each);
      else {
        lists += 1;
        each.reply(200, list(lists === 1 ? '5' : '20', []));
      }
    });
    await m.until(() => m.requests().length === 8);
    // The version of the consistent list is trusted again.
    expect(m.requests()).toEqual([
      'watchlist',
      'list 0',
      'watch 5',
      'list 5',
      "list ''",
      'watch 20',
      'list 20',
      'watch 20',
    ]);
    expect(m.clock.delays).toHaveLength(2);
  });

  test('R3 streams without a version at once when the server does not have it', async () => {
    const m = await mirror(protocol, (each, kind) => {
      if (kind === 'watchlist' && each.index === 0) {
        initial(each, '50');
        each.events(errorEvent(410, 'Expired'));
        each.end();
      } else if (kind === 'watchlist 50') each.reply(504, tooLarge);
      else initial(each, '9', thing('restored', '8'));
    });
    await m.until(() => m.log.length === 2);
    expect(m.requests()).toEqual(['watchlist', 'watchlist 50', 'watchlist']);
    expect(m.log).toEqual(['replace  @50', 'replace restored @9']);
  });

  test('R3 lists consistently after a watch that was silent for its whole time', async () => {
    const m = await mirror(
      protocol,
      (each, kind) => {
        if (kind === 'watchlist' && each.index === 0) {
          initial(each, '99');
          setTimeout(() => each.end(), 5);
        } else if (kind === 'watchlist') initial(each, '7');
        else each.open();
      },
      { settings: { shortestWatch: 0, longestSilence: 0 } },
    );
    await m.until(() => m.requests().includes('watch 99'));
    m.server.requests.at(-1)?.end();
    await m.until(() => m.log.length === 2);
    expect(m.requests()).toEqual(['watchlist', 'watch 99', 'watchlist']);
    expect(m.log.at(-1)).toBe('replace  @7');
  });

  test('R4 follows pages when the server makes them, and delivers them as one list', async () => {
    const m = await mirror(protocol, (each, kind) => {
      if (kind.startsWith('watchlist')) each.reply(422, status(422, 'Invalid'));
      else if (kind === 'list 0') each.reply(200, list('5', [thing('a', '1')], { continue: 'next' }));
      else if (kind === 'list continue next') each.reply(200, list('5', [thing('b', '2')]));
      else each.open();
    });
    await m.until(() => m.requests().includes('watch 5'));
    expect(m.log).toEqual(['replace a,b @5']);
    expect(m.server.requests[1]?.query['limit']).toBe('500');
    expect(m.server.requests[2]?.query).toEqual({ limit: '500', continue: 'next' });
  });

  test('R4 starts the whole list anew when its continue token expires', async () => {
    let lists = 0;
    const m = await mirror(protocol, (each, kind) => {
      if (kind.startsWith('watchlist')) each.reply(422, status(422, 'Invalid'));
      else if (kind === 'list 0') {
        lists += 1;
        if (lists === 1) each.reply(200, list('5', [thing('gone', '1')], { continue: 'next' }));
        else each.reply(200, list('8', [thing('a', '7')]));
      } else if (kind.startsWith('list continue')) each.reply(410, status(410, 'Expired'));
      else each.open();
    });
    await m.until(() => m.requests().includes('watch 8'));
    expect(m.log).toEqual(['replace a @8']);
    expect(m.server.requests[3]?.query).toEqual({ resourceVersion: '0' });
  });

  test('R4 does not page a list at a version', async () => {
    const m = await mirror(protocol, (each, kind) => {
      if (kind.startsWith('watchlist')) each.reply(422, status(422, 'Invalid'));
      else if (kind.startsWith('list')) each.reply(200, list('5', []));
      else if (m.requests().includes('list 5')) each.open();
      else each.reply(410, status(410, 'Expired'));
    });
    await m.until(() => m.requests().includes('list 5'));
    expect(m.server.requests[m.requests().indexOf('list 5')]?.query).toEqual({ resourceVersion: '5' });
  });

  test.each([
    [
      'an ERROR event',
      (each: Exchange) => (each.open(), each.events(errorEvent(410, 'Expired')), each.end()),
    ],
    ['an HTTP status', (each: Exchange) => each.reply(410, status(410, 'Expired'))],
  ])('R5 reads everything anew when the version has expired, told by %s', async (_how, expire) => {
    const m = await mirror(
      protocol,
      (each, kind) => {
        if (kind === 'watchlist') {
          initial(each, '5', thing('old', '4'));
          setTimeout(() => each.end(), 5);
        } else if (kind === 'watch 5') expire(each);
        else initial(each, '30', thing('new', '29'));
      },
      patient,
    );
    await m.until(() => m.log.length === 2);
    expect(m.requests()).toEqual(['watchlist', 'watch 5', 'watchlist 5']);
    expect(m.log).toEqual(['replace old @5', 'replace new @30']);
    expect(m.states.find((each) => each.error !== undefined)?.error).toSatisfy(isExpired);
    expect(m.states.every((each) => each.synced)).toBe(true);
  });

  test('R6 backs off after 429, without a new list', async () => {
    const m = await mirror(
      protocol,
      (each, kind) => {
        if (kind === 'watchlist') {
          initial(each, '5');
          setTimeout(() => each.end(), 5);
        } else if (each.index === 1) each.reply(429, status(429, 'TooManyRequests'), { 'retry-after': '7' });
        else if (each.index === 2) {
          each.open();
          each.events(errorEvent(429, 'TooManyRequests'));
          each.end();
        } else each.open();
      },
      patient,
    );
    await m.until(() => m.requests().length === 4);
    expect(m.requests()).toEqual(['watchlist', 'watch 5', 'watch 5', 'watch 5']);
    expect(m.clock.delays).toEqual([7000, 1600]);
  });

  test('R6 repeats a watch that fails with an internal error, and lists anew when that lasts', async () => {
    const m = await mirror(
      protocol,
      (each, kind) => {
        if (kind === 'watchlist') {
          initial(each, '5');
          setTimeout(() => each.end(), 5);
        } else if (kind === 'watchlist 5') initial(each, '6');
        else {
          each.open();
          each.events(errorEvent(500, 'InternalError'));
          each.end();
        }
      },
      patient,
    );
    await m.until(() => m.log.length === 2);
    // Failures after 0, 0.8, 2.4, 5.6, 12, 24.8 and 50.4 s: the seventh is the first one beyond 30 s.
    expect(
      m
        .requests()
        .slice(1, -1)
        .every((each) => each === 'watch 5'),
    ).toBe(true);
    expect(m.requests()).toHaveLength(9);
    expect(m.requests().at(-1)).toBe('watchlist 5');
  });

  test('R6 ends the stream at any other ERROR event, backs off and lists anew', async () => {
    const m = await mirror(protocol, (each, kind) => {
      if (kind === 'watchlist') {
        initial(each, '5');
        each.events(added(thing('a', '6')), errorEvent(418, 'Teapot'), added(thing('never', '7')));
      } else initial(each, '9', thing('a', '6'));
    });
    await m.until(() => m.log.length === 3);
    expect(m.log).toEqual(['replace  @5', 'ADDED a', 'replace a @9']);
    expect(m.requests()).toEqual(['watchlist', 'watchlist 6']);
    expect(m.clock.delays).toEqual([800]);
  });

  test('R6 keeps its version while nobody listens, and watches on without a new list', async () => {
    const m = await mirror(protocol, (each, kind) => {
      if (kind === 'watchlist') {
        initial(each, '5');
        each.events(added(thing('a', '6')));
        setTimeout(() => each.reset(), 20);
      } else each.open();
    });
    await m.until(() => m.requests().length === 2);
    expect(m.requests()).toEqual(['watchlist', 'watch 6']);
    expect(m.clock.delays).toEqual([800]);
    const failure = m.states.find((each) => each.error !== undefined);
    expect(failure).toMatchObject({ synced: true, error: { code: 'kube/connection-lost' } });
    await m.until(() => m.states.at(-1)?.error === undefined);
  });

  test('R7 watches on at the last version after a regular end, without back-off or list', async () => {
    const m = await mirror(protocol, (each, kind) => {
      if (kind === 'watchlist') {
        initial(each, '5');
        each.events(added(thing('a', '6')), bookmark('8'));
        each.end();
      } else if (kind === 'watch 8') {
        each.open();
        each.events(deleted(thing('a', '9')));
        each.end();
      } else each.open();
    });
    await m.until(() => m.requests().length === 3);
    expect(m.requests()).toEqual(['watchlist', 'watch 8', 'watch 9']);
    expect(m.server.requests[1]?.query).toEqual({
      watch: 'true',
      allowWatchBookmarks: 'true',
      resourceVersion: '8',
      timeoutSeconds: '300',
    });
    expect(m.clock.delays).toEqual([]);
    expect(m.states).toEqual([{ synced: true }]);
  });

  test('R7 counts a very short watch without an event as a failure', async () => {
    const m = await mirror(protocol, (each, kind) => {
      if (kind === 'watchlist') {
        initial(each, '5');
        each.end();
      } else {
        each.open();
        if (each.index < 3) each.end();
      }
    });
    await m.until(() => m.requests().length === 4);
    expect(m.requests()).toEqual(['watchlist', 'watch 5', 'watch 5', 'watch 5']);
    expect(m.clock.delays).toEqual([800, 1600]);
    expect(m.states.some((each) => /ended after \d+ ms without news/.test(each.error?.message ?? ''))).toBe(
      true,
    );
  });

  test('R7 counts a very short watch as a failure that only repeats what is known', async () => {
    const m = await mirror(protocol, (each, kind) => {
      if (kind === 'watchlist') {
        initial(each, '5');
        setTimeout(() => each.end(), 5);
      } else {
        each.open();
        each.events(bookmark('5'));
        if (each.index < 3) each.end();
      }
    });
    await m.until(() => m.requests().length === 4);
    expect(m.clock.delays).toEqual([800, 1600]);
  });

  test.each(['', '0'])(
    'R8 does not trust the versions of a watch from %j before something other than ADDED',
    async (nowhere) => {
      const m = await mirror(
        protocol,
        (each, kind) => {
          if (kind.startsWith('watchlist')) each.reply(422, status(422, 'Invalid'));
          else if (kind.startsWith('list')) each.reply(200, list(nowhere, []));
          else if (each.index === 2) {
            each.open();
            each.events(added(thing('a', '9')), added(thing('b', '4')));
            each.end();
          } else if (each.index === 3) {
            each.open();
            each.events(added(thing('a', '9')), modified(thing('b', '12')), added(thing('c', '13')));
            each.end();
          } else each.open();
        },
        patient,
      );
      await m.until(() => m.requests().length === 5);
      expect(m.requests().slice(2)).toEqual([`watch ${nowhere}`, `watch ${nowhere}`, 'watch 13']);
    },
  );

  test('R8 does not advance on initial events', async () => {
    const m = await mirror(protocol, (each) => {
      if (each.index === 0) {
        each.open();
        each.events(added(thing('a', '77')));
        setTimeout(() => each.reset(), 20);
      } else initial(each, '80');
    });
    await m.until(() => m.log.length === 1);
    expect(m.requests()).toEqual(['watchlist', 'watchlist']);
    expect(m.reflector.resourceVersion).toBe('80');
  });

  test('R9 tries at most eight times while a server is down for a minute', async () => {
    const m = await mirror(protocol, (each) => initial(each, '5'));
    await m.until(() => m.log.length === 1);
    await m.server.close();
    const waited = (): number => m.clock.delays.reduce((sum, delay) => sum + delay, 0);
    await m.until(() => waited() > 60_000);
    let elapsed = 0;
    const attempts = 1 + m.clock.delays.filter((delay) => (elapsed += delay) <= 60_000).length;
    expect(attempts).toBeGreaterThan(3);
    expect(attempts).toBeLessThanOrEqual(8);
    expect(m.clock.delays.slice(0, 6)).toEqual([800, 1600, 3200, 6400, 12_800, 25_600]);
    expect(m.reflector.state).toMatchObject({ synced: true, error: { code: 'kube/unreachable' } });
  }, 20_000);

  test('R10 asks the server to end the watch after a random time of five to ten minutes', async () => {
    const m = await mirror(protocol, (each) => initial(each, '5'), { random: () => 0.5 });
    await m.until(() => m.log.length === 1);
    expect(m.server.requests[0]?.query['timeoutSeconds']).toBe('450');
  });

  test('R10 ends a watch that the server does not end', async () => {
    const m = await mirror(protocol, (each) => (each.index === 0 ? initial(each, '5') : each.open()), {
      settings: { minWatchSeconds: 0, watchMargin: 20, shortestWatch: 0 },
    });
    await m.until(() => m.requests().length >= 2);
    expect(m.requests()[1]).toBe('watch 5');
    await m.server.requests[0]?.closed;
  });

  test('R13 joins characters and lines that chunks cut apart', async () => {
    const text = 'Grüße, 世界, 🚀';
    const m = await mirror(protocol, (each) => {
      each.open();
      const bytes = Buffer.from(
        `${JSON.stringify(added(thing('a', '3', { text })))}\r\n\n\r\n${JSON.stringify(endOfInitialEvents('4'))}\n`,
      );
      for (const byte of bytes) each.write(Buffer.of(byte));
    });
    await m.until(() => m.log.length === 1);
    expect(m.objects.get('a')?.data).toEqual({ text });
  });

  test('R13 takes objects of the greatest size that etcd stores', async () => {
    const text = '🚀'.repeat(1_572_864 / 4);
    const m = await mirror(protocol, (each) => initial(each, '4', thing('big', '3', { text })));
    await m.until(() => m.log.length === 1);
    expect(m.objects.get('big')?.data?.['text'] === text).toBe(true);
  });

  test('R13 takes a whole last line without a line end', async () => {
    const m = await mirror(
      protocol,
      (each, kind) => {
        if (kind === 'watchlist') {
          initial(each, '5');
          each.end(JSON.stringify(added(thing('a', '6'))));
        } else each.open();
      },
      patient,
    );
    await m.until(() => m.requests().length === 2);
    expect(m.log).toEqual(['replace  @5', 'ADDED a']);
    expect(m.requests()[1]).toBe('watch 6');
  });

  test('R14 reports a line that is not JSON and watches on at the last version', async () => {
    const m = await mirror(protocol, (each, kind) => {
      if (kind === 'watchlist') {
        initial(each, '5');
        each.write(
          `${JSON.stringify(added(thing('a', '6')))}\n{"type":"ADDED",broken\n${JSON.stringify(added(thing('never', '7')))}\n`,
        );
      } else each.open();
    });
    await m.until(() => m.requests().length === 2);
    expect(m.requests()).toEqual(['watchlist', 'watch 6']);
    expect(m.log).toEqual(['replace  @5', 'ADDED a']);
    expect(m.clock.delays).toEqual([800]);
    expect(
      m.states.some((each) => (each.error as { code?: string } | undefined)?.code === 'kube/bad-response'),
    ).toBe(true);
  });

  test('R14 lists anew when a line stays unreadable', async () => {
    const m = await mirror(protocol, (each, kind) => {
      if (kind === 'watchlist') initial(each, '5');
      else if (kind === 'watchlist 6') initial(each, '9', thing('b', '8'));
      if (kind !== 'watch 6' && kind !== 'watchlist') return;
      if (kind === 'watchlist') each.events(added(thing('a', '6')));
      else each.open();
      each.write('{"type":"ADDED",broken\n');
    });
    await m.until(() => m.requests().at(-1) === 'watchlist 6');
    await m.until(() => m.log.length === 3);
    expect(m.log).toEqual(['replace  @5', 'ADDED a', 'replace b @9']);
    const waited = m.clock.delays.reduce((sum, delay) => sum + delay, 0);
    expect(waited).toBeGreaterThan(30_000);
    expect(waited).toBeLessThan(120_000);
  });

  test('R6 counts internal errors anew after each event', async () => {
    const m = await mirror(
      protocol,
      (each, kind) => {
        if (kind === 'watchlist') initial(each, '5');
        else each.open();
        if (each.index > 12) return;
        each.events(added(thing('a', String(6 + each.index))), errorEvent(500, 'InternalError'));
        each.end();
      },
      patient,
    );
    await m.until(() => m.requests().length === 14);
    expect(m.clock.delays.reduce((sum, delay) => sum + delay, 0)).toBeGreaterThan(120_000);
    expect(m.requests().slice(1)).toEqual(Array.from({ length: 13 }, (_, index) => `watch ${6 + index}`));
  });

  test('leaves no stream behind when its listener throws', async () => {
    let calls = 0;
    const m = await mirror(
      protocol,
      (each, kind) => {
        if (kind === 'watchlist') {
          initial(each, '5');
          setTimeout(() => each.reset(), 5);
        } else each.open();
      },
      {
        onState() {
          calls += 1;
          // Synced, failed, synced again.
          if (calls === 3) throw new Error('a defect');
        },
      },
    );
    await m.until(() => m.requests().length > 1);
    await m.server.requests[1]?.closed;
  });

  test('R14 ignores a last line that was cut off, and watches on', async () => {
    const m = await mirror(protocol, (each, kind) => {
      if (kind === 'watchlist') {
        initial(each, '5');
        each.events(added(thing('a', '6')));
        each.end('{"type":"ADDED","object":{"meta');
      } else each.open();
    });
    await m.until(() => m.requests().length === 2);
    expect(m.requests()).toEqual(['watchlist', 'watch 6']);
    expect(m.clock.delays).toEqual([]);
    expect(m.states).toEqual([{ synced: true }]);
  });

  test('R21 says that it is not synced while RBAC forbids the watch', async () => {
    let allowed = true;
    const m = await mirror(protocol, (each, kind) => {
      if (!allowed) each.reply(403, status(403, 'Forbidden'));
      else if (kind.startsWith('watchlist')) initial(each, '5');
      else each.open();
    });
    await m.until(() => m.log.length === 1);
    allowed = false;
    m.server.requests[0]?.end();
    await m.until(() => !m.reflector.state.synced);
    expect(m.reflector.state.error).toSatisfy(isForbidden);
    allowed = true;
    await m.until(() => m.reflector.state.synced);
  });

  test('R27 ends with its signal, delivers nothing more and reports no error', async () => {
    const m = await mirror(protocol, (each) => initial(each, '5'), {});
    await m.until(() => m.log.length === 1);
    const [exchange] = m.server.requests;
    m.abort.abort();
    exchange?.events(added(thing('late', '6')));
    await m.running;
    await exchange?.closed;
    expect(m.log).toEqual(['replace  @5']);
    expect(m.states).toEqual([{ synced: true }]);
  });

  test('R27 delivers nothing after an abort between two lines of one chunk', async () => {
    const abort = new AbortController();
    const seen: string[] = [];
    const m = await mirror(
      protocol,
      (each) => {
        initial(each, '5');
        each.events(added(thing('a', '6')), added(thing('b', '7')));
      },
      {
        handler: {
          replace: () => undefined,
          apply(_type, object) {
            seen.push(object.metadata.name ?? '');
            m.abort.abort();
          },
        },
      },
    );
    await m.running;
    expect(seen).toEqual(['a']);
    abort.abort();
  });

  test('removes managedFields, or transforms as told', async () => {
    const managed = {
      ...thing('a', '3'),
      metadata: { ...thing('a', '3').metadata, managedFields: [{ manager: 'x' }] },
    };
    const plain = await mirror(protocol, (each) => initial(each, '5', managed));
    await plain.until(() => plain.log.length === 1);
    expect(plain.objects.get('a')?.metadata).not.toHaveProperty('managedFields');
    const own = await mirror(protocol, (each) => initial(each, '5', managed), {
      transform: (object) => ({ ...object, data: { seen: 'yes' } }),
    });
    await own.until(() => own.log.length === 1);
    expect(own.objects.get('a')).toMatchObject({
      data: { seen: 'yes' },
      metadata: { managedFields: [{ manager: 'x' }] },
    });
  });

  test('ends with what a handler throws', async () => {
    const m = await mirror(protocol, (each) => initial(each, '5'), {
      handler: {
        replace() {
          throw new Error('a defect');
        },
        apply: () => undefined,
      },
    });
    await expect(m.running).rejects.toThrow('a defect');
    expect(m.requests()).toEqual(['watchlist']);
  });
});
