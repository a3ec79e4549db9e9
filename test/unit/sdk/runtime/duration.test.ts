import { expect, expectTypeOf, it } from 'vitest';
import {
  defineController,
  durationMs,
  requeueAfter,
  watch,
  type DurationLike,
} from '../../../../src/index.ts';
import { durationText } from '../../../../src/base/util/duration-text.ts';
import { ConfigMap, Site } from './kinds.ts';

it.each([
  [1500, 1500],
  ['500ms', 500],
  ['30s', 30_000],
  ['1h30m', 5_400_000],
  ['1.5h', 5_400_000],
  ['7d', 604_800_000],
  [-5, -5],
])('%s is %s ms', (text, milliseconds) => {
  expect(durationMs(text)).toBe(milliseconds);
});

it.each(['', '30', 's', '1h 30m', '-5s', '1y', NaN, Infinity])('%s is not a duration', (text) => {
  expect(() => durationMs(text)).toThrow(/runtime\/invalid-duration/);
});

it('text with blanks or an exponent does not compile, and says at run time what is expected', () => {
  // @ts-expect-error a blank
  const delays: DurationLike[] = ['5 s'];
  // @ts-expect-error a blank
  delays.push(' 5s');
  // @ts-expect-error an exponent
  delays.push('1e3s');
  const message = /duration: expected milliseconds or text such as '30s', got/;
  for (const delay of delays) expect(() => requeueAfter(delay)).toThrow(message);
  expectTypeOf<'0.05s' | '1.25h' | '2d12h' | '1.5s500ms'>().toExtend<DurationLike>();
});

it('gives requeueAfter its milliseconds', () => {
  expect(requeueAfter('1m')).toEqual({ requeueAfter: 60_000 });
});

it.each([
  [0.4, '0ms'],
  [5, '5ms'],
  [999.9, '1000ms'],
  [1280, '1.28s'],
  [2000, '2s'],
  [59_999, '60s'],
  [60_000, '1m'],
  [83_400, '1m23s'],
  [1_000_000, '16m40s'],
  [90_061_000, '1d1h1m1s'],
])('%s ms read as %s', (milliseconds, text) => {
  expect(durationText(milliseconds)).toBe(text);
  expect(Math.abs(durationMs(text) - milliseconds)).toBeLessThan(1000);
});

it('the type of durations takes milliseconds and text of one or two parts, and refuses the rest', () => {
  const right: DurationLike[] = [0, 1500, '500ms', '30s', '1.5h', '7d', '1h30m', '1m30s', '1d12h'];
  expectTypeOf<'30'>().not.toExtend<DurationLike>();
  expectTypeOf<'1y'>().not.toExtend<DurationLike>();
  expectTypeOf<'s'>().not.toExtend<DurationLike>();
  expectTypeOf<string>().not.toExtend<DurationLike>();
  for (const each of right) expect(durationMs(each)).toBeGreaterThanOrEqual(0);
});

it('a reconcile and a map that return another shape do not compile', () => {
  const reconcile = () => undefined;
  // @ts-expect-error controller-runtime's form
  defineController({ for: Site, reconcile: () => ({ requeue: true }) });
  // @ts-expect-error text instead of milliseconds: requeueAfter makes them
  defineController({ for: Site, reconcile: async () => ({ requeueAfter: '30s' }) });
  // @ts-expect-error names instead of keys
  watch(ConfigMap, { map: (configMap) => [configMap.metadata.name] });
  // @ts-expect-error objects instead of keys
  watch(ConfigMap, { map: async (configMap) => [configMap] });
  // @ts-expect-error one key instead of several
  watch(ConfigMap, { map: ({ metadata: { name } }) => ({ name }) });
  const accepted = watch(ConfigMap, { map: (configMap) => [configMap.metadata] });
  expect(defineController({ for: Site, watches: [accepted], reconcile }).watches).toHaveLength(1);
});
