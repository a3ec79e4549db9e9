import { textArg, type CelFunctions } from './overloads.ts';
import { CelFault, LibraryValue, noOverload, type CelValue } from './values.ts';

const decimal: Readonly<Record<string, number>> = {
  n: -9,
  u: -6,
  m: -3,
  '': 0,
  k: 3,
  M: 6,
  G: 9,
  T: 12,
  P: 15,
  E: 18,
};
const binary: Readonly<Record<string, number>> = { Ki: 10, Mi: 20, Gi: 30, Ti: 40, Pi: 50, Ei: 60 };
const nano = 9;
/** Digits that surely fit into 64 bits. Source: apimachinery `resource/math.go` `maxInt64Factors`. */
const mostDigits = 18;
const mostInt = (1n << 63n) - 1n;

/** A quantity such as `1Gi`. Source: apimachinery `pkg/api/resource/quantity.go`. */
export class Quantity extends LibraryValue {
  readonly type = 'kubernetes.Quantity';
  /** The value in billionths. */
  readonly nanos: bigint;
  /** Power of ten in which the API server holds the value; undefined if it holds a decimal number of any length. */
  readonly scale: number | undefined;

  constructor(nanos: bigint, scale: number | undefined) {
    super();
    this.nanos = nanos;
    this.scale = scale;
  }

  equals(other: LibraryValue): boolean {
    return other instanceof Quantity && other.nanos === this.nanos;
  }

  /** Returns the value as an integer; undefined if the API server would not convert it, as for `1000m`. */
  asInteger(): bigint | undefined {
    if (this.scale === undefined || this.scale < 0) return undefined;
    const value = this.nanos / 10n ** BigInt(nano);
    return value <= mostInt && value >= -mostInt - 1n ? value : undefined;
  }

  plus(other: Quantity): Quantity {
    const nanos = this.nanos + other.nanos;
    const { scale } = this;
    if (scale === undefined || other.scale === undefined) return new Quantity(nanos, undefined);
    if (other.nanos === 0n) return new Quantity(nanos, scale);
    return new Quantity(nanos, this.nanos === 0n ? other.scale : Math.min(scale, other.scale));
  }

  minus(other: Quantity): Quantity {
    return this.plus(new Quantity(-other.nanos, other.scale));
  }
}

function digitsRoundedUp(value: bigint, shift: number): bigint {
  if (shift >= 0) return value * 10n ** BigInt(shift);
  const divisor = 10n ** BigInt(-shift);
  return (value + divisor - 1n) / divisor;
}

/** @throws CelFault */
function parseQuantity(text: string): Quantity {
  const [, sign = '', whole = '', fraction = '', suffix = ''] =
    /^([+-]?)(\d*)(?:\.(\d*))?([eEinumkKMGTP]*[-+]?\d*)$/.exec(text) ?? [];
  if (whole === '' && fraction === '')
    throw new CelFault(
      "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'",
    );
  if (text === '0') return new Quantity(0n, 0);
  const [, exponent] = /^[eE]([+-]?\d+)$/.exec(suffix) ?? [];
  const power = decimal[suffix] ?? (exponent === undefined ? undefined : Number(exponent));
  const bits = binary[suffix];
  if (power === undefined && bits === undefined) throw new CelFault("unable to parse quantity's suffix");
  const digits = BigInt(whole + fraction);
  const length = whole.replace(/^0+/, '').length + fraction.length;
  const signed = (nanos: bigint): bigint => (sign === '-' ? -nanos : nanos);
  if (power !== undefined) {
    const scale = power - fraction.length;
    const nanos = digitsRoundedUp(digits, scale + nano);
    return new Quantity(signed(nanos), length <= mostDigits && scale >= -nano ? scale : undefined);
  }
  const size = 1n << BigInt(bits ?? 0);
  const isShort = fraction === '' && 15 - length - Math.trunc(((bits ?? 0) * 3) / 10) - 1 >= 0;
  const nanos = digitsRoundedUp(digits * size, nano - fraction.length);
  const most = mostInt * 10n ** BigInt(nano);
  return new Quantity(signed(nanos > most ? most : nanos), isShort ? 0 : undefined);
}

function isQuantity(text: string): boolean {
  try {
    parseQuantity(text);
    return true;
  } catch {
    return false;
  }
}

function quantityArg(args: readonly CelValue[], index: number): Quantity {
  const value = args[index];
  if (!(value instanceof Quantity)) throw noOverload();
  return value;
}

function orInteger(args: readonly CelValue[]): Quantity {
  const value = args[1];
  return typeof value === 'bigint' ? new Quantity(value * 10n ** BigInt(nano), 0) : quantityArg(args, 1);
}

function order(args: readonly CelValue[]): number {
  const [a, b] = [quantityArg(args, 0).nanos, quantityArg(args, 1).nanos];
  return a < b ? -1 : a > b ? 1 : 0;
}

function sign(value: bigint): bigint {
  return value < 0n ? -1n : value > 0n ? 1n : 0n;
}

function integerOf(quantity: Quantity): bigint {
  const value = quantity.asInteger();
  if (value === undefined) throw new CelFault('cannot convert value to integer');
  return value;
}

/** Source: apiserver `pkg/cel/library/quantity.go`. */
export const quantityFunctions: CelFunctions = {
  quantity: (args) => parseQuantity(textArg(args, 0)),
  isQuantity: (args) => isQuantity(textArg(args, 0)),
  sign: (args) => sign(quantityArg(args, 0).nanos),
  '.sign': (args) => sign(quantityArg(args, 0).nanos),
  '.isGreaterThan': (args) => order(args) > 0,
  '.isLessThan': (args) => order(args) < 0,
  '.compareTo': (args) => BigInt(order(args)),
  '.asApproximateFloat': (args) => Number(quantityArg(args, 0).nanos) / 10 ** nano,
  '.asInteger': (args) => integerOf(quantityArg(args, 0)),
  '.isInteger': (args) => quantityArg(args, 0).asInteger() !== undefined,
  '.add': (args) => quantityArg(args, 0).plus(orInteger(args)),
  '.sub': (args) => quantityArg(args, 0).minus(orInteger(args)),
};
