import { patternFinds, patternMatches } from '../../objects/index.ts';
import { convert } from './conversions.ts';
import { entriesOf, isMap } from './operators.ts';
import { intArg, textArg, type CelFunctions } from './overloads.ts';
import { CelDuration, CelTime } from './time.ts';
import { UnsupportedCel } from './unsupported.ts';
import {
  CelFault,
  CelTypeName,
  CelUint,
  isList,
  celItems,
  noOverload,
  typeNameOf,
  type CelValue,
} from './values.ts';

type Args = readonly CelValue[];

const outOfRange = (index: number): CelFault => new CelFault(`index out of range: ${index}`);

function charAt(text: string, index: number): string {
  const runes = [...text];
  if (index < 0 || index > runes.length) throw outOfRange(index);
  return runes[index] ?? '';
}

function indexOf(text: string, part: string, offset = 0): bigint {
  if (offset < 0) throw outOfRange(offset);
  const [runes, wanted] = [[...text], [...part]];
  if (wanted.length === 0) return BigInt(Math.min(offset, runes.length));
  for (let index = offset; index <= runes.length - wanted.length; index++)
    if (wanted.every((rune, position) => runes[index + position] === rune)) return BigInt(index);
  return -1n;
}

function lastIndexOf(text: string, part: string, offset?: number): bigint {
  const [runes, wanted] = [[...text], [...part]];
  if (offset !== undefined && offset < 0) throw outOfRange(offset);
  if (wanted.length === 0) return BigInt(Math.min(offset ?? runes.length, runes.length));
  if (offset === undefined && runes.length === 0) return -1n;
  if (offset !== undefined && offset >= runes.length) return -1n;
  const start = Math.min(offset ?? runes.length - 1, runes.length - wanted.length);
  for (let index = start; index >= 0; index--)
    if (wanted.every((rune, position) => runes[index + position] === rune)) return BigInt(index);
  return -1n;
}

function substring(text: string, start: number, end?: number): string {
  const runes = [...text];
  if (end !== undefined && start > end)
    throw new CelFault(`invalid substring range. start: ${start}, end: ${end}`);
  if (start < 0 || start > runes.length) throw outOfRange(start);
  if (end !== undefined && (end < 0 || end > runes.length)) throw outOfRange(end);
  return runes.slice(start, end).join('');
}

function split(text: string, separator: string, limit = -1): readonly string[] {
  if (limit === 0) return [];
  const parts = separator === '' ? [...text] : text.split(separator);
  if (limit < 0 || parts.length <= limit) return parts;
  return [...parts.slice(0, limit - 1), parts.slice(limit - 1).join(separator)];
}

function replace(text: string, old: string, by: string, limit = -1): string {
  if (limit < 0) {
    if (old !== '') return text.split(old).join(by);
    return `${by}${[...text].map((rune) => `${rune}${by}`).join('')}`;
  }
  if (limit === 0) return text;
  if (old === '') {
    const runes = [...text];
    const count = Math.min(limit, runes.length + 1);
    return `${runes
      .slice(0, count)
      .map((rune) => `${by}${rune}`)
      .join('')}${count > runes.length ? by : ''}${runes.slice(count).join('')}`;
  }
  return split(text, old, limit + 1).join(by);
}

function join(args: Args): string {
  const [list] = args;
  if (list === undefined || !isList(list)) throw noOverload();
  // The API server chooses the function by the type of the first item.
  if (typeof (celItems(list)[0] ?? '') !== 'string') throw noOverload();
  return celItems(list)
    .map((item) => {
      if (typeof item !== 'string') throw new CelFault(`join: invalid input: ${typeNameOf(item)}`);
      return item;
    })
    .join(args.length > 1 ? textArg(args, 1) : '');
}

const quoted: Readonly<Record<string, string>> = {
  ...{ '\u0007': '\\a', '\b': '\\b', '\f': '\\f', '\n': '\\n', '\r': '\\r', '\t': '\\t', '\v': '\\v' },
  ...{ '\\': '\\\\', '"': '\\"' },
};

const quote = (text: string): string => `"${[...text].map((rune) => quoted[rune] ?? rune).join('')}"`;

const ascii = (text: string, change: (part: string) => string): string => text.replace(/[A-Za-z]+/g, change);

/** Formats by a template such as `%s: %d`. Source: cel-go `ext/formatting.go`. */
function format(template: string, values: Args): string {
  let next = 0;
  return template.replace(
    /%(?:%|(?:\.(\d+))?([\s\S]?))/g,
    (clause, precision: string | undefined, verb: string) => {
      if (clause === '%%') return '%';
      if (verb === '') throw new CelFault('unexpected end of string');
      const value = values[next++];
      if (value === undefined) throw new CelFault(`index ${next - 1} out of range`);
      return formatted(verb, value, precision === undefined ? 6 : Number(precision));
    },
  );
}

function formatted(verb: string, value: CelValue, precision: number): string {
  const isInt = typeof value === 'bigint' || value instanceof CelUint;
  const int = value instanceof CelUint ? value.value : typeof value === 'bigint' ? value : 0n;
  switch (verb) {
    case 's':
      return shown(value);
    case 'd':
      if (isInt) return String(int);
      break;
    case 'b':
      if (isInt) return int.toString(2);
      if (typeof value === 'boolean') return value ? '1' : '0';
      break;
    case 'o':
      if (isInt) return int.toString(8);
      break;
    case 'x':
    case 'X': {
      const hex = isInt
        ? int.toString(16)
        : typeof value === 'string' || value instanceof Uint8Array
          ? Buffer.from(value).toString('hex')
          : undefined;
      if (hex !== undefined) return verb === 'X' ? hex.toUpperCase() : hex;
      break;
    }
    case 'f':
      if (typeof value === 'number' && Number.isFinite(value))
        return value.toLocaleString('en-US', {
          minimumFractionDigits: precision,
          maximumFractionDigits: precision,
          useGrouping: true,
        });
      break;
    default:
      break;
  }
  throw new UnsupportedCel(`the clause %${verb} of format for ${typeNameOf(value)}`);
}

function shown(value: CelValue): string {
  if (value === null) return 'null';
  if (isList(value)) return `[${celItems(value).map(literal).join(', ')}]`;
  if (isMap(value)) {
    const entries = entriesOf(value).map(([key, inner]) => `${literal(key)}:${literal(inner)}`);
    return `{${entries.sort().join(', ')}}`;
  }
  const text = convert(value, 'string');
  if (typeof text !== 'string') throw noOverload();
  return text;
}

/** Formats an item of a list as a literal. */
function literal(value: CelValue): string {
  if (typeof value === 'string') return JSON.stringify(value);
  if (typeof value === 'number')
    return Number.isFinite(value) ? value.toFixed(6) : JSON.stringify(shown(value));
  if (value instanceof Uint8Array) return `b${JSON.stringify(shown(value))}`;
  if (value instanceof CelTime) return `timestamp(${JSON.stringify(value.toString())})`;
  if (value instanceof CelDuration) return `duration(${JSON.stringify(value.toString())})`;
  return value instanceof CelTypeName ? value.name : shown(value);
}

function listArg(args: Args, index: number): Args {
  const value = args[index];
  if (value === undefined || !isList(value)) throw noOverload();
  return celItems(value);
}

const matches = (args: Args): boolean =>
  withPattern(() => patternMatches(textArg(args, 1), textArg(args, 0)));

function withPattern<T>(run: () => T): T {
  try {
    return run();
  } catch (error) {
    if (error instanceof CelFault || !(error instanceof Error)) throw error;
    throw new CelFault(error.message);
  }
}

/**
 * Functions of texts. Positions are those of Unicode characters. Source: cel-go `ext/strings.go`, apiserver `pkg/cel/library/regex.go`.
 */
export const stringFunctions: CelFunctions = {
  '.contains': (args) => textArg(args, 0).includes(textArg(args, 1)),
  '.startsWith': (args) => textArg(args, 0).startsWith(textArg(args, 1)),
  '.endsWith': (args) => textArg(args, 0).endsWith(textArg(args, 1)),
  '.matches': matches,
  matches,
  '.find': (args) => withPattern(() => patternFinds(textArg(args, 1), textArg(args, 0), 1))[0] ?? '',
  '.findAll': (args) =>
    withPattern(() => patternFinds(textArg(args, 1), textArg(args, 0), intArg(args, 2) ?? -1)),
  '.charAt': (args) => charAt(textArg(args, 0), intArg(args, 1) ?? 0),
  '.indexOf': (args) => indexOf(textArg(args, 0), textArg(args, 1), intArg(args, 2)),
  '.lastIndexOf': (args) => lastIndexOf(textArg(args, 0), textArg(args, 1), intArg(args, 2)),
  '.lowerAscii': (args) => ascii(textArg(args, 0), (part) => part.toLowerCase()),
  '.upperAscii': (args) => ascii(textArg(args, 0), (part) => part.toUpperCase()),
  '.replace': (args) => replace(textArg(args, 0), textArg(args, 1), textArg(args, 2), intArg(args, 3)),
  '.split': (args) => split(textArg(args, 0), textArg(args, 1), intArg(args, 2)),
  '.substring': (args) => substring(textArg(args, 0), intArg(args, 1) ?? 0, intArg(args, 2)),
  '.trim': (args) => textArg(args, 0).replace(/^[\s\u0085]+|[\s\u0085]+$/g, ''),
  '.join': join,
  '.format': (args) => format(textArg(args, 0), listArg(args, 1)),
  'strings.quote': (args) => quote(textArg(args, 0)),
};
