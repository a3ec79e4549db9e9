// What a schema module can do when it is run.
import { expect, test } from 'vitest';
import { runModule } from '../../../../src/schema/library/run-module.ts';

const timeout = 300_000;
const answer = (value: string): string =>
  `globalThis.description = JSON.stringify({ schema: ${value}, losses: [] });`;
const given = (value: string): unknown => {
  const described = runModule(answer(value));
  return 'schema' in described ? described.schema : described;
};

test('it has the language and nothing else', { timeout }, () => {
  const names = ['process', 'require', 'module', 'fetch', 'WebSocket', 'Buffer', 'setTimeout', 'performance'];
  expect(given(`[${names.map((name) => `typeof ${name}`).join(', ')}]`)).toEqual(
    names.map(() => 'undefined'),
  );
  expect(given('globalThis.constructor === Object ? Object.keys(globalThis.constructor) : []')).toEqual([]);
});

test('no object of the process around it is in reach', { timeout }, () => {
  expect(given(`this.constructor.constructor('return typeof process')()`)).toBe('undefined');
});

test('chance and time are not available', { timeout }, () => {
  expect(runModule('Math.random()')).toEqual({
    failed: 'Error: random is not available while a schema is read',
  });
  expect(runModule('Date.now()')).toEqual({ failed: 'Error: now is not available while a schema is read' });
});

test('what it throws is the reason', { timeout }, () => {
  expect(runModule(`throw new TypeError('no such thing')`)).toEqual({ failed: 'TypeError: no such thing' });
  expect(runModule('x.y')).toEqual({ failed: 'ReferenceError: x is not defined' });
  expect(runModule('1')).toEqual({ failed: 'it ends without a schema' });
});

test('it ends', { timeout }, () => {
  expect(runModule('for (;;);', { milliseconds: 300, megabytes: 128 })).toEqual({
    failed: 'it does not come to an end',
  });
});

test('its memory has a limit', { timeout }, () => {
  const script = 'const all = []; for (;;) all.push(new Array(1e5).fill(1.5));';
  expect(runModule(script, { milliseconds: 60_000, megabytes: 64 })).toEqual({
    failed: 'it needs more than 64 MB of memory',
  });
});
