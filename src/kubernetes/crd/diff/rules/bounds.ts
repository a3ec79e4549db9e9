import { kindOf, type Schema } from '../schema-node.ts';
import type { Rule } from './rule.ts';

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

/** Greater is stricter. */
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
