import { isEqualJson } from '../../../base/util/json-map.ts';
import { celName } from '../cel/cel-type.ts';
import { CelDuration, CelTime } from './time.ts';
import {
  CelFault,
  CelList,
  CelObject,
  CelOptional,
  CelTypeName,
  CelUint,
  CelUnknown,
  isList,
  celItems,
  LibraryValue,
  noOverload,
  typeNameOf,
  type CelValue,
} from './values.ts';

const most = (1n << 63n) - 1n;
const least = -(1n << 63n);

export function checkedInt(value: bigint): bigint {
  if (value > most || value < least) throw new CelFault('integer overflow');
  return value;
}

function checkedNanos(value: bigint): bigint {
  if (value > most || value < least) throw new CelFault('duration overflow');
  return value;
}

function checkedTime(nanos: bigint, offset: number): CelTime {
  const seconds = nanos / 1_000_000_000n;
  if (seconds < -62_135_596_800n || seconds > 253_402_300_799n) throw new CelFault('timestamp overflow');
  return new CelTime(nanos, offset);
}

/** Throws the fault that a value is. */
export function sound(value: CelValue): CelValue {
  if (value instanceof CelFault) throw value;
  return value;
}

const numberOf = (value: CelValue): bigint | number | undefined =>
  typeof value === 'bigint' || typeof value === 'number'
    ? value
    : value instanceof CelUint
      ? value.value
      : undefined;

/**
 * Compares two values as the API server does: values of different types are unequal, numbers of different types are not.
 * Source: cel-go `common/types`, apiserver `pkg/cel/common/valuesunstructured.go`.
 */
export function isEqual(left: CelValue, right: CelValue): boolean {
  const [a, b] = [sound(left), sound(right)];
  if (a === null || b === null) return a === b;
  const [x, y] = [numberOf(a), numberOf(b)];

  if (x !== undefined) return y !== undefined && x == y;
  if (typeof a !== 'object') return a === b;
  if (a instanceof CelList) return listsEqual(a, b);
  if (Array.isArray(a)) {
    if (!isList(b)) return false;
    const others = celItems(b);
    const items = a as readonly CelValue[];
    return (
      items.length === others.length && items.every((item, index) => isEqual(item, others[index] ?? null))
    );
  }
  if (a instanceof Uint8Array) return b instanceof Uint8Array && Buffer.compare(a, b) === 0;
  if (a instanceof CelTime) return b instanceof CelTime && a.nanos === b.nanos;
  if (a instanceof CelDuration) return b instanceof CelDuration && a.nanos === b.nanos;
  if (a instanceof CelTypeName) return b instanceof CelTypeName && a.name === b.name;
  if (a instanceof CelOptional) return optionalsEqual(a, b);
  if (a instanceof CelUnknown) return b instanceof CelUnknown && isEqualJson(a.raw, b.raw);
  if (a instanceof CelObject || a instanceof Map) return mapsEqual(a as CelObject, b);
  if (a instanceof LibraryValue) {
    if (!(b instanceof LibraryValue) || a.type !== b.type) throw noOverload();
    return a.equals(b);
  }
  return false;
}

function optionalsEqual(a: CelOptional, b: CelValue): boolean {
  if (!(b instanceof CelOptional)) return false;
  if (a.value === undefined || b.value === undefined) return a.value === b.value;
  return isEqual(a.value, b.value);
}

type CelMap = CelObject | ReadonlyMap<CelValue, CelValue>;

export function isMap(value: CelValue): value is CelMap {
  return value instanceof CelObject || value instanceof Map;
}

function mapsEqual(a: CelMap, b: CelValue): boolean {
  if (!isMap(b)) {
    if (a instanceof CelObject) throw noOverload();
    return false;
  }
  if (sizeOfMap(a) !== sizeOfMap(b)) return false;
  for (const [name, value] of entriesOf(a)) {
    const other = found(b, name);
    if (other === undefined || !isEqual(value, other)) return false;
  }
  if (!(a instanceof CelObject) || !(b instanceof CelObject)) return true;
  return Object.entries(a.raw).every(
    ([name, value]) => a.known.has(name) || !Object.hasOwn(b.raw, name) || isEqualJson(value, b.raw[name]),
  );
}

/** The key of a value in a set. Only scalars are compared. */
function setKey(value: CelValue): string {
  const scalar = sound(value);
  if (isList(scalar) || isMap(scalar))
    throw new CelFault('listSet operations are only supported on lists of scalar values');
  return keyText(scalar);
}

function keyText(value: CelValue | undefined): string {
  if (value instanceof Uint8Array) return `bytes:${Buffer.from(value).toString('hex')}`;
  if (value instanceof CelTime || value instanceof CelDuration)
    return `${value.constructor.name}:${value.nanos}`;
  if (value !== undefined && (isList(value) || isMap(value))) return 'composite';
  return `${typeof value}:${value === undefined ? '' : keyName(value)}`;
}

const itemKey = (item: CelValue, keys: readonly string[]): string =>
  JSON.stringify(keys.map((key) => keyText(isMap(item) ? found(item, celName(key)) : undefined)));

function listsEqual(a: CelList, b: CelValue): boolean {
  if (!isList(b)) throw noOverload();
  const others = celItems(b);
  if (a.items.length !== others.length) return false;
  if (a.type === 'set') {
    const keys = new Set(a.items.map(setKey));
    const seen = new Set(others.map(setKey));
    return keys.size === seen.size && [...seen].every((key) => keys.has(key));
  }
  if (a.type === 'map') {
    const byKey = new Map(a.items.map((item) => [itemKey(item, a.keys), item]));
    const seen = new Set<string>();
    for (const other of others) {
      const key = itemKey(other, a.keys);
      const own = byKey.get(key);
      if (own === undefined || !isEqual(own, other)) return false;
      seen.add(key);
    }
    return seen.size === byKey.size;
  }
  return a.items.every((item, index) => isEqual(item, others[index] ?? null));
}

function added(a: CelList | readonly CelValue[], b: CelValue): CelValue {
  if (!isList(b)) throw noOverload();
  const others = celItems(b);
  if (!(a instanceof CelList) || a.type === 'atomic') return [...celItems(a), ...others];
  if (a.type === 'set') {
    const seen = new Set(a.items.map(setKey));
    const more = others.filter((item) => {
      const key = setKey(item);
      return !seen.has(key) && seen.add(key);
    });
    return new CelList([...a.items, ...more], 'set');
  }
  const merged = [...a.items];
  const positions = new Map(merged.map((item, index) => [itemKey(item, a.keys), index]));
  for (const item of others) {
    const key = itemKey(item, a.keys);
    const position = positions.get(key);
    if (position === undefined) merged.push(item);
    else merged[position] = item;
  }
  return new CelList(merged, 'map', a.keys);
}

/** Compares two values for `<`: -1, 0 or 1. */
export function compareCel(a: CelValue, b: CelValue): number {
  const [x, y] = [numberOf(a), numberOf(b)];
  if (x !== undefined && y !== undefined) {
    if (Number.isNaN(x) || Number.isNaN(y)) throw new CelFault('NaN values cannot be ordered');
    return x < y ? -1 : x > y ? 1 : 0;
  }
  if (typeof a === 'string' && typeof b === 'string') return Buffer.compare(Buffer.from(a), Buffer.from(b));
  if (typeof a === 'boolean' && typeof b === 'boolean') return Number(a) - Number(b);
  if (a instanceof Uint8Array && b instanceof Uint8Array) return Buffer.compare(a, b);
  const isTimed =
    (a instanceof CelTime && b instanceof CelTime) || (a instanceof CelDuration && b instanceof CelDuration);
  if (!isTimed) throw noOverload();
  return a.nanos < b.nanos ? -1 : a.nanos > b.nanos ? 1 : 0;
}

type IntOperator = (a: bigint, b: bigint) => bigint;

const integers: Readonly<Record<string, IntOperator>> = {
  '+': (a, b) => a + b,
  '-': (a, b) => a - b,
  '*': (a, b) => a * b,
  '/': (a, b) => {
    if (b === 0n) throw new CelFault('division by zero');
    return a / b;
  },
  '%': (a, b) => {
    if (b === 0n) throw new CelFault('modulus by zero');
    return a % b;
  },
};

const doubles: Readonly<Record<string, (a: number, b: number) => number>> = {
  '+': (a, b) => a + b,
  '-': (a, b) => a - b,
  '*': (a, b) => a * b,
  '/': (a, b) => a / b,
};

/** Computes `+`, `-`, `*`, `/` and `%`. */
export function arithmetic(operator: string, a: CelValue, b: CelValue): CelValue {
  const int = integers[operator];
  const double = doubles[operator];
  if (typeof a === 'bigint' && typeof b === 'bigint' && int) return checkedInt(int(a, b));
  if (a instanceof CelUint && b instanceof CelUint && int) return new CelUint(int(a.value, b.value));
  if (typeof a === 'number' && typeof b === 'number' && double) return double(a, b);
  if (operator === '+') {
    if (typeof a === 'string' && typeof b === 'string') return a + b;
    if (a instanceof Uint8Array && b instanceof Uint8Array) return new Uint8Array([...a, ...b]);
    if (isList(a)) return added(a, b);
    if (a instanceof CelTime && b instanceof CelDuration)
      return checkedTime(a.nanos + b.nanos, a.offsetMinutes);
    if (a instanceof CelDuration && b instanceof CelTime)
      return checkedTime(a.nanos + b.nanos, b.offsetMinutes);
    if (a instanceof CelDuration && b instanceof CelDuration)
      return new CelDuration(checkedNanos(a.nanos + b.nanos));
  }
  if (operator === '-') {
    if (a instanceof CelTime && b instanceof CelTime) return new CelDuration(checkedNanos(a.nanos - b.nanos));
    if (a instanceof CelTime && b instanceof CelDuration)
      return checkedTime(a.nanos - b.nanos, a.offsetMinutes);
    if (a instanceof CelDuration && b instanceof CelDuration)
      return new CelDuration(checkedNanos(a.nanos - b.nanos));
  }
  throw noOverload();
}

/** Evaluates `value in container`. */
export function isIn(value: CelValue, container: CelValue): boolean {
  if (isList(container)) return celItems(container).some((item) => isEqual(item, value));
  if (isMap(container)) return found(container, value) !== undefined;
  throw noOverload();
}

/** Returns the keys of a map, as expressions see them. */
export function entriesOf(map: CelMap): readonly (readonly [CelValue, CelValue])[] {
  return [...(map instanceof CelObject ? map.fields : map)];
}

function sizeOfMap(map: CelMap): number {
  return map instanceof CelObject ? Object.keys(map.raw).length : map.size;
}

export function celSize(value: CelValue): bigint {
  if (typeof value === 'string') return BigInt([...value].length);
  if (value instanceof Uint8Array) return BigInt(value.length);
  if (isList(value)) return BigInt(celItems(value).length);
  if (isMap(value)) return BigInt(sizeOfMap(value));
  throw noOverload();
}

/** Returns the value of a key; undefined if the map does not have it. */
export function found(map: CelMap, key: CelValue): CelValue | undefined {
  if (!(map instanceof CelObject)) {
    if (key instanceof CelUint || typeof key === 'number')
      return entriesOf(map).find(([own]) => isEqual(own, key))?.[1];
    return map.get(key);
  }
  if (typeof key !== 'string') return undefined;
  // A reserved word such as `namespace` may be written without its escape.
  return map.fields.get(key) ?? map.fields.get(`__${key}__`);
}

/** Returns the item of a list at an index, if it has one. @throws CelFault for another index than a number */
function itemAt(list: CelList | readonly CelValue[], index: CelValue): CelValue | undefined {
  const position = numberOf(index);
  if (position === undefined) throw new CelFault(`unsupported index type '${typeNameOf(index)}' in list`);
  if (!Number.isInteger(Number(position)))
    throw new CelFault(`unsupported index value ${keyName(index)} in list`);
  return celItems(list)[Number(position)];
}

/** Evaluates `container.key` and `container[key]`. */
export function member(container: CelValue, key: CelValue): CelValue {
  if (container instanceof CelOptional) return optionalMember(container, key);
  if (isMap(container)) {
    const value = found(container, key);
    if (value === undefined) throw new CelFault(`no such key: ${keyName(key)}`);
    return sound(value);
  }
  if (!isList(container)) throw new CelFault(`no such key: ${keyName(key)}`);
  const item = itemAt(container, key);
  // Without a question mark, lists of fields take integers only.
  if (container instanceof CelList && typeof key !== 'bigint')
    throw new CelFault(`unsupported index: ${keyName(key)}`);
  if (item !== undefined) return sound(item);
  throw new CelFault(`index out of bounds: ${keyName(key)}`);
}

/** Evaluates `container.?key` and `container[?key]`. */
export function optionalMember(container: CelValue, key: CelValue): CelValue {
  const of = container instanceof CelOptional ? container.value : container;
  if (of === undefined || of === null) return new CelOptional();
  if (isMap(of)) {
    const value = found(of, key);
    return new CelOptional(value === undefined ? undefined : sound(value));
  }
  const item = isList(of) ? itemAt(of, key) : undefined;
  return new CelOptional(item === undefined ? undefined : sound(item));
}

/** Evaluates `has(container.field)`. */
export function hasField(container: CelValue, field: CelValue): boolean {
  const of = container instanceof CelOptional ? container.value : container;
  if (of === undefined) return false;
  return isList(of) ? itemAt(of, field) !== undefined : isMap(of) && found(of, field) !== undefined;
}

/** Returns a key of a map, or a position of a list, as errors show it. */
export function keyName(key: CelValue): string {
  if (key instanceof CelUint) return String(key.value);
  if (key instanceof CelTypeName) return key.name;
  return typeof key === 'object' ? typeNameOf(key) : String(key);
}
