import type { Lint } from './node.ts';

const pairs = [
  ['minimum', 'maximum'],
  ['minLength', 'maxLength'],
  ['minItems', 'maxItems'],
  ['minProperties', 'maxProperties'],
] as const;

/** Bounds of which the first exceeds the second. */
export const boundsLint: Lint = ({ node: { schema } }) =>
  pairs.flatMap(([least, greatest]) => {
    const [low, high] = [schema[least], schema[greatest]];
    if (low === undefined || high === undefined || low < high) return [];
    const isOpen =
      least === 'minimum' && (schema.exclusiveMinimum === true || schema.exclusiveMaximum === true);
    if (low === high && !isOpen) return [];
    const message =
      low === high
        ? `no value lies between ${least} ${low} and ${greatest} ${high}, one of which is exclusive`
        : `${least} ${low} is greater than ${greatest} ${high}`;
    return [{ problem: { code: 'schema/bounds', message, fix: ['exchange or correct the values'] } }];
  });
