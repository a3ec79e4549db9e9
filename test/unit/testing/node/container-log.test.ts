import { expect, test } from 'vitest';
import { ContainerLog } from '../../../../src/testing/node/container-log.ts';

function logAt(): { log: ContainerLog; setTime: (time: string) => void } {
  let time = new Date('2026-01-01T00:00:00Z');
  return { log: new ContainerLog(() => time), setTime: (text) => (time = new Date(text)) };
}

test('a line counts once it is whole, or at the end', () => {
  const { log } = logAt();
  log.append('one\ntw');
  expect(log.read()).toBe('one\n');
  log.append('o');
  log.end();
  expect(log.read()).toBe('one\ntwo\n');
});

test('lines are selected by number and time', () => {
  const { log, setTime } = logAt();
  log.append('one\n');
  setTime('2026-01-01T00:01:00Z');
  log.append('two\nthree\n');
  expect(log.read({ tailLines: 1 })).toBe('three\n');
  expect(log.read({ tailLines: 0 })).toBe('');
  expect(log.read({ since: new Date('2026-01-01T00:00:30Z'), timestamps: true })).toBe(
    '2026-01-01T00:01:00.000Z two\n2026-01-01T00:01:00.000Z three\n',
  );
});

test('a follower gets what is there, what comes, and the end', () => {
  const { log } = logAt();
  log.append('one\ntwo\n');
  const seen: string[] = [];
  log.follow(
    { tailLines: 1 },
    (text) => seen.push(text),
    () => seen.push('end'),
  );
  log.append('three\n');
  const left = log.follow(
    {},
    () => seen.push('left'),
    () => seen.push('left'),
  );
  seen.pop();
  left();
  log.end();
  expect(seen).toEqual(['two\n', 'three\n', 'end']);
});

test('the oldest lines are dropped, also while somebody follows', () => {
  const { log } = logAt();
  const seen: string[] = [];
  log.follow(
    {},
    (text) => seen.push(text),
    () => undefined,
  );
  const line = `${'x'.repeat(100_000)}\n`;
  for (let index = 0; index < 30; index++) log.append(line);
  expect(log.read().length).toBeLessThanOrEqual(1024 * 1024 + 30);
  expect(seen).toHaveLength(30);
});
