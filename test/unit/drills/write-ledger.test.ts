// The checker of chaos finds what a store has lost: a store that is a Map takes part in it.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { WriteLedger, keyOf, valueOf, writeUntil } from '../../control-plane/drills/chaos/write-ledger.ts';

/** A store that confirms, refuses, or takes and then does not answer. */
class FakeStore {
  readonly values = new Map<string, string>();

  put(key: string, value: string, outcome: Outcome): Promise<void> {
    if (outcome !== 'refused') this.values.set(key, value);
    return outcome === 'confirmed' ? Promise.resolve() : Promise.reject(new Error(`no answer for ${key}`));
  }
}

type Outcome = 'confirmed' | 'refused' | 'taken without an answer';

const outcomes = fc.array(fc.constantFrom<Outcome>('confirmed', 'refused', 'taken without an answer'), {
  minLength: 1,
  maxLength: 100,
});

async function fill(ledger: WriteLedger, all: readonly Outcome[]): Promise<FakeStore> {
  const store = new FakeStore();
  for (const outcome of all) await ledger.write((key, value) => store.put(key, value, outcome));
  return store;
}

test('counts what a store that loses nothing has confirmed, and what it has not', async () => {
  await fc.assert(
    fc.asyncProperty(outcomes, async (all) => {
      const ledger = new WriteLedger();
      const { values } = await fill(ledger, all);
      const count = (outcome: Outcome): number => all.filter((each) => each === outcome).length;
      expect(ledger.judge(values)).toEqual({
        acknowledged: count('confirmed'),
        unconfirmed: all.length - count('confirmed'),
        unconfirmedFound: count('taken without an answer'),
        lost: [],
        wrong: [],
      });
    }),
  );
});

test('finds each acknowledged write that the store has lost or changed, and no other', async () => {
  await fc.assert(
    fc.asyncProperty(outcomes, fc.nat(), fc.boolean(), async (all, choice, isLost) => {
      const ledger = new WriteLedger();
      const { values } = await fill(ledger, all);
      const number = choice % all.length;
      if (isLost) values.delete(keyOf(number));
      else if (values.has(keyOf(number))) values.set(keyOf(number), valueOf(number + 1));
      const { lost, wrong } = ledger.judge(values);
      expect(lost).toEqual(isLost && all[number] === 'confirmed' ? [number] : []);
      expect(wrong).toEqual(!isLost && all[number] !== 'refused' ? [number] : []);
    }),
  );
});

test('writers write each number once, and go on after errors', async () => {
  const ledger = new WriteLedger();
  const end = new AbortController();
  const written: string[] = [];
  const put = async (key: string): Promise<void> => {
    written.push(key);
    if (written.length >= 30) end.abort();
    if (written.length % 5 === 0) throw new Error(`127.0.0.${written.length} has no leader`);
  };
  await writeUntil(ledger, [put, put, put], { signal: end.signal, pause: 0 });
  expect(new Set(written).size).toBe(written.length);
  expect(ledger.keys).toHaveLength(written.length);
  expect(ledger.acknowledged).toBeLessThan(written.length);
  expect([...ledger.errors.keys()]).toEqual(['Error: #.#.#.# has no leader']);
});
