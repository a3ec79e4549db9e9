import type ts from 'typescript';
import type { Finding } from '../../../base/errors/index.ts';

/** Place where an expression starts. Lines and columns count from 1. Can be used as the `where` of a finding. */
export interface SourcePlace {
  /** Path of the file, relative to the folder in which the command runs, with forward slashes. */
  readonly file: string;
  readonly line: number;
  readonly column: number;
}

/** Description of a kind in one version, as a resource token contains it. */
export interface TokenInfo {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  readonly plural: string;
  readonly namespaced: boolean;
}

interface EvaluatedScalar {
  readonly type: 'scalar';
  readonly value: string | number | boolean | null | undefined;
  readonly place: SourcePlace;
}

interface EvaluatedArray {
  readonly type: 'array';
  readonly items: readonly Evaluated[];
  readonly place: SourcePlace;
}

export interface EvaluatedProperty {
  /** Place of the property's name in the source. */
  readonly place: SourcePlace;
  readonly value: Evaluated;
  /**
   * Syntax node of the property, for facts that evaluation does not provide. Undefined for a property that is not written in an object
   * literal.
   */
  readonly node?: ts.ObjectLiteralElementLike;
}

interface EvaluatedObject {
  readonly type: 'object';
  readonly properties: ReadonlyMap<string, EvaluatedProperty>;
  /** Spreads and computed names that could not be evaluated. They may add or replace any property of the object. */
  readonly holes: readonly EvaluatedOpaque[];
  readonly place: SourcePlace;
}

/** A resource token: a value of `defineResource` or `externalResource`, or a built-in kind from `opsdk/k8s/*`. */
interface EvaluatedToken {
  readonly type: 'token';
  readonly token: TokenInfo;
  /** Place where the token is used in the source. */
  readonly place: SourcePlace;
}

/** A value that cannot be determined by evaluating constants. The finding is reported only if the value is needed. */
export interface EvaluatedOpaque {
  readonly type: 'opaque';
  readonly finding: Finding;
  readonly place: SourcePlace;
}

/** The result of evaluating a constant expression. Each part contains the place where it is written. */
export type Evaluated = EvaluatedScalar | EvaluatedArray | EvaluatedObject | EvaluatedToken | EvaluatedOpaque;

/** Returns all parts of `value` that could not be evaluated. */
export function opaqueParts(value: Evaluated): readonly EvaluatedOpaque[] {
  switch (value.type) {
    case 'opaque':
      return [value];
    case 'array':
      return value.items.flatMap(opaqueParts);
    case 'object':
      return [
        ...value.holes,
        ...[...value.properties.values()].flatMap((property) => opaqueParts(property.value)),
      ];
    case 'scalar':
    case 'token':
      return [];
  }
}

/**
 * Returns the plain JavaScript value, without places. Omits properties that are `undefined`, as JSON does. Call this function only if
 * `opaqueParts` returns an empty list.
 * @throws TypeError if a part could not be evaluated
 */
export function plainValue(value: Evaluated): unknown {
  switch (value.type) {
    case 'scalar':
      return value.value;
    case 'array':
      return value.items.map(plainValue);
    case 'object': {
      const entries = [...value.properties].map(
        ([name, property]) => [name, plainValue(property.value)] as const,
      );
      return Object.fromEntries(entries.filter(([, plain]) => plain !== undefined));
    }
    case 'token':
      return { ...value.token };
    case 'opaque':
      throw new TypeError(`plainValue of an opaque value at ${value.place.file}:${value.place.line}`);
  }
}
