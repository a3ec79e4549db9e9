import { kindOf, type Schema, shown } from '../schema-node.ts';
import { jsonTextOf, canonicalJson } from '../../../../base/util/json-map.ts';
import { hasDefault } from '../../../objects/index.ts';
import type { Report } from '../change.ts';

/** One end of a range: how far it reaches, and how people write it. */
interface Bound {
  readonly value: number;
  readonly exclusive: boolean;
  readonly text: string;
}

/** `read` gives undefined for a bound that forbids nothing. */
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

/** Minima and maxima of numbers, texts, lists and objects, and multipleOf. */
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

/** Returns the bound on a scale on which greater is stricter. */
function reach(side: End['side'], bound: Bound | undefined): number {
  // Far beyond every real bound, but finite: the difference of two infinities is not a number.
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
  // For integers `> 0`, `>= 1` and `>= 0.5` are the same.
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

/** Exact for integers; for fractions `false` is the safe answer. */
function isMultiple(value: number, factor: number): boolean {
  return Number.isInteger(value / factor) && (value / factor) * factor === value;
}

/**
 * Formats of texts that the API server validates. Source: apiextensions-apiserver `pkg/apiserver/validation/formats.go`, which ignores
 * hyphens.
 */
const textFormats: ReadonlySet<string> = new Set(
  (
    'bsonobjectid uri email hostname ipv4 ipv6 cidr mac uuid uuid3 uuid4 uuid5 isbn isbn10 isbn13 creditcard ssn ' +
    'hexcolor rgbcolor byte date duration datetime k8sshortname k8slongname'
  ).split(' '),
);

/** Pairs of formats in which the second accepts all values of the first. */
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

/** Returns the format if the API server validates it. int64 for integers and double for numbers are no restriction. */
function validated(schema: Schema): string {
  const format = jsonTextOf(schema['format']);
  const kind = kindOf(schema);
  if (kind === 'integer') return format === 'int32' ? format : '';
  if (kind === 'number') return format === 'float' ? format : '';
  const normalized = format.replaceAll('-', '');
  return (kind === 'string' || kind === 'anything') && textFormats.has(normalized) ? normalized : '';
}

/** Compares the listed values. As in the API server, an empty list restricts nothing. */
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

/** Compares the default of a field that exists in both schemas. Its effect on the surrounding objects is judged by `interference`. */
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

/** A node that both schemas have. */
export interface NodePair {
  readonly old: Schema;
  readonly new: Schema;
  /** True if a list or an object around it is atomic for server-side apply in both schemas, so that nothing below is merged. */
  readonly isInsideAtomic: boolean;
  /** True if a node around it has CEL rules, in either schema. */
  readonly isInsideRules: boolean;
}

/** Compares one concern of a node, independently of its place and its child nodes. */
export interface Rule {
  /** The keywords whose differences it judges. Every keyword belongs to a rule, or to the walk through the schema. */
  readonly keywords: readonly string[];
  compare(pair: NodePair, report: Report): void;
}
