import type { Finding, FindingList } from '../errors/index.ts';
import {
  describeEvaluated,
  opaqueParts,
  type Evaluated,
  type EvaluatedProperty,
  type SourcePlace,
} from '../schema/index.ts';
import { closestName } from '../util/closest-name.ts';

/** A value with the place where it was written, so that a later check can point at it. */
export interface Placed<T> {
  readonly value: T;
  readonly place: SourcePlace;
}

/** A finding of the shape of a declaration. */
export function invalidDeclaration(message: string, where: SourcePlace, fix: string): Finding {
  return { code: 'manifests/invalid-declaration', message, where, fix: [fix] };
}

/**
 * The properties of an object; unknown names, and spreads that could hide properties, are findings.
 * @param what names the object in messages, such as `defineResource`
 * @param known all names that may occur; absent: any
 */
export function readObject(
  findings: FindingList,
  value: Evaluated,
  what: string,
  known?: readonly string[],
): ReadonlyMap<string, EvaluatedProperty> | undefined {
  if (value.type === 'opaque') {
    findings.add(value.finding);
    return undefined;
  }
  if (value.type !== 'object') {
    findings.add(
      invalidDeclaration(
        `${what} takes an object, not ${describeEvaluated(value)}`,
        value.place,
        'write an object: { … }',
      ),
    );
    return undefined;
  }
  findings.add(...value.holes.map((hole) => hole.finding));
  for (const [name, property] of value.properties) {
    if (known === undefined || known.includes(name)) continue;
    const closest = closestName(name, known);
    const fix =
      closest === undefined ? `remove it, or use one of ${known.join(', ')}` : `did you mean \`${closest}\`?`;
    findings.add(invalidDeclaration(`${what} has no property \`${name}\``, property.place, fix));
  }
  return value.properties;
}

/** The items of an array; absent and `undefined` give undefined, anything else is a finding. */
export function readArray(
  findings: FindingList,
  value: Evaluated | undefined,
  what: string,
): readonly Evaluated[] | undefined {
  if (value === undefined || (value.type === 'scalar' && value.value === undefined)) return undefined;
  if (value.type === 'array') return value.items;
  if (value.type === 'opaque') findings.add(value.finding);
  else
    findings.add(
      invalidDeclaration(
        `${what} takes an array, not ${describeEvaluated(value)}`,
        value.place,
        'write an array: [ … ]',
      ),
    );
  return undefined;
}

/** The items of an array of strings; items that are not strings are findings. */
export function readStrings(
  findings: FindingList,
  value: Evaluated | undefined,
  what: string,
): readonly Placed<string>[] | undefined {
  return readArray(findings, value, what)?.flatMap((item) => {
    if (item.type === 'scalar' && typeof item.value === 'string')
      return [{ value: item.value, place: item.place }];
    findings.add(...opaqueParts(item).map((part) => part.finding));
    if (item.type !== 'opaque')
      findings.add(
        invalidDeclaration(
          `${what} takes strings, not ${describeEvaluated(item)}`,
          item.place,
          'write a string',
        ),
      );
    return [];
  });
}
