import { YamlWriter, compareYamlKeys } from './writer.ts';

/**
 * Matches the line breaks of YAML 1.1. Text with one of them cannot be a key on one line. CR and NEL are included, although they are always
 * escaped.
 */
const yamlAnyBreak = /[\n\r\u0085\u2028\u2029]/;

/** Maximum length of a key that is written on one line with its value, in bytes of UTF-8. Longer keys are written as `? key`. */
const LONGEST_SIMPLE_KEY = 128;

/**
 * Writes a JSON value as YAML in exactly the format of sigs.k8s.io/yaml, which kubectl, controller-gen and operator-sdk use: sorted keys,
 * lists at their parent's column, text folded after column 80, quotes where YAML 1.1 needs them. The tests in test/peers/yaml compare the
 * output byte for byte with that of the Go original.
 *
 * @param value plain JSON. Properties that are `undefined` are omitted, as in JSON.stringify.
 * @returns the document with a line break at its end, without `---`
 * @throws TypeError for values that JSON cannot represent: NaN, functions, `undefined` in a list, class instances, cycles, lone
 *   surrogates
 */
export function toYaml(value: unknown): string {
  const writer = new YamlWriter();
  const ancestors = new Set<object>();

  function node(value: unknown, indent: number, place: 'root' | 'item' | 'field'): void {
    if (value === null) writer.token('null', true);
    else if (typeof value === 'boolean') writer.token(String(value), true);
    else if (typeof value === 'number') writer.token(yamlNumber(value), true);
    else if (typeof value === 'string')
      writer.string(wellFormed(value), 'value', place === 'root' ? 2 : indent + 2);
    else if (Array.isArray(value)) nested(value, () => list(value, indent, place));
    else if (isPlainObject(value)) nested(value, () => map(value, indent, place));
    else throw new TypeError(`cannot write ${describe(value)} as YAML: not plain JSON`);
  }

  function list(items: readonly unknown[], indent: number, place: 'root' | 'item' | 'field'): void {
    if (items.length === 0) return writer.token('[]', true);
    // A list is at the column of its parent key, unless it begins on the line of the `:`.
    const stepsIn = place === 'item' || (place === 'field' && writer.onlyIndented);
    const column = stepsIn ? indent + 2 : indent;
    // Indexes are used instead of forEach, because forEach would skip holes in the array, and holes must be reported.
    for (let i = 0; i < items.length; i++) {
      writer.indent(column);
      writer.blockIndicator('-');
      node(items[i], column, 'item');
    }
  }

  function map(
    object: Readonly<Record<string, unknown>>,
    indent: number,
    place: 'root' | 'item' | 'field',
  ): void {
    const keys = Object.keys(object).filter((key) => object[key] !== undefined);
    if (keys.length === 0) return writer.token('{}', true);
    const column = place === 'root' ? indent : indent + 2;
    // The order of compareYamlKeys has cycles (`27` < `94` < `9r` < `27`), so its result depends on the initial order. Sorting first by
    // code units makes the result depend only on the set of keys.
    for (const key of keys.sort().sort(compareYamlKeys)) {
      writer.indent(column);
      if (isSimpleKey(wellFormed(key))) {
        writer.string(key, 'key', column + 2);
        writer.token(':', false);
      } else {
        writer.blockIndicator('?');
        writer.string(key, 'value', column + 2);
        writer.indent(column);
        writer.blockIndicator(':');
      }
      node(object[key], column, 'field');
    }
  }

  function nested(value: object, write: () => void): void {
    if (ancestors.has(value)) throw new TypeError('cannot write an object that contains itself as YAML');
    ancestors.add(value);
    write();
    ancestors.delete(value);
  }

  node(value, 0, 'root');
  writer.indent(0);
  return writer.text;
}

function isSimpleKey(key: string): boolean {
  return !yamlAnyBreak.test(key) && Buffer.byteLength(key) <= LONGEST_SIMPLE_KEY;
}

function wellFormed(text: string): string {
  // With the u flag, the character class matches only surrogates that are not part of a pair.
  if (/[\uD800-\uDFFF]/u.test(text)) throw new TypeError('cannot write half of a surrogate pair as YAML');
  return text;
}

function isPlainObject(value: unknown): value is Readonly<Record<string, unknown>> {
  if (typeof value !== 'object' || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null || Object.getPrototypeOf(prototype) === null;
}

function describe(value: unknown): string {
  if (typeof value === 'object') return `an instance of ${value?.constructor.name ?? 'null'}`;
  return value === undefined ? 'undefined' : `a ${typeof value}`;
}

const INT64_MIN = -(2n ** 63n);
const UINT64_MAX = 2n ** 64n - 1n;

/**
 * Formats a JSON number like sigs.k8s.io/yaml. Whole numbers that fit into 64 bits are written with all digits, all other numbers in the
 * form of Go's `%g` (`1e-05`, `7.5e+09`, `1234.5`).
 *
 * @throws TypeError for NaN and the infinities, which JSON cannot represent
 */
function yamlNumber(value: number): string {
  if (!Number.isFinite(value)) throw new TypeError(`cannot write ${value} as YAML: JSON has no such number`);
  if (Object.is(value, -0)) return '0';
  const text = String(value);
  if (/^-?\d+$/.test(text)) {
    const whole = BigInt(text);
    if (whole >= INT64_MIN && whole <= UINT64_MAX) return text;
  }
  return goFloat(value);
}

/**
 * Formats a number like Go's `strconv.FormatFloat(value, 'g', -1, 64)`: with the fewest digits needed, and below 1e-4 and from 1e6 on with
 * an exponent of at least two digits.
 */
function goFloat(value: number): string {
  const [mantissa = '', exponentText = ''] = Math.abs(value).toExponential().split('e');
  const sign = value < 0 ? '-' : '';
  const exponent = Number(exponentText);
  if (exponent < -4 || exponent >= 6) {
    const power = String(Math.abs(exponent)).padStart(2, '0');
    return `${sign}${mantissa}e${exponent < 0 ? '-' : '+'}${power}`;
  }
  const digits = mantissa.replace('.', '');
  if (exponent < 0) return `${sign}0.${'0'.repeat(-exponent - 1)}${digits}`;
  const whole = digits.slice(0, exponent + 1).padEnd(exponent + 1, '0');
  const fraction = digits.slice(exponent + 1);
  return `${sign}${whole}${fraction === '' ? '' : `.${fraction}`}`;
}

/**
 * Returns the lines of one entry of a map or list, as `toYaml` writes them inside of a larger document. The column of the label matters,
 * because it determines where text is folded.
 *
 * @param label start of the first line: two blanks for each level, then a key with its colon or the dash of an item, such as
 *   `  names:` or `  -`. The dash of an item is at the column of the key of its list.
 * @returns the lines without a line break at the end
 * @throws TypeError for any other label, and as `toYaml` does
 */
export function yamlEntry(label: string, value: unknown): string {
  const [match, indentation = '', key] = /^((?: {2})*)(?:-|(\w+):)$/.exec(label) ?? [];
  if (match === undefined)
    throw new TypeError(`expected a label such as "  names:" or "  -", got ${JSON.stringify(label)}`);
  const levels = indentation.length / 2;
  let document: unknown = key === undefined ? { a: [value] } : { [key]: value };
  for (let level = 0; level < levels; level++) document = { a: document };
  // The lines above the entry belong to the enclosing levels, so they are cut off.
  const above = levels + (key === undefined ? 1 : 0);
  return toYaml(document).split('\n').slice(above).join('\n').slice(0, -1);
}
