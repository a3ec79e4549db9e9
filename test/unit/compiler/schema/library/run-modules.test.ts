// What a schema module can do when it is run.
import { expect, test } from 'vitest';
import { runModules, type RunLimits } from '../../../../../src/compiler/schema/library/run-modules.ts';

const timeout = 300_000;
const run = (script: string, limits?: RunLimits): unknown =>
  runModules({ scripts: { 'schema-0.js': script }, libraries: [], entries: ['schema-0.js'] }, limits)[0];
const answer = (value: string): string =>
  `export const description = JSON.stringify({ schema: ${value}, losses: [] });`;
const given = (value: string): unknown => {
  const described = run(answer(value)) as { readonly schema?: unknown };
  return 'schema' in described ? described.schema : described;
};

test('it has the language and nothing else', { timeout }, () => {
  const names = ['process', 'require', 'module', 'fetch', 'WebSocket', 'Buffer', 'setTimeout', 'performance'];
  expect(given(`[${names.map((name) => `typeof ${name}`).join(', ')}]`)).toEqual(
    names.map(() => 'undefined'),
  );
});

test('chance and time are not available', { timeout }, () => {
  const missing = (name: string): unknown => ({
    failed: `Error: ${name} is not available while a schema is read`,
  });
  expect(run('Math.random()')).toEqual(missing('random'));
  expect(run('Date.now()')).toEqual(missing('now'));
  expect(run('new Date()')).toEqual(missing('the time'));
  expect(run('new Date(0).constructor()')).toEqual(missing('the time'));
  expect(given('[new Date(0) instanceof Date, new Date(2020, 0, 1).toISOString()]')).toEqual([
    true,
    '2020-01-01T00:00:00.000Z',
  ]);
});

test('what it throws is the reason', { timeout }, () => {
  expect(run(`throw new TypeError('no such thing')`)).toEqual({ failed: 'TypeError: no such thing' });
  expect(run('x.y')).toEqual({ failed: 'ReferenceError: x is not defined' });
  expect(run('1')).toEqual({ failed: 'it ends without a schema' });
});

test('it ends', { timeout }, () => {
  expect(run('for (;;);', { milliseconds: 300, megabytes: 128 })).toEqual({
    failed: 'it does not come to an end',
  });
});

test('its memory has a limit', { timeout }, () => {
  const script = 'const all = []; for (;;) all.push(new Array(1e5).fill(1.5));';
  expect(run(script, { milliseconds: 60_000, megabytes: 64 })).toEqual({
    failed: 'it needs more than 64 MB of memory',
  });
});
