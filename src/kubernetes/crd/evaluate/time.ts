const second = 1_000_000_000n;

/** A point in time, in nanoseconds since 1970. The offset of its zone is kept for its text. */
export class CelTime {
  readonly nanos: bigint;
  readonly offsetMinutes: number;

  constructor(nanos: bigint, offsetMinutes = 0) {
    this.nanos = nanos;
    this.offsetMinutes = offsetMinutes;
  }

  /** Returns the time as Go's `time.RFC3339Nano` formats it. */
  toString(): string {
    const local = this.nanos + BigInt(this.offsetMinutes) * 60n * second;
    const seconds = floorDiv(local, second);
    const fraction = String(local - seconds * second)
      .padStart(9, '0')
      .replace(/0+$/, '');
    const date = new Date(Number(seconds) * 1000).toISOString().replace(/\.\d+Z$/, '');
    return `${date}${fraction === '' ? '' : `.${fraction}`}${offsetText(this.offsetMinutes)}`;
  }
}

function offsetText(minutes: number): string {
  if (minutes === 0) return 'Z';
  const size = Math.abs(minutes);
  const two = (part: number): string => String(part).padStart(2, '0');
  return `${minutes < 0 ? '-' : '+'}${two(Math.floor(size / 60))}:${two(size % 60)}`;
}

/** A duration in nanoseconds. */
export class CelDuration {
  readonly nanos: bigint;

  constructor(nanos: bigint) {
    this.nanos = nanos;
  }

  /** Returns the seconds as a decimal number, such as `90.5s`. */
  toString(): string {
    return `${Number(this.nanos) / 1e9}s`;
  }
}

export function floorDiv(value: bigint, by: bigint): bigint {
  const quotient = value / by;
  return value % by < 0n ? quotient - 1n : quotient;
}

/**
 * Parses a time in RFC 3339; undefined if it has another form.
 * @param mode `schema` also accepts the forms of the format `date-time`, such as a lower case `t`
 */
export function parseTime(text: string, mode: 'cel' | 'schema' = 'cel'): CelTime | undefined {
  const written = mode === 'schema' ? text.toUpperCase() : text;
  const [, year = '', month = '', day = '', hour = '', minute = '', seconds = '', fraction = '', zone = ''] =
    /^(\d{4})-(\d\d)-(\d\d)T(\d\d):(\d\d):(\d\d)(?:[.,](\d+))?(Z|[+-]\d\d:\d\d)$/.exec(written) ?? [];
  if (year === '') return undefined;
  const date = new Date(0);
  date.setUTCFullYear(Number(year), Number(month) - 1, Number(day));
  const isDate = date.getUTCMonth() === Number(month) - 1 && date.getUTCDate() === Number(day);
  if (!isDate || Number(hour) > 23 || Number(minute) > 59 || Number(seconds) > 59) return undefined;
  const [sign = '', offsetHours = '0', offsetMinutes = '0'] = [zone[0], zone.slice(1, 3), zone.slice(4)];
  if (zone !== 'Z' && (Number(offsetHours) > 24 || Number(offsetMinutes) > 60)) return undefined;
  const offset =
    zone === 'Z' ? 0 : (Number(offsetHours) * 60 + Number(offsetMinutes)) * (sign === '-' ? -1 : 1);
  const whole =
    BigInt(date.getTime() / 1000) +
    BigInt(Number(hour) * 3600 + (Number(minute) - offset) * 60 + Number(seconds));
  return new CelTime(whole * second + BigInt(fraction.slice(0, 9).padEnd(9, '0')), offset);
}

const unitNanos: Readonly<Record<string, bigint>> = {
  ...{ ns: 1n, us: 1000n, µs: 1000n, μs: 1000n, ms: 1_000_000n },
  ...{ s: second, m: 60n * second, h: 3600n * second },
};

/** Units of the format `duration` that Go does not have. Source: kube-openapi `strfmt/duration.go`. */
const schemaUnits: readonly (readonly [RegExp, bigint])[] = [
  [/^(?:ns|nano)/, 1n],
  [/^(?:us|µs|micro)/, 1000n],
  [/^(?:ms|milli)/, 1_000_000n],
  [/^(?:s$|sec)/, second],
  [/^(?:m$|min)/, 60n * second],
  [/^(?:h$|hr$|hour)/, 3600n * second],
  [/^(?:d$|day)/, 86_400n * second],
  [/^(?:w$|wk$|week)/, 604_800n * second],
];

/**
 * Parses a duration such as `1h30m`; undefined if it has another form.
 * @param mode `schema` also accepts the forms of the format `duration`, such as `2 weeks`
 */
export function parseDuration(text: string, mode: 'cel' | 'schema' = 'cel'): CelDuration | undefined {
  const go = /^([-+]?)((?:(?:\d+\.?\d*|\.\d+)(?:ns|us|µs|μs|ms|s|m|h))+|0)$/.exec(text);
  if (go !== null) {
    const [, sign = '', parts = ''] = go;
    let nanos = 0n;
    for (const [, number = '', unit = ''] of parts.matchAll(/([\d.]+)([a-zµμ]+)/g)) {
      const [whole = '', fraction = ''] = number.split('.');
      const size = unitNanos[unit] ?? 0n;
      nanos += BigInt(whole === '' ? '0' : whole) * size;
      if (fraction !== '') nanos += (BigInt(fraction) * size) / 10n ** BigInt(fraction.length);
    }
    return new CelDuration(sign === '-' ? -nanos : nanos);
  }
  if (mode === 'cel') return undefined;
  let nanos = 0n;
  let isFound = false;
  for (const [, number = '', unit = ''] of text.matchAll(/(\d+)\s*([A-Za-zµ]+)/g)) {
    const size = schemaUnits.find(([pattern]) => pattern.test(unit.toLowerCase()))?.[1];
    if (size === undefined) continue;
    isFound = true;
    nanos += BigInt(number) * size;
  }
  return isFound ? new CelDuration(nanos) : undefined;
}

/** Reads a part of a time in a zone, as `getFullYear` and its siblings do; undefined for an unknown zone. */
export function timePart(time: CelTime, part: string, zone = 'UTC'): bigint | undefined {
  const offset = zoneOffset(time, zone);
  if (offset === undefined) return undefined;
  const local = time.nanos + offset * second;
  const seconds = floorDiv(local, second);
  const date = new Date(Number(seconds) * 1000);
  switch (part) {
    case 'getFullYear':
      return BigInt(date.getUTCFullYear());
    case 'getMonth':
      return BigInt(date.getUTCMonth());
    case 'getDate':
      return BigInt(date.getUTCDate());
    case 'getDayOfMonth':
      return BigInt(date.getUTCDate() - 1);
    case 'getDayOfWeek':
      return BigInt(date.getUTCDay());
    case 'getDayOfYear': {
      const start = new Date(0);
      start.setUTCFullYear(date.getUTCFullYear(), 0, 1);
      return BigInt(Math.floor((date.getTime() - start.getTime()) / 86_400_000));
    }
    case 'getHours':
      return BigInt(date.getUTCHours());
    case 'getMinutes':
      return BigInt(date.getUTCMinutes());
    case 'getSeconds':
      return BigInt(date.getUTCSeconds());
    case 'getMilliseconds':
      return (local - seconds * second) / 1_000_000n;
    default:
      return undefined;
  }
}

/** Returns the offset of a zone from UTC at a time, in seconds. */
function zoneOffset(time: CelTime, zone: string): bigint | undefined {
  const [, sign = '', hours = '', minutes = ''] = /^([+-]?)(\d\d?):(\d\d)$/.exec(zone) ?? [];
  if (hours !== '') return BigInt((Number(hours) * 60 + Number(minutes)) * 60 * (sign === '-' ? -1 : 1));
  if (zone === 'UTC' || zone === '') return 0n;
  const seconds = Number(floorDiv(time.nanos, second));
  try {
    const parts = new Intl.DateTimeFormat('en-US', {
      timeZone: zone,
      hourCycle: 'h23',
      ...{ year: 'numeric', month: 'numeric', day: 'numeric' },
      ...{ hour: 'numeric', minute: 'numeric', second: 'numeric' },
    }).formatToParts(new Date(seconds * 1000));
    const of = (type: string): number => Number(parts.find((part) => part.type === type)?.value ?? 0);
    const local = Date.UTC(of('year'), of('month') - 1, of('day'), of('hour'), of('minute'), of('second'));
    return BigInt(local / 1000 - seconds);
  } catch {
    return undefined;
  }
}
