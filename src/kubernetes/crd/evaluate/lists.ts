import { arithmetic, compare, isEqual } from './operators.ts';
import { CelDuration } from './time.ts';
import { intArg, type CelFunctions } from './overloads.ts';
import { CelFault, CelOptional, CelUint, isList, itemsOf, noOverload, type CelValue } from './values.ts';

type Items = readonly CelValue[];

function itemsArg(args: Items, index = 0): Items {
  const value = args[index];
  if (value === undefined || !isList(value)) throw noOverload();
  return itemsOf(value);
}

function extreme(name: 'min' | 'max', items: Items): CelValue {
  const [first, ...others] = items;
  if (first === undefined) throw new CelFault(`${name} called on empty list`);
  let best = first;
  for (const item of others) {
    const order = compare(best, item);
    if (name === 'min' ? order > 0 : order < 0) best = item;
  }
  return best;
}

function sum(items: Items): CelValue {
  const [first] = items;
  if (first === undefined) return 0n;
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
  return items.flatMap((item) => (isList(item) ? flat(itemsOf(item), depth - 1) : [item]));
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
    const items = itemsArg(args);
    return items.every((item, index) => index === 0 || compare(items[index - 1] ?? null, item) <= 0);
  },
  '.sum': (args) => sum(itemsArg(args)),
  '.min': (args) => extreme('min', itemsArg(args)),
  '.max': (args) => extreme('max', itemsArg(args)),
  '.indexOf': (args) => BigInt(itemsArg(args).findIndex((item) => isEqual(item, args[1] ?? null))),
  '.lastIndexOf': (args) => BigInt(itemsArg(args).findLastIndex((item) => isEqual(item, args[1] ?? null))),
  '.includes': ([target = null, value = null]) =>
    isList(target) ? itemsOf(target).some((item) => isEqual(item, value)) : isEqual(target, value),
  '.distinct': (args) => unique(itemsArg(args)),
  '.reverse': (args) => [...itemsArg(args)].reverse(),
  '.sort': (args) => [...itemsArg(args)].sort(compare),
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
