import { afterEach, describe, expect, test } from 'vitest';
import { isExpired } from '../../../../../src/sdk/kube/index.ts';
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
  initial,
} from '../support/reflector-harness.ts';
import type { Exchange } from '../support/scripted-server.ts';

afterEach(stopMirrors);

const patient = { settings: { shortestWatch: 0 } };

describe.each(['http2', 'http1'] as const)('the watch of a reflector over %s', (protocol) => {
  test.each([
    [
      'an ERROR event',
      (each: Exchange) => (each.open(), each.events(errorEvent(410, 'Expired')), each.end()),
    ],
    ['an HTTP status', (each: Exchange) => each.reply(410, status(410, 'Expired'))],
  ])('R5: reads everything again when the version has expired, reported by %s', async (_how, expire) => {
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
    expect(m.clock.delays).toEqual([]);
    expect(m.states.find((each) => each.error !== undefined)?.error).toSatisfy(isExpired);
    expect(m.states.every((each) => each.synced)).toBe(true);
  });

  test('R6: backs off after 429, without a new list', async () => {
    const m = await mirror(protocol, (each, kind) => {
      if (kind === 'watchlist') {
        initial(each, '5');
        setTimeout(() => each.end(), 5);
      } else if (each.index === 1) each.reply(429, status(429, 'TooManyRequests'), { 'retry-after': '7' });
      else if (each.index === 2) {
        each.open();
        each.events(errorEvent(429, 'TooManyRequests'));
        each.end();
      } else each.open();
    });
    await m.until(() => m.requests().length === 4);
    expect(m.requests()).toEqual(['watchlist', 'watch 5', 'watch 5', 'watch 5']);
    expect(m.clock.delays).toEqual([7000, 1600]);
  });

  test('R6: repeats a watch that fails with an internal error, and lists again when that lasts', async () => {
    const m = await mirror(protocol, (each, kind) => {
      if (kind === 'watchlist') {
        initial(each, '5');
        setTimeout(() => each.end(), 5);
      } else if (kind === 'watchlist 5') initial(each, '6');
      else {
        each.open();
        each.events(errorEvent(500, 'InternalError'));
        each.end();
      }
    });
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

  test('R6: ends the stream at any other ERROR event, backs off and lists again', async () => {
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

  test('R6: keeps its version while nobody listens, and watches on without a new list', async () => {
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
    expect(m.watches).toEqual([true, false, true]);
  });

  test('R7: watches on at the last version after a regular end, without back-off or list', async () => {
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
    await m.until(() => m.watches.length === 5);
    expect(m.watches).toEqual([true, false, true, false, true]);
  });

  test('is not established while the API server refuses it, or its list is not complete', async () => {
    const m = await mirror(protocol, (each) => {
      if (each.index === 0) {
        initial(each, '5');
        each.events(errorEvent(410, 'Expired'));
        each.end();
      } else if (each.index < 4) each.reply(403, status(403, 'Forbidden'));
      else {
        each.open();
        each.events(added(thing('a', '8')));
      }
    });
    await m.until(() => m.requests().length === 5);
    expect(m.watches).toEqual([true, false]);
    m.server.requests.at(-1)?.events(endOfInitialEvents('9'));
    await m.until(() => m.watches.length === 3);
    expect(m.watches).toEqual([true, false, true]);
  });

  test('R7: counts a very short watch without an event as a failure', async () => {
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

  test('R7: counts a very short watch as a failure that only repeats what is known', async () => {
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
    'R8: does not trust the versions of a watch from %j before something other than ADDED',
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

  test('R9: tries at most eight times while a server is down for a minute', async () => {
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

  test('R9: the first watch that lasts ends the back-off of an outage', async () => {
    const m = await mirror(protocol, (each, kind) => {
      if (kind === 'watchlist') {
        initial(each, '5');
        setTimeout(() => each.reset(), 5);
      } else if (each.index < 6) each.reply(429, status(429, 'TooManyRequests'));
      else each.open();
    });
    await m.until(() => m.requests().length === 7 && m.states.at(-1)?.error === undefined);
    expect(m.clock.delays).toEqual([800, 1600, 3200, 6400, 12_800, 25_600]);
    m.clock.advance(1_000);
    m.server.requests.at(-1)?.reset();
    await m.until(() => m.requests().length === 8);
    expect(m.clock.delays.slice(6)).toEqual([800]);
    expect(
      m
        .requests()
        .slice(1)
        .every((each) => each === 'watch 5'),
    ).toBe(true);
  });

  test('R9: the first watch that lasts ends the back-off even if it has brought nothing and ends regularly', async () => {
    const m = await mirror(protocol, (each, kind) => {
      if (kind === 'watchlist') {
        initial(each, '5');
        setTimeout(() => each.reset(), 5);
      } else if (each.index < 4) each.reply(429, status(429, 'TooManyRequests'));
      else if (each.index === 5) each.reply(429, status(429, 'TooManyRequests'));
      else each.open();
    });
    await m.until(() => m.requests().length === 5 && m.states.at(-1)?.error === undefined);
    m.clock.advance(1_000);
    m.server.requests.at(-1)?.end();
    await m.until(() => m.requests().length === 7);
    expect(m.clock.delays).toEqual([800, 1600, 3200, 6400, 800]);
  });

  test('R7, R9: backs off from a server that accepts each watch and drops it within a second', async () => {
    const m = await mirror(protocol, (each, kind) => {
      if (kind === 'watchlist') initial(each, '5');
      else each.open();
      each.events(added(thing('a', String(6 + each.index))));
      if (each.index < 6) setTimeout(() => each.reset(), 5);
    });
    await m.until(() => m.requests().length === 7);
    expect(m.clock.delays).toEqual([800, 1600, 3200, 6400, 12_800, 25_600]);
  });

  test('R9: backs off from a server whose every version has expired', async () => {
    const m = await mirror(protocol, (each, kind) => {
      if (kind.startsWith('watchlist')) {
        initial(each, String(5 + each.index));
        if (each.index < 5) each.events(errorEvent(410, 'Expired'));
        if (each.index < 5) each.end();
      } else each.open();
    });
    await m.until(() => m.requests().length === 6);
    expect(m.requests().every((each) => each.startsWith('watchlist'))).toBe(true);
    expect(m.clock.delays).toEqual([800, 1600, 3200, 6400]);
  });

  test('R5: lists at once again after a version that had lasted has expired', async () => {
    const m = await mirror(protocol, (each) => initial(each, String(5 + each.index)));
    for (let expired = 1; expired <= 3; expired += 1) {
      await m.until(() => m.log.length === expired);
      m.clock.advance(1_000);
      m.server.requests.at(-1)?.events(errorEvent(410, 'Expired'));
    }
    await m.until(() => m.log.length === 4);
    expect(m.clock.delays).toEqual([]);
  });

  test('R10: asks the server to end the watch after a random time of five to ten minutes', async () => {
    const m = await mirror(protocol, (each) => initial(each, '5'), { random: () => 0.5 });
    await m.until(() => m.log.length === 1);
    expect(m.server.requests[0]?.query['timeoutSeconds']).toBe('450');
  });

  test('R10: ends a watch that the server does not end', async () => {
    const m = await mirror(protocol, (each) => (each.index === 0 ? initial(each, '5') : each.open()), {
      settings: { minWatchSeconds: 0, watchMargin: 20, shortestWatch: 0 },
    });
    await m.until(() => m.requests().length >= 2);
    expect(m.requests()[1]).toBe('watch 5');
    await m.server.requests[0]?.closed;
  });

  test('R6: resets the count of internal errors after each event', async () => {
    const m = await mirror(protocol, (each, kind) => {
      if (kind === 'watchlist') initial(each, '5');
      else each.open();
      if (each.index > 12) return;
      each.events(added(thing('a', String(6 + each.index))), errorEvent(500, 'InternalError'));
      each.end();
    });
    await m.until(() => m.requests().length === 14);
    expect(m.clock.delays.reduce((sum, delay) => sum + delay, 0)).toBeGreaterThan(120_000);
    expect(m.requests().slice(1)).toEqual(Array.from({ length: 13 }, (_, index) => `watch ${6 + index}`));
  });
});
