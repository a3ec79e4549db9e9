import { checkedInt } from './operators.ts';
import { Cidr, Ip } from './network.ts';
import { CelDuration, CelTime, parseDuration, parseTime } from './time.ts';
import { CelFault, CelTypeName, CelUint, noOverload, type CelValue } from './values.ts';

/**
 * Converts a value to a type, as `int(…)` does.
 * @throws CelFault if the value cannot be converted
 */
export function convert(value: CelValue, type: string): CelValue {
  const converted = conversions[type]?.(value);
  if (converted !== undefined) return converted;
  if (typeof value === 'string')
    throw new CelFault(`type conversion error from 'string' to '${typeNames[type] ?? type}'`);
  throw noOverload();
}

const typeNames: Readonly<Record<string, string>> = {
  duration: 'google.protobuf.Duration',
  timestamp: 'google.protobuf.Timestamp',
};

const conversions: Readonly<Record<string, (value: CelValue) => CelValue | undefined>> = {
  int: (value) => {
    if (typeof value === 'bigint') return value;
    if (typeof value === 'number') return intOfDouble(value);
    if (value instanceof CelUint) return checkedInt(value.value);
    if (value instanceof CelTime) return value.nanos / 1_000_000_000n;
    if (value instanceof CelDuration) return value.nanos;
    if (typeof value !== 'string' || !/^[+-]?\d+$/.test(value)) return undefined;
    const int = BigInt(value.replace(/^\+/, ''));
    return int >= -(1n << 63n) && int < 1n << 63n ? int : undefined;
  },
  uint: (value) => {
    if (value instanceof CelUint) return value;
    if (typeof value === 'bigint') return new CelUint(value);
    if (typeof value === 'number') {
      if (!Number.isFinite(value) || value < 0 || value >= 2 ** 64)
        throw new CelFault('unsigned integer overflow');
      return new CelUint(BigInt(Math.trunc(value)));
    }
    if (typeof value !== 'string' || !/^\d+$/.test(value)) return undefined;
    const int = BigInt(value);
    return int < 1n << 64n ? new CelUint(int) : undefined;
  },
  double: (value) => {
    if (typeof value === 'number') return value;
    if (typeof value === 'bigint') return Number(value);
    if (value instanceof CelUint) return Number(value.value);
    return typeof value === 'string' ? doubleOfText(value) : undefined;
  },
  bool: (value) => {
    if (typeof value === 'boolean') return value;
    if (['1', 't', 'T', 'TRUE', 'true', 'True'].includes(value as string)) return true;
    return ['0', 'f', 'F', 'FALSE', 'false', 'False'].includes(value as string) ? false : undefined;
  },
  bytes: (value) => {
    if (value instanceof Uint8Array) return value;
    return typeof value === 'string' ? new Uint8Array(Buffer.from(value)) : undefined;
  },
  duration: (value) => {
    if (value instanceof CelDuration) return value;
    return typeof value === 'string' ? parseDuration(value) : undefined;
  },
  timestamp: (value) => {
    if (value instanceof CelTime) return value;
    if (typeof value === 'bigint') {
      if (value < -62_135_596_800n || value > 253_402_300_799n) throw new CelFault('timestamp overflow');
      return new CelTime(value * 1_000_000_000n);
    }
    return typeof value === 'string' ? parseTime(value) : undefined;
  },
  string: (value) => {
    if (typeof value === 'string') return value;
    if (typeof value === 'bigint' || typeof value === 'boolean') return String(value);
    if (typeof value === 'number') return goDouble(value);
    if (value instanceof CelUint) return String(value.value);
    if (value instanceof CelTime || value instanceof CelDuration) return value.toString();
    if (value instanceof CelTypeName) return value.name;
    if (value instanceof Ip || value instanceof Cidr) return value.toString();
    return value instanceof Uint8Array ? textOfBytes(value) : undefined;
  },
};

function intOfDouble(value: number): bigint {
  if (!Number.isFinite(value) || value <= -(2 ** 63) || value >= 2 ** 63)
    throw new CelFault('integer overflow');
  return BigInt(Math.trunc(value));
}

function doubleOfText(text: string): number | undefined {
  if (/^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?$/.test(text)) {
    const value = Number(text);
    return Number.isFinite(value) ? value : undefined;
  }
  const [, sign = '', word = ''] = /^([+-]?)(inf|infinity|nan)$/i.exec(text) ?? [];
  if (word === '') return undefined;
  if (/^nan$/i.test(word)) return sign === '' ? Number.NaN : undefined;
  return sign === '-' ? -Infinity : Infinity;
}

function textOfBytes(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw new CelFault('invalid UTF-8 in bytes, cannot convert to string');
  }
}

/** Formats a double as Go's `%g` does. */
export function goDouble(value: number): string {
  if (Number.isNaN(value)) return 'NaN';
  if (!Number.isFinite(value)) return value > 0 ? '+Inf' : '-Inf';
  if (Object.is(value, -0)) return '-0';
  const [digits = '', exponent = '0'] = value.toExponential().split('e');
  const power = Number(exponent);
  if (power >= -4 && power < 21) return power < 0 ? plainFraction(value) : String(value);
  return `${digits}e${power < 0 ? '-' : '+'}${String(Math.abs(power)).padStart(2, '0')}`;
}

function plainFraction(value: number): string {
  const text = String(value);
  return text.includes('e') ? value.toFixed(20).replace(/0+$/, '') : text;
}
