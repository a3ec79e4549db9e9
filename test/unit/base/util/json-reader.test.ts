import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  bool,
  either,
  list,
  located,
  mapped,
  named,
  number,
  object,
  oneOf,
  record,
  string,
} from '../../../../src/base/util/json-reader.ts';
import {
  documentStyle,
  invalid,
  readJson,
  sourceStyle,
  unknownFields,
  unknownJson,
} from '../../../../src/base/util/read-json.ts';

const cat = object(
  {
    name: string,
    age: number,
    kind: oneOf('house', 'wild'),
    friends: list(named('a friend', object({ name: string }, { required: { name: 'name it' } }))),
    tags: record(string),
    asleep: either('true, false or since when', 'say it', bool, string),
  },
  { required: { name: "add `name: '…'`" }, hints: { dog: 'this is about cats' } },
);

const problemsOf = (value: unknown) =>
  readJson(cat, value, 'a cat').problems.map(({ path, message }) => `${path.join('.')}: ${message}`);

test('gives the typed value, without what is undefined', () => {
  const value = { name: 'Tom', kind: 'wild', friends: [{ name: 'Jerry' }], tags: { a: 'b' }, asleep: false };
  expect(readJson(cat, { ...value, age: undefined }, 'a cat')).toEqual({ value, problems: [] });
});

test('all that is wrong is reported at once, each with its path', () => {
  const value = {
    age: '3',
    kind: 'hause',
    friends: [{}, 1, { name: 2 }],
    tags: { a: 1 },
    asleep: 0,
    nam: 'Tom',
  };
  expect(problemsOf(value)).toEqual([
    'nam: a cat has no property `nam`',
    ': a cat lacks `name`',
    'age: `age`: expected a number, got a string',
    "kind: `kind`: expected 'house' or 'wild', got 'hause'",
    'friends.0: a friend lacks `name`',
    'friends.1: a friend: expected an object, got a number',
    'friends.2.name: `name` of a friend: expected a string, got a number',
    'tags.a: `a` of `tags`: expected a string, got a number',
    'asleep: `asleep`: expected true, false or since when, got a number',
  ]);
});

test('each problem says how to mend it', () => {
  const fixes = (value: object) =>
    readJson(cat, { name: 'Tom', ...value }, 'a cat').problems.map(({ fix, isKey }) => [fix, isKey]);
  expect(fixes({ kind: 'hause' })).toEqual([["did you mean 'house'?", false]]);
  expect(fixes({ agee: 1 })).toEqual([['did you mean `age`?', true]]);
  expect(fixes({ dog: 1 })).toEqual([['this is about cats', true]]);
  expect(fixes({ zzz: 1 })).toEqual([
    ['remove it, or use one of name, age, kind, friends, tags, asleep', true],
  ]);
  expect(readJson(cat, {}, 'a cat').problems).toMatchObject([{ fix: "add `name: '…'`", isKey: false }]);
});

describe('what cannot be known', () => {
  test('is passed over', () => {
    const value = { name: unknownJson, tags: { a: unknownJson, b: 'c' }, friends: [unknownJson] };
    expect(readJson(cat, value, 'a cat')).toEqual({ value: { tags: { b: 'c' }, friends: [] }, problems: [] });
    expect(readJson(cat, unknownJson, 'a cat')).toEqual({ value: undefined, problems: [] });
  });

  test('may be what seems to be missing', () => {
    expect(problemsOf({ [unknownFields]: true })).toEqual([]);
  });
});

test('a located value has the path of where it was, whatever was left out before it', () => {
  const { value } = readJson(list(located(string)), [1, 'a', unknownJson, 'b'], 'a list');
  expect(value).toEqual([
    { value: 'a', path: [1] },
    { value: 'b', path: [3] },
  ]);
});

test('in documents parts are named by their paths, and null says nothing', () => {
  const read = (value: unknown) => readJson(cat, value, 'the cat', { style: documentStyle });
  expect(read({ name: 'Tom', age: null, friends: null }).problems).toEqual([]);
  const { problems } = read({ name: null, friends: [{ name: 1 }, null], tags: { a: null } });
  expect(problems.map(({ message }) => message)).toEqual([
    'the cat lacks `name`',
    'friends[0].name: expected a string, got a number',
    'a friend: expected an object, got null',
    'tags.a: expected a string, got null',
  ]);
});

describe('one of several readers', () => {
  const readers = [list(string), record(number), string] as const;
  const read = (value: unknown) => {
    const reader = object({ names: either('a name, names or their numbers', 'name it', ...readers) });
    return readJson(reader, { names: value }, 'a cat', { style: documentStyle });
  };

  test('that takes the value all but some parts says which', () => {
    expect(read(['a', 5, null])).toMatchObject({
      value: {},
      problems: [
        { path: ['names', 1], message: 'names[1]: expected a string, got a number' },
        { path: ['names', 2], message: 'names[2]: expected a string, got null', fix: 'write a string' },
      ],
    });
    expect(read({ a: 'b' }).problems).toMatchObject([
      { path: ['names', 'a'], message: 'names.a: expected a number, got a string', fix: 'write a number' },
    ]);
  });

  test('that takes it is missing', () => {
    expect(read(5).problems).toMatchObject([
      { path: ['names'], message: 'names: expected a name, names or their numbers, got a number' },
    ]);
  });

  test('is not guessed at where two could be meant', () => {
    const reader = either('names or ages', 'write names or ages', list(string), list(number));
    expect(readJson(reader, ['a', 1], 'a list').problems).toEqual([
      {
        path: [],
        isKey: false,
        message: 'a list: expected names or ages, got an array',
        fix: 'write names or ages',
      },
    ]);
  });
});

test('the fixes are in the words of the format', () => {
  const value = { name: 1.2, kind: true, friends: {}, tags: [] };
  const reader = object({ name: string, kind: string, friends: list(string), tags: record(string) });
  const fixes = (style = sourceStyle) =>
    readJson(reader, value, 'a cat', { style }).problems.map(({ fix }) => fix);
  expect(fixes()).toEqual([
    'put it into quotes: "1.2"',
    'put it into quotes: "true"',
    'write an array: [ … ]',
    'write an object: { … }',
  ]);
  // What was written may have been 1.20.
  expect(fixes(documentStyle)).toEqual([
    'put it into quotes',
    'put it into quotes',
    'write a list',
    'write a map',
  ]);
});

test('what is read can be made into something else, or refused', () => {
  const even = mapped(number, (read, place) =>
    read % 2 === 0 ? `${read}` : invalid(place, 'expected an even number', 'add one'),
  );
  expect(readJson(list(even), [2, 3, '4'], 'a list')).toMatchObject({
    value: ['2'],
    problems: [
      { path: [1], message: 'an item of a list: expected an even number', fix: 'add one' },
      { path: [2] },
    ],
  });
});

test('an object may have fields of others', () => {
  const open = object({ name: string }, { others: 'ignore' });
  expect(readJson(open, { name: 'Tom', age: 3 }, 'a cat')).toEqual({ value: { name: 'Tom' }, problems: [] });
});

test('names from the prototype are names like others', () => {
  const value: unknown = JSON.parse('{"name": "Tom", "constructor": 1, "toString": 2, "__proto__": 3}');
  const fix = 'remove it, or use one of name, age, kind, friends, tags, asleep';
  expect(readJson(cat, value, 'a cat').problems).toEqual(
    ['constructor', 'toString', '__proto__'].map((key) => ({
      path: [key],
      isKey: true,
      message: `a cat has no property \`${key}\``,
      fix,
    })),
  );
  const read = readJson(record(string), JSON.parse('{"__proto__": "x"}'), 'a record');
  expect(Object.entries(read.value ?? {})).toEqual([['__proto__', 'x']]);
});

test('any JSON is read or reported, never thrown at', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      const read = readJson(cat, value, 'a cat');
      if (read.problems.length === 0) expect(read.value).toEqual(value);
    }),
  );
});
