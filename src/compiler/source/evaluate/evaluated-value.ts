import type ts from 'typescript';
import type { Finding } from '../../../base/errors/index.ts';

/** Place where an expression starts. Lines and columns count from 1. Can be used as the `where` of a finding. */
export interface SourcePlace {
  /** Path of the file, relative to the folder in which the command runs, with forward slashes. */
  readonly file: string;
  readonly line: number;
  readonly column: number;
}

/** A kind in one version, as a resource token describes it. */
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
  /** Place of the property's name. */
  readonly place: SourcePlace;
  readonly value: Evaluated;
  /** Syntax of the property, for cases that evaluation does not cover. Omitted for properties that no literal contains. */
  readonly node?: ts.ObjectLiteralElementLike;
}

interface EvaluatedObject {
  readonly type: 'object';
  readonly properties: ReadonlyMap<string, EvaluatedProperty>;
  /** Spreads with unknown properties. Any property of the object may come from them. */
  readonly holes: readonly EvaluatedOpaque[];
  readonly place: SourcePlace;
}

/** A value of `defineResource` or `externalResource`, or a built-in kind of `opsdk/k8s/*`. */
interface EvaluatedToken {
  readonly type: 'token';
  readonly token: TokenInfo;
  /** Place where the token is used. */
  readonly place: SourcePlace;
}

/** A value that constant evaluation cannot determine. This is an error only if the value is needed. */
export interface EvaluatedOpaque {
  readonly type: 'opaque';
  readonly finding: Finding;
  readonly place: SourcePlace;
}

/** The result of constant evaluation; every part has the place where it was written. */
export type Evaluated = EvaluatedScalar | EvaluatedArray | EvaluatedObject | EvaluatedToken | EvaluatedOpaque;

/** Returns all parts of `value` that could not be evaluated, in source order. */
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
 * Returns the value without its places. Leaves out properties that are `undefined`, as JSON does. Call this function only if `opaqueParts`
 * returns nothing.
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
