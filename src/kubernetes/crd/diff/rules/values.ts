import { kindOf, type Schema, shown } from '../schema-node.ts';
import { jsonTextOf, canonicalJson } from '../../../../base/util/json-map.ts';
import { hasDefault } from '../../../objects/index.ts';
import type { Report } from '../change.ts';

/** Lower or upper bound of a range: the value, and the text for messages. */
interface Bound {
  readonly value: number;
  readonly exclusive: boolean;
  readonly text: string;
}

/** Lower or upper end of a range. `read` returns undefined for a bound that forbids nothing. */
interface End {
  readonly side: 'lower' | 'upper';
  readonly read: (schema: Schema) => Bound | undefined;
}

const sizes = ['Length', 'Items', 'Properties'] as const;

const ends: readonly End[] = [
  { side: 'lower', read: (schema) => numberBound(schema, 'minimum', 'exclusiveMinimum', 1) },
  { side: 'upper', read: (schema) => numberBound(schema, 'maximum', 'exclusiveMaximum', -1) },
  ...sizes.map((size): End => ({ side: 'lower', read: (schema) => sizeBound(schema, `min${size}`) })),
  ...sizes.map((size): End => ({ side: 'upper', read: (schema) => sizeBound(schema, `max${size}`) })),
];

/** Compares minima and maxima of numbers, texts, lists and objects, and multipleOf. */
export const boundsRule: Rule = {
  keywords: [
    'minimum',
    'exclusiveMinimum',
    'maximum',
    'exclusiveMaximum',
    'multipleOf',
    ...sizes.flatMap((size) => [`min${size}`, `max${size}`]),
  ],
  compare(pair, report) {
    for (const { side, read } of ends) {
      const before = read(pair.old);
      const after = read(pair.new);
      const order = reach(side, after) - reach(side, before) || strictness(after) - strictness(before);
      if (order === 0) continue;
      const message = `${before?.text ?? 'no bound'} became ${after?.text ?? 'no bound'}`;
      report({ code: order > 0 ? 'bound-tightened' : 'bound-loosened', message });
    }
    const before = multipleOf(pair.old);
    const after = multipleOf(pair.new);
    if (before === after) return;
    const isLoosened = after === undefined || (before !== undefined && isMultiple(before, after));
    const name = (value: number | undefined): string =>
      value === undefined ? 'any number' : `multipleOf ${value}`;
    const message = `${name(before)} became ${name(after)}`;
    report({ code: isLoosened ? 'bound-loosened' : 'bound-tightened', message });
  },
};

/** Returns the value of a bound, with the sign chosen so that a greater result is always stricter. */
function reach(side: End['side'], bound: Bound | undefined): number {
  // This value is far beyond every real bound, but finite, because the difference of two infinities is not a number.
  if (bound === undefined) return -Number.MAX_VALUE / 2;
  return side === 'lower' ? bound.value : -bound.value;
}

const strictness = (bound: Bound | undefined): number => (bound?.exclusive === true ? 1 : 0);

function numberBound(schema: Schema, keyword: string, exclusively: string, step: 1 | -1): Bound | undefined {
  const value = schema[keyword];
  if (typeof value !== 'number') return undefined;
  const exclusive = schema[exclusively] === true;
  const text = `${keyword} ${value}${exclusive ? ' (exclusive)' : ''}`;
  if (kindOf(schema) !== 'integer') return { value, exclusive, text };
  // For integers `> 0`, `>= 1` and `>= 0.5` are the same, so that every bound is rounded to an inclusive integer.
  const nearest = step === 1 ? Math.ceil(value) : Math.floor(value);
  return { value: exclusive && nearest === value ? value + step : nearest, exclusive: false, text };
}

function sizeBound(schema: Schema, keyword: string): Bound | undefined {
  const value = schema[keyword];
  if (typeof value !== 'number' || (keyword.startsWith('min') && value <= 0)) return undefined;
  return { value, exclusive: false, text: `${keyword} ${value}` };
}

function multipleOf(schema: Schema): number | undefined {
  const value = schema['multipleOf'];
  return typeof value === 'number' ? value : undefined;
}

/**
 * Returns true if `value` is a multiple of `factor`. Exact for integers. For fractions, the result may be false for a multiple, which is
 * the safe answer.
 */
function isMultiple(value: number, factor: number): boolean {
  return Number.isInteger(value / factor) && (value / factor) * factor === value;
}

/**
 * Text formats that the API server validates. Source: apiextensions-apiserver `pkg/apiserver/validation/formats.go`, which ignores hyphens
 * in the names.
 */
const textFormats: ReadonlySet<string> = new Set(
  (
    'bsonobjectid uri email hostname ipv4 ipv6 cidr mac uuid uuid3 uuid4 uuid5 isbn isbn10 isbn13 creditcard ssn ' +
    'hexcolor rgbcolor byte date duration datetime k8sshortname k8slongname'
  ).split(' '),
);

/** Pairs of formats. The second format of each pair accepts all values of the first format. */
const widenings: readonly (readonly [string, string])[] = [
  ['int32', 'int64'],
  ['float', 'double'],
  ...['uuid3', 'uuid4', 'uuid5'].map((version): readonly [string, string] => [version, 'uuid']),
];

export const formatRule: Rule = {
  keywords: ['format'],
  compare(pair, report) {
    const before = jsonTextOf(pair.old['format']);
    const after = jsonTextOf(pair.new['format']);
    if (before === after) return;
    const message = `format ${before || 'absent'} became ${after || 'absent'}`;
    const [old, now] = [validated(pair.old), validated(pair.new)];
    const isWider = widenings.some(([narrow, wide]) => before === narrow && after === wide);
    if (isWider) report({ code: 'format-widened', message });
    else if (old === now)
      report({ code: 'documentation', message, note: 'The API server validates neither.' });
    else if (old === '') report({ code: 'format-added', message });
    else if (now === '') report({ code: 'format-removed', message });
    else report({ code: 'format-changed', message });
  },
};

/**
 * Returns the format of a schema if the API server validates it. int64 for integers and double for numbers are not returned, because they
 * restrict nothing.
 */
function validated(schema: Schema): string {
  const format = jsonTextOf(schema['format']);
  const kind = kindOf(schema);
  if (kind === 'integer') return format === 'int32' ? format : '';
  if (kind === 'number') return format === 'float' ? format : '';
  const normalized = format.replaceAll('-', '');
  return (kind === 'string' || kind === 'anything') && textFormats.has(normalized) ? normalized : '';
}

/** Compares the values of `enum`. As in the API server, an empty list restricts nothing. */
export const enumRule: Rule = {
  keywords: ['enum'],
  compare(pair, report) {
    const before = valuesOf(pair.old);
    const after = valuesOf(pair.new);
    if (before === undefined && after === undefined) return;
    if (before === undefined) {
      const list = [...(after?.values() ?? [])].map(shown).join(', ');
      return report({ code: 'enum-added', message: `only ${list} are allowed now` });
    }
    if (after === undefined)
      return report({ code: 'enum-removed', message: 'the list of allowed values was removed' });
    for (const [key, value] of before) {
      if (!after.has(key))
        report({ code: 'enum-value-removed', message: `${shown(value)} is no longer allowed` });
    }
    for (const [key, value] of after) {
      if (!before.has(key)) report({ code: 'enum-value-added', message: `${shown(value)} is allowed now` });
    }
  },
};

function valuesOf(schema: Schema): ReadonlyMap<string, unknown> | undefined {
  const values = schema['enum'];
  if (!Array.isArray(values) || values.length === 0) return undefined;
  return new Map(values.map((value: unknown) => [canonicalJson(value), value]));
}

/**
 * Compares the default of a field that exists in both schemas. `interference` judges the effect of the default on the surrounding objects.
 */
export const defaultRule: Rule = {
  keywords: ['default'],
  compare(pair, report) {
    const before = hasDefault(pair.old) ? pair.old['default'] : undefined;
    const after = hasDefault(pair.new) ? pair.new['default'] : undefined;
    if (canonicalJson(before) === canonicalJson(after)) return;
    if (before === undefined)
      report({ code: 'default-added', message: `${shown(after)} is the default now` });
    else if (after === undefined)
      report({ code: 'default-removed', message: `the default ${shown(before)} was removed` });
    else report({ code: 'default-changed', message: `the default ${shown(before)} became ${shown(after)}` });
  },
};

/** Schema node that exists in both the old and the new schema. */
export interface NodePair {
  readonly old: Schema;
  readonly new: Schema;
  /** True if a surrounding list or object is atomic for server-side apply in both schemas, so that nothing inside of it is merged. */
  readonly isInsideAtomic: boolean;
  /** True if a surrounding node has CEL rules, in the old or the new schema. */
  readonly isInsideRules: boolean;
}

/** Compares one aspect of a schema node, independently of its position in the schema and of its child nodes. */
export interface Rule {
  /** Keywords whose differences this rule judges. Every keyword is judged by one rule, or by {@link compareSchemas} itself. */
  readonly keywords: readonly string[];
  compare(pair: NodePair, report: Report): void;
}
