import { afterEach, describe, expect, test } from 'vitest';
import { isTypeNotServed } from '../../../../../src/sdk/kube/index.ts';
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
  initial,
} from '../support/reflector-harness.ts';
import type { Exchange } from '../support/scripted-server.ts';

afterEach(stopMirrors);

/** Sizes after each of these parts. */
function sizesOf(...parts: readonly object[]): number[] {
  let size = 0;
  return parts.map((part) => (size += JSON.stringify(part).length));
}

describe.each(['http2', 'http1'] as const)('the first list of a reflector over %s', (protocol) => {
  test('R1: asks for a streaming list and is synced exactly at its end', async () => {
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
    // What follows the list is no part of it.
    expect(m.sizes).toEqual(sizesOf(added(thing('a', '3')), added(thing('b', '9')), bookmark('9')));
  });

  test('R1: is synced at once when there is nothing', async () => {
    const m = await mirror(protocol, (each) => initial(each, '7'));
    await m.until(() => m.log.length > 0);
    expect(m.log).toEqual(['replace  @7']);
  });

  test('R1: takes changes during the initial events into the first list', async () => {
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

  test('R1: tells objects of one name in two namespaces apart', async () => {
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
    'R2: falls back to LIST when the server answers %i, and remembers it',
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

  test('R2: does not remember a 404 that LIST gets too: the type may come', async () => {
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

  test('R2: lists plainly when a streaming list ends before it is complete', async () => {
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
  ])('R3: lists without a version at once after %s', async (_what, refuse) => {
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
    // Versions that expire again and again are backed off from.
    expect(m.clock.delays).toEqual([800]);
  });

  test('R3: streams without a version at once when the server does not have it', async () => {
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

  test('R3: lists consistently after a watch that was silent for its whole time', async () => {
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

  test('R4: follows pages when the server makes them, and delivers them as one list', async () => {
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
    const pages = [list('5', [thing('a', '1')], { continue: 'next' }), list('5', [thing('b', '2')])];
    expect(m.sizes).toEqual(sizesOf(...pages));
  });

  test('R4: starts the whole list again when its continue token expires', async () => {
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

  test('R4: does not page a list at a version', async () => {
    const m = await mirror(protocol, (each, kind) => {
      if (kind.startsWith('watchlist')) each.reply(422, status(422, 'Invalid'));
      else if (kind.startsWith('list')) each.reply(200, list('5', []));
      else if (m.requests().includes('list 5')) each.open();
      else each.reply(410, status(410, 'Expired'));
    });
    await m.until(() => m.requests().includes('list 5'));
    expect(m.server.requests[m.requests().indexOf('list 5')]?.query).toEqual({ resourceVersion: '5' });
  });

  test('R8: does not advance on initial events', async () => {
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
});
