import { getEventListeners } from 'node:events';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import {
  observe,
  stillHolds,
  type Observations,
  diskView,
  type FileView,
} from '../../../../src/base/util/observe-files.ts';
import { nextChange } from '../../../../src/base/util/watch-observed.ts';

let root = '';
beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'opsdk-watch-')));
  writeFileSync(join(root, 'a.ts'), '0');
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

function seen(look: (view: FileView) => void, base?: FileView): Observations {
  const observed = observe(base);
  look(observed.view);
  const observations = observed.observations();
  if (observations === undefined) throw new Error('torn');
  return observations;
}

test('a signal that outlives many waits keeps no listener of them', async () => {
  const { signal } = new AbortController();
  for (let run = 1; run <= 12; run++) {
    const observations = seen((view) => view.readFile(join(root, 'a.ts')));
    writeFileSync(join(root, 'a.ts'), String(run));
    expect(await nextChange(observations, signal)).toBe(true);
  }
  expect(getEventListeners(signal, 'abort')).toEqual([]);
});

test('a file appears in a folder that is not there yet', async () => {
  const { signal } = new AbortController();
  const observations = seen((view) => view.readFile(join(root, 'deep/er/b.ts')));
  const change = nextChange(observations, signal);
  mkdirSync(join(root, 'deep/er'), { recursive: true });
  writeFileSync(join(root, 'deep/er/b.ts'), '');
  expect(await change).toBe(true);
});

test('an end before and during a wait', async () => {
  const observations = seen((view) => view.readFile(join(root, 'a.ts')));
  expect(await nextChange(observations, AbortSignal.abort())).toBe(false);
  const end = new AbortController();
  const change = nextChange(observations, end.signal);
  end.abort();
  expect(await change).toBe(false);
});

test('a folder that cannot be listed is noted: once it can be, that is a change', () => {
  const closed: FileView = {
    ...diskView,
    list: () => {
      throw new Error('EACCES');
    },
  };
  const observations = seen((view) => {
    expect(() => view.list(root)).toThrow('EACCES');
  }, closed);
  expect(stillHolds(observations, closed)).toBe(true);
  expect(stillHolds(observations)).toBe(false);
});
