import type ts from 'typescript';
import type { Finding } from '../../../base/errors/index.ts';

/** Where an expression starts; lines and columns count from 1. Usable as the `where` of a finding. */
export interface SourcePlace {
  /** Relative to the folder in which the command runs, with forward slashes. */
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
  /** The node of the property's name. */
  readonly place: SourcePlace;
  readonly value: Evaluated;
  /** The syntax, for cases that evaluation does not cover; omitted for properties that no literal contains. */
  readonly node?: ts.ObjectLiteralElementLike;
}

interface EvaluatedObject {
  readonly type: 'object';
  readonly properties: ReadonlyMap<string, EvaluatedProperty>;
  /** Spreads whose properties are unknown: any property may come from them. */
  readonly holes: readonly EvaluatedOpaque[];
  readonly place: SourcePlace;
}

/** A value of `defineResource` or `externalResource`, or a built-in kind of `opsdk/k8s/*`. */
interface EvaluatedToken {
  readonly type: 'token';
  readonly token: TokenInfo;
  /** Where the token is used. */
  readonly place: SourcePlace;
}

/** Value that constant evaluation cannot determine: an error only where it is needed. */
export interface EvaluatedOpaque {
  readonly type: 'opaque';
  readonly finding: Finding;
  readonly place: SourcePlace;
}

/** The result of constant evaluation; every part has the place where it was written. */
export type Evaluated = EvaluatedScalar | EvaluatedArray | EvaluatedObject | EvaluatedToken | EvaluatedOpaque;

/** Everything below `value` that could not be evaluated, in source order. */
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

/** The value without its places. Properties that are `undefined` are left out, as JSON leaves them out. Call it only when `opaqueParts` is empty. */
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
