import { describe, expect, test } from 'vitest';
import { Turn } from '../../../../../src/sdk/runtime/yielding.ts';
import { startInformer } from './start-informer.ts';

/** All steps in one turn. */
const inOneGo = () => new Turn({ now: () => 0 });

/** Lets the event loop turn until it is so; the steps of a list need some turns each. */
async function turnsUntil(isSo: () => boolean): Promise<void> {
  for (let turns = 0; turns < 1000; turns++) {
    if (isSo()) return;
    await new Promise(setImmediate);
  }
  throw new Error('expected to be so within 1,000 turns of the event loop');
}

/** Lets the event loop turn often enough for whatever is done in steps to end. */
async function manyTurns(): Promise<void> {
  for (let turns = 0; turns < 200; turns++) await new Promise(setImmediate);
}

describe('a list that is taken over in steps', () => {
  test('shows readers the old list until the end, then the new one as a whole', async () => {
    const { informer, list, view, changes, stop, ended } = startInformer();
    list('2', 'a@1', 'b@2');
    await informer.synced;
    changes.length = 0;
    list('9', 'b@5', 'c@6', 'd@7', 'e@8');
    const seen = new Set<string>();
    await turnsUntil(() => {
      seen.add(view().join(' '));
      return changes.length === 5;
    });
    expect([...seen]).toEqual(['a@1 b@2', 'b@5 c@6 d@7 e@8']);
    expect(changes).toEqual(['delete a@1', 'update b@5', 'create c@6', 'create d@7', 'create e@8']);
    stop.abort();
    await ended;
  });

  test('is synced once the listeners have all of it, and readers have nothing before', async () => {
    const { informer, list, view, changes, stop, ended } = startInformer();
    let synced: readonly string[] | undefined;
    void informer.synced.then(() => (synced = [...changes]));
    expect(informer.hasSynced).toBe(false);
    list('3', 'a@1', 'b@2', 'c@3');
    const seen = new Set<string>();
    await turnsUntil(() => {
      if (!informer.hasSynced) seen.add(`${view().join(' ')} | ${changes.length}`);
      return synced !== undefined;
    });
    expect([...seen][0]).toBe(' | 0');
    expect(synced).toEqual(['initial create a@1', 'initial create b@2', 'initial create c@3']);
    expect(informer.hasSynced).toBe(true);
    stop.abort();
    await ended;
  });

  test('is followed by the events that came meanwhile, in their order', async () => {
    const { informer, list, event, view, changes, stop, ended } = startInformer();
    list('2', 'a@1', 'b@2');
    event('MODIFIED', 'a@3');
    await new Promise(setImmediate);
    event('ADDED', 'c@4');
    event('MODIFIED', 'c@5');
    event('DELETED', 'b@6');
    expect(view()).toEqual([]);
    await informer.synced;
    expect(changes).toEqual([
      ...['initial create a@1', 'initial create b@2'],
      ...['update a@3', 'create c@4', 'update c@5', 'delete b@6'],
    ]);
    expect(view()).toEqual(['a@3', 'c@5']);
    stop.abort();
    await ended;
  });

  test('is followed by events that come while earlier ones are applied, after those', async () => {
    const later = ['b@4', 'b@5'];
    const running = startInformer({
      onChange(change) {
        if (!change.startsWith('update')) return;
        const next = later.shift();
        if (next !== undefined) running.event('MODIFIED', next);
      },
    });
    const { informer, list, event, changes, stop, ended } = running;
    list('2', 'a@1', 'b@2');
    event('MODIFIED', 'a@3');
    event('MODIFIED', 'a@6');
    await informer.synced;
    expect(changes.slice(2)).toEqual(['update a@3', 'update a@6', 'update b@4', 'update b@5']);
    stop.abort();
    await ended;
  });

  test('of one turn is there before the next one', async () => {
    const { informer, list, event, view, changes, stop, ended } = startInformer({ turn: inOneGo() });
    list('2', 'a@1', 'b@2');
    await informer.synced;
    event('MODIFIED', 'b@3');
    expect(view()).toEqual(['a@1', 'b@3']);
    expect(changes).toEqual(['initial create a@1', 'initial create b@2', 'update b@3']);
    stop.abort();
    await ended;
  });
});

describe('a second list', () => {
  test('that comes while the first is taken over makes what waits since the first one obsolete', async () => {
    const { informer, list, event, view, changes, stop, ended } = startInformer();
    list('2', 'a@1', 'b@2');
    event('MODIFIED', 'a@3');
    event('ADDED', 'gone@4');
    list('9', 'a@8', 'c@9');
    event('MODIFIED', 'c@10');
    await informer.synced;
    await turnsUntil(() => changes.includes('update c@10'));
    expect(changes).toEqual([
      ...['initial create a@1', 'initial create b@2'],
      ...['delete b@2', 'update a@8', 'create c@9', 'update c@10'],
    ]);
    expect(view()).toEqual(['a@8', 'c@10']);
    stop.abort();
    await ended;
  });

  test('makes those obsolete that the first one has not applied yet', async () => {
    const running = startInformer({
      onChange(change) {
        if (change === 'update a@3') running.list('9', 'a@9');
      },
    });
    const { list, event, view, changes, stop, ended } = running;
    list('2', 'a@1');
    event('MODIFIED', 'a@3');
    event('ADDED', 'gone@4');
    await turnsUntil(() => view().includes('a@9'));
    await manyTurns();
    expect(changes).toEqual(['initial create a@1', 'update a@3', 'update a@9']);
    stop.abort();
    await ended;
  });

  test('is not initial, also if it has what the first one lacks', async () => {
    const { informer, list, changes, stop, ended } = startInformer();
    list('1', 'a@1');
    await informer.synced;
    list('2', 'a@1', 'b@2');
    await turnsUntil(() => changes.length === 2);
    expect(changes).toEqual(['initial create a@1', 'create b@2']);
    stop.abort();
    await ended;
  });

  test('after an empty one is not initial', async () => {
    const { informer, list, changes, stop, ended } = startInformer();
    list('1');
    await informer.synced;
    expect(informer.hasSynced).toBe(true);
    list('2', 'a@2');
    await turnsUntil(() => changes.length === 1);
    expect(changes).toEqual(['create a@2']);
    stop.abort();
    await ended;
  });

  test('lists that come one after another are taken over in their order, the last one stays', async () => {
    const { informer, list, event, view, stop, ended } = startInformer();
    for (let version = 1; version <= 5; version++) {
      list(`${version * 10}`, `a@${version * 10}`, `b${version}@${version * 10}`);
      event('ADDED', `after${version}@${version * 10 + 1}`);
    }
    await informer.synced;
    await turnsUntil(() => view().includes('after5@51'));
    expect(view()).toEqual(['a@50', 'b5@50', 'after5@51']);
    stop.abort();
    await ended;
  });
});

describe('the end', () => {
  test.each(['signal', 'stop'])('by %s between the steps delivers nothing', async (by) => {
    const { informer, list, event, view, changes, stop, ended } = startInformer();
    list('3', 'a@1', 'b@2', 'c@3');
    event('MODIFIED', 'a@4');
    await new Promise(setImmediate);
    if (by === 'stop') informer.stop();
    else stop.abort();
    await ended;
    await manyTurns();
    expect(changes).toEqual([]);
    expect(view()).toEqual([]);
    expect(informer.hasSynced).toBe(false);
  });

  test('between two lists leaves the first one', async () => {
    const { informer, list, event, view, changes, stop, ended } = startInformer();
    list('2', 'a@1', 'b@2');
    await informer.synced;
    changes.length = 0;
    list('9', 'b@5', 'c@6');
    event('MODIFIED', 'c@7');
    await new Promise(setImmediate);
    stop.abort();
    await ended;
    await manyTurns();
    expect(view()).toEqual(['a@1', 'b@2']);
    expect(changes).toEqual([]);
  });

  test('while the listeners get the changes delivers no further ones', async () => {
    const running = startInformer({ onChange: () => running.stop.abort() });
    const { informer, list, event, changes, ended } = running;
    list('3', 'a@1', 'b@2', 'c@3');
    event('MODIFIED', 'a@4');
    await ended;
    await manyTurns();
    expect(changes).toEqual(['initial create a@1']);
    expect(informer.hasSynced).toBe(false);
  });

  test('while the events are applied that have waited delivers no further ones', async () => {
    const running = startInformer({
      onChange: (change) => change.startsWith('update') && running.stop.abort(),
    });
    const { list, event, changes, ended } = running;
    list('1', 'a@1');
    event('MODIFIED', 'a@2');
    event('MODIFIED', 'a@3');
    await ended;
    await manyTurns();
    expect(changes).toEqual(['initial create a@1', 'update a@2']);
  });
});

describe('a listener that throws', () => {
  const defect = new Error('the listener has a defect');
  const throwAt = (at: string) => (change: string) => {
    if (change === at) throw defect;
  };

  test('ends run with its error: in the first list', async () => {
    const { informer, list, changes, ended } = startInformer({ onChange: throwAt('initial create b@2') });
    list('3', 'a@1', 'b@2', 'c@3');
    await expect(ended).rejects.toBe(defect);
    expect(changes).toEqual(['initial create a@1', 'initial create b@2']);
    expect(informer.hasSynced).toBe(false);
  });

  test('ends run with its error: at an event that has waited', async () => {
    const { list, event, changes, ended } = startInformer({ onChange: throwAt('update a@2') });
    list('1', 'a@1');
    event('MODIFIED', 'a@2');
    event('MODIFIED', 'a@3');
    await expect(ended).rejects.toBe(defect);
    expect(changes).toEqual(['initial create a@1', 'update a@2']);
  });

  test('ends run with its error: in a list before the one that is taken over', async () => {
    const { list, changes, ended } = startInformer({ onChange: throwAt('initial create a@1') });
    list('1', 'a@1');
    list('2', 'a@2');
    await expect(ended).rejects.toBe(defect);
    await manyTurns();
    expect(changes).toEqual(['initial create a@1']);
  });

  test('throws into the watch that brings the event, when no list is taken over', async () => {
    const { informer, list, event, stop, ended } = startInformer({ onChange: throwAt('update a@2') });
    list('1', 'a@1');
    await informer.synced;
    expect(() => event('MODIFIED', 'a@2')).toThrow(defect);
    stop.abort();
    await ended;
  });
});

test('each state is reported with the one before', async () => {
  const { informer, setState, states, stop, ended } = startInformer();
  const error = new Error('no route');
  expect(informer.state).toEqual({ synced: false });
  setState({ synced: false, error });
  setState({ synced: true });
  expect(states).toEqual([
    [{ synced: false }, { synced: false, error }],
    [{ synced: false, error }, { synced: true }],
  ]);
  expect(informer.state).toEqual({ synced: true });
  stop.abort();
  await ended;
});
