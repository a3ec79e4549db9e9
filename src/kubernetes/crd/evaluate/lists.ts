import { arithmetic, compareCel, isEqual } from './operators.ts';
import { CelDuration } from './time.ts';
import { intArg, type CelFunctions } from './overloads.ts';
import {
  CelFault,
  CelOptional,
  CelUint,
  isList,
  celItems,
  noOverload,
  typeNameOf,
  type CelValue,
} from './values.ts';

type Items = readonly CelValue[];

function itemsArg(args: Items, index = 0): Items {
  const value = args[index];
  if (value === undefined || !isList(value)) throw noOverload();
  return celItems(value);
}

function extreme(name: 'min' | 'max', items: Items): CelValue {
  const [first, ...others] = items;
  if (first === undefined) throw new CelFault(`${name} called on empty list`);
  let best = first;
  for (const item of others) {
    const order = orderOf(best, item);
    if (name === 'min' ? order > 0 : order < 0) best = item;
  }
  return best;
}

/** Types with an order. */
const ordered = new Set([
  ...['bool', 'bytes', 'double', 'int', 'string', 'uint'],
  ...['google.protobuf.Duration', 'google.protobuf.Timestamp'],
]);

/** Returns a list whose values have an order. The API server looks at the type of the first only. */
function orderedArg(args: Items): Items {
  const items = itemsArg(args);
  if (items[0] !== undefined && !ordered.has(typeNameOf(items[0]))) throw noOverload();
  return items;
}

/** Compares two values. Values without an order count as equal. */
function orderOf(a: CelValue, b: CelValue): number {
  try {
    return compareCel(a, b);
  } catch (error) {
    if (error instanceof CelFault) return 0;
    throw error;
  }
}

/** Sorts items by their keys, which are of one type. */
export function sortedBy(pairs: readonly (readonly [item: CelValue, key: CelValue])[]): Items {
  const types = new Set(pairs.map(([, key]) => typeNameOf(key)));
  if (types.size > 1) throw new CelFault('list elements must have the same type');
  return [...pairs].sort((a, b) => compareCel(a[1], b[1])).map(([item]) => item);
}

const summed = new Set(['double', 'int', 'uint', 'google.protobuf.Duration']);

/** Returns true if a list has numbers or durations, by its first item. */
export const hasSum = (items: Items): boolean => items[0] === undefined || summed.has(typeNameOf(items[0]));

/** The functions of a list take no position to begin at. */
function positionArgs(args: Items): readonly [Items, CelValue] {
  if (args.length > 2) throw noOverload();
  return [itemsArg(args), args[1] ?? null];
}

function sum(items: Items): CelValue {
  const [first] = items;
  if (first === undefined) return 0n;
  if (!hasSum(items)) throw noOverload();
  const zero =
    first instanceof CelUint
      ? new CelUint(0n)
      : first instanceof CelDuration
        ? new CelDuration(0n)
        : typeof first === 'number'
          ? 0
          : 0n;
  return items.reduce<CelValue>((total, item) => arithmetic('+', total, item), zero);
}

function unique(items: Items): Items {
  const kept: CelValue[] = [];
  for (const item of items) if (!kept.some((other) => isEqual(other, item))) kept.push(item);
  return kept;
}

function flat(items: Items, depth: number): Items {
  if (depth < 0) throw new CelFault('level must be non-negative');
  if (depth === 0) return items;
  return items.flatMap((item) => (isList(item) ? flat(celItems(item), depth - 1) : [item]));
}

function slice(items: Items, start: number, end: number): Items {
  if (start < 0 || end < 0)
    throw new CelFault(`cannot slice(${start}, ${end}), negative indexes not supported`);
  if (start > end)
    throw new CelFault(`cannot slice(${start}, ${end}), start index must be less than or equal to end index`);
  if (end > items.length)
    throw new CelFault(`cannot slice(${start}, ${end}), list is length ${items.length}`);
  return items.slice(start, end);
}

function range(size: number): Items {
  if (size < 0) throw new CelFault(`lists.range: size must be non-negative, got ${size}`);
  return Array.from({ length: size }, (_, index) => BigInt(index));
}

const isSubset = (all: Items, some: Items): boolean =>
  some.every((item) => all.some((other) => isEqual(other, item)));

/**
 * Functions of lists. Source: apiserver `pkg/cel/library/lists.go`, cel-go `ext/lists.go` and `ext/sets.go`.
 */
export const listFunctions: CelFunctions = {
  '.isSorted': (args) => {
    const items = orderedArg(args);
    return items.every((item, index) => index === 0 || orderOf(items[index - 1] ?? null, item) <= 0);
  },
  '.sum': (args) => sum(itemsArg(args)),
  '.min': (args) => extreme('min', orderedArg(args)),
  '.max': (args) => extreme('max', orderedArg(args)),
  '.indexOf': (args) => {
    const [items, value] = positionArgs(args);
    return BigInt(items.findIndex((item) => isEqual(item, value)));
  },
  '.lastIndexOf': (args) => {
    const [items, value] = positionArgs(args);
    return BigInt(items.findLastIndex((item) => isEqual(item, value)));
  },
  '.includes': ([target = null, value = null]) =>
    isList(target) ? celItems(target).some((item) => isEqual(item, value)) : isEqual(target, value),
  '.distinct': (args) => unique(itemsArg(args)),
  '.reverse': (args) => [...itemsArg(args)].reverse(),
  '.sort': (args) => sortedBy(itemsArg(args).map((item) => [item, item])),
  '.slice': (args) => slice(itemsArg(args), intArg(args, 1) ?? 0, intArg(args, 2) ?? 0),
  '.flatten': (args) => flat(itemsArg(args), intArg(args, 1) ?? 1),
  '.first': (args) => new CelOptional(itemsArg(args)[0]),
  '.last': (args) => new CelOptional(itemsArg(args).at(-1)),
  'lists.range': (args) => range(intArg(args, 0) ?? 0),
  'sets.contains': (args) => isSubset(itemsArg(args), itemsArg(args, 1)),
  'sets.equivalent': (args) =>
    isSubset(itemsArg(args), itemsArg(args, 1)) && isSubset(itemsArg(args, 1), itemsArg(args)),
  'sets.intersects': (args) => {
    const others = itemsArg(args, 1);
    return itemsArg(args).some((item) => others.some((other) => isEqual(other, item)));
  },
};
