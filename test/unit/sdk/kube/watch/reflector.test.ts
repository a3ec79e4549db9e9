import { afterEach, describe, expect, test } from 'vitest';
import { isForbidden } from '../../../../../src/sdk/kube/index.ts';
import {
  added,
  endOfInitialEvents,
  mirror,
  status,
  stopMirrors,
  thing,
  initial,
} from '../support/reflector-harness.ts';

afterEach(stopMirrors);

const patient = { settings: { shortestWatch: 0 } };

describe.each(['http2', 'http1'] as const)('a reflector over %s', (protocol) => {
  test('R13: joins characters and lines that chunks cut apart', async () => {
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

  test('R13: takes objects of the greatest size that etcd stores', async () => {
    const text = '🚀'.repeat(1_572_864 / 4);
    const m = await mirror(protocol, (each) => initial(each, '4', thing('big', '3', { text })));
    await m.until(() => m.log.length === 1);
    expect(m.objects.get('big')?.data?.['text'] === text).toBe(true);
  });

  test('R13: takes a whole last line without a line end', async () => {
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

  test('R14: reports a line that is not JSON and watches on at the last version', async () => {
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

  test('R14: lists again when a line stays unreadable', async () => {
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

  test('R14: ignores a last line that was cut off, and watches on', async () => {
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

  test('R21: says that it is not synced while RBAC forbids the watch', async () => {
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

  test('R27: ends with its signal, delivers nothing more and reports no error', async () => {
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

  test('R27: delivers nothing after an abort between two lines of one chunk', async () => {
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

  test('removes managedFields, then transforms as the option says', async () => {
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
    expect(own.objects.get('a')).toMatchObject({ data: { seen: 'yes' } });
    expect(own.objects.get('a')?.metadata).not.toHaveProperty('managedFields');
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
