import {
  arithmetic,
  checkedInt,
  compareCel,
  entriesOf,
  hasField,
  isEqual,
  isIn,
  isMap,
  keyName,
  member,
  optionalMember,
  celSize,
  sound,
} from './operators.ts';
import { convert } from './conversions.ts';
import { hasSum, listFunctions, sortedBy } from './lists.ts';
import { namedFunctions } from './named-values.ts';
import { networkFunctions } from './network.ts';
import { quantityFunctions } from './quantity.ts';
import { stringFunctions } from './strings.ts';
import { CelDuration, CelTime, timePart } from './time.ts';
import {
  CelFault,
  CelOptional,
  CelTypeName,
  isList,
  celItems,
  noOverload,
  typeNameOf,
  type CelValue,
} from './values.ts';
import { overloads, textArg, type CelFunctions } from './overloads.ts';

type Args = readonly CelValue[];
const at = (args: Args, index: number): CelValue => args[index] ?? null;

/** Operators and parts of macros. The translation of an expression names them. */
const operators: CelFunctions = {
  member: (args) => member(at(args, 0), at(args, 1)),
  optional: (args) => optionalMember(at(args, 0), at(args, 1)),
  has: (args) => hasField(at(args, 0), at(args, 1)),
  '==': (args) => isEqual(at(args, 0), at(args, 1)),
  '!=': (args) => !isEqual(at(args, 0), at(args, 1)),
  '<': (args) => compareCel(at(args, 0), at(args, 1)) < 0,
  '<=': (args) => compareCel(at(args, 0), at(args, 1)) <= 0,
  '>': (args) => compareCel(at(args, 0), at(args, 1)) > 0,
  '>=': (args) => compareCel(at(args, 0), at(args, 1)) >= 0,
  in: (args) => isIn(at(args, 0), at(args, 1)),
  ...Object.fromEntries(
    ['+', '-', '*', '/', '%'].map((operator) => [
      operator,
      (args: Args) => arithmetic(operator, at(args, 0), at(args, 1)),
    ]),
  ),
  not: ([value]) => {
    if (typeof value !== 'boolean') throw noOverload();
    return !value;
  },
  negative: ([value]) => {
    if (typeof value === 'bigint') return checkedInt(-value);
    if (typeof value === 'number') return -value;
    if (value instanceof CelDuration) return new CelDuration(-value.nanos);
    throw noOverload();
  },
  hex: (args) => new Uint8Array(Buffer.from(textArg(args, 0), 'hex')),
  typeName: (args) => new CelTypeName(textArg(args, 0)),
  items: ([value = null]) => rangeOf(value),
  pairs: ([value = null]) =>
    isList(value) ? celItems(value).map((item, index) => [BigInt(index), item]) : entriesOf(pairsOf(value)),
  at: ([pair, index]) => (pair as readonly CelValue[])[Number(index)] ?? null,
  list: ([items]) =>
    (items as readonly [CelValue, boolean][]).flatMap(([value, isOptional]) =>
      isOptional ? presentOf(value) : [value],
    ),
  map: ([entries]) => mapFrom(entries as readonly [CelValue, CelValue, boolean][]),
  merge: ([maps]) =>
    mapFrom(
      (maps as readonly CelValue[]).flatMap((map) =>
        entriesOf(mapOf(map)).map(([key, value]) => [key, value, false] as const),
      ),
    ),
  present: ([value = null]) => presentOf(value),
  optionalOf: ([items]) => new CelOptional((items as readonly CelValue[])[0]),
  flatOptionalOf: ([items]) => (items as readonly CelValue[])[0] ?? new CelOptional(),
  sortBy: ([pairs]) => sortedBy(pairs as readonly [CelValue, CelValue][]),
};

function rangeOf(value: CelValue): readonly CelValue[] {
  if (isList(value)) return celItems(value);
  if (isMap(value)) return entriesOf(value).map(([key]) => key);
  const type = goTypes[typeNameOf(value)];
  throw type === undefined ? noOverload() : new CelFault(`got '${type}', expected iterable type`);
}

function pairsOf(value: CelValue): Parameters<typeof entriesOf>[0] {
  if (isMap(value)) return value;
  const type = goTypes[typeNameOf(value)];
  throw type === undefined ? noOverload() : new CelFault(`unsupported comprehension range type: ${type}`);
}

/** Names of types in errors of loops over values that are neither lists nor maps. */
const goTypes: Readonly<Record<string, string>> = {
  ...{ bool: 'types.Bool', bytes: 'types.Bytes', double: 'types.Double', int: 'types.Int' },
  ...{ null_type: 'types.Null', string: 'types.String', uint: 'types.Uint' },
  'google.protobuf.Duration': 'types.Duration',
  'google.protobuf.Timestamp': 'types.Timestamp',
};

function mapOf(value: CelValue): Parameters<typeof entriesOf>[0] {
  if (!isMap(value)) throw noOverload();
  return value;
}

function presentOf(value: CelValue): readonly CelValue[] {
  if (!(value instanceof CelOptional)) throw noOverload();
  return value.value === undefined ? [] : [sound(value.value)];
}

function mapFrom(
  entries: readonly (readonly [CelValue, CelValue, boolean])[],
): ReadonlyMap<CelValue, CelValue> {
  const map = new Map<CelValue, CelValue>();
  for (const [key, value, isOptional] of entries)
    for (const present of isOptional ? presentOf(value) : [value]) {
      if (map.has(key)) throw new CelFault(`insert failed: key ${keyName(key)} already exists`);
      map.set(key, present);
    }
  return map;
}

function isZero(value: CelValue): boolean {
  if (value === null || value === false || value === '' || value === 0 || value === 0n) return true;
  if (isList(value) || isMap(value) || value instanceof Uint8Array) return celSize(value) === 0n;
  return value instanceof CelDuration && value.nanos === 0n;
}

const core: CelFunctions = {
  size: ([value = null]) => celSize(value),
  '.size': ([value = null]) => celSize(value),
  type: ([value = null]) => new CelTypeName(typeNameOf(value)),
  dyn: ([value = null]) => value,
  ...Object.fromEntries(
    ['bool', 'bytes', 'double', 'duration', 'int', 'string', 'timestamp', 'uint'].map((type) => [
      type,
      ([value = null]: Args) => convert(value, type),
    ]),
  ),
  'optional.of': ([value = null]) => new CelOptional(value),
  'optional.ofNonZeroValue': ([value = null]) => new CelOptional(isZero(value) ? undefined : value),
  'optional.none': () => new CelOptional(),
  '.hasValue': ([value]) => {
    if (!(value instanceof CelOptional)) throw noOverload();
    return value.value !== undefined;
  },
  '.value': ([value]) => {
    if (!(value instanceof CelOptional)) throw noOverload();
    if (value.value === undefined) throw new CelFault('optional.none() dereference');
    return value.value;
  },
  ...Object.fromEntries(
    [
      ...['getFullYear', 'getMonth', 'getDate', 'getDayOfMonth', 'getDayOfWeek', 'getDayOfYear'],
      ...['getHours', 'getMinutes', 'getSeconds', 'getMilliseconds'],
    ].map((part) => [`.${part}`, ([value = null, zone]: Args) => partOf(value, part, zone)]),
  ),
};

const durationUnits: Readonly<Record<string, bigint>> = {
  getHours: 3_600_000_000_000n,
  getMinutes: 60_000_000_000n,
  getSeconds: 1_000_000_000n,
  getMilliseconds: 1_000_000n,
};

function partOf(value: CelValue, part: string, zone: CelValue | undefined): CelValue {
  const unit = durationUnits[part];
  if (value instanceof CelDuration && unit !== undefined) return value.nanos / unit;
  if (!(value instanceof CelTime)) throw noOverload();
  if (zone !== undefined && typeof zone !== 'string') throw noOverload();
  const found = timePart(value, part, zone);
  if (found === undefined) throw new CelFault(`unknown time zone ${String(zone)}`);
  return found;
}

const functions: CelFunctions = overloads(
  operators,
  core,
  listFunctions,
  stringFunctions,
  quantityFunctions,
  networkFunctions,
  namedFunctions,
);

/** The functions that expressions may call. */
export const celFunctionNames: ReadonlySet<string> = new Set(
  Object.keys(functions).filter((name) => !Object.hasOwn(operators, name)),
);

const isText = (value: CelValue | undefined): boolean => typeof value === 'string';
const isReceiver = (value: CelValue | undefined): boolean =>
  isText(value) || value instanceof CelTime || value instanceof CelDuration;
const always = (): string => '';

/** Texts after `no such overload` for the functions that the API server does not name with the types of their arguments. */
const overloadTexts: Readonly<Record<string, (args: Args) => string | undefined>> = {
  ...{ '.contains': always, '.startsWith': always, '.endsWith': always, '.matches': always, matches: always },
  '.find': ([text, pattern]) => (isText(text) && !isText(pattern) ? undefined : ''),
  '.findAll': ([text, pattern]) => (isText(text) && !isText(pattern) ? undefined : ''),
  '.containsIP': ([range, text]) =>
    typeNameOf(range ?? null) === 'net.CIDR' && isText(text) ? '' : undefined,
  '.sum': ([list = null]) => (isList(list) && hasSum(celItems(list)) ? '' : undefined),
  size: ([value]) => (isReceiver(value) ? '' : ': size'),
  '.size': ([value]) => (isReceiver(value) ? '' : ': size'),
  '.sort': ([value]) => (isReceiver(value) ? '' : ': sort'),
  '.flatten': ([value = null, ...more]) =>
    `: ${typeNameOf(value)}.flatten(${more.map(typeNameOf).join(', ')})`,
};

/** Runs a function or an operator. @throws CelFault */
export function runFunction(name: string, args: Args): CelValue {
  const run = functions[name];
  if (run === undefined) throw new TypeError(`no function ${name}`);
  try {
    return run(args);
  } catch (error) {
    if (!(error instanceof CelFault) || error.message !== noOverload().message) throw error;
    if (Object.hasOwn(operators, name)) throw error;
    const types = args.map(typeNameOf).join(', ');
    const text = overloadTexts[name]?.(args) ?? `: ${name.replace(/^\./, '')}(${types})`;
    throw new CelFault(`${error.message}${text}`);
  }
}
