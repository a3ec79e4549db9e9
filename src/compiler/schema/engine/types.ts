import type * as engine from 'ts-json-schema-generator';
import type ts from 'typescript';
import type { SchemaEngine, SourceProgram } from '../../source/index.ts';
import type { DocReader } from '../comments/doc-comments.ts';
import type { Adjustment, Form, ListKind, Problem } from '../shape.ts';

export type EngineType = engine.BaseType;
export type EngineContext = engine.Context;
export type EngineParser = engine.SubNodeParser;

/** A form that the engine knows nothing of. */
export type OpaqueForm =
  | Form
  | { readonly kind: 'list'; readonly items: EngineType; readonly list: ListKind }
  /** A utility type around its argument. */
  | { readonly kind: 'adjusted'; readonly inner: EngineType; readonly adjustment: Adjustment }
  /** The base interface of custom resources. */
  | { readonly kind: 'resourceBase' }
  /** A field that several types have, all of which hold. */
  | { readonly kind: 'shared'; readonly name: string; readonly types: readonly EngineType[] }
  | (Form & { readonly kind: 'refused'; readonly inside?: Inside });

/** Parts that can be taken out of a type that has no form itself. */
export interface Inside {
  /** Signature of a function, with the meaning of the names of types in it. */
  readonly signature?: { readonly declaration: ts.SignatureDeclaration; readonly where: EngineContext };
  /** Type of the value of a Promise. */
  readonly promised?: EngineType;
  /** Type that the engine sees when it looks inside. Default: any value. */
  readonly seen?: () => EngineType;
}

/** Types that the checker infers for expressions without a written type. */
export interface CheckedTypes {
  /** @param place where what cannot be read is reported */
  read(type: ts.Type, place: ts.Node): EngineType;
  /** The type of a constant, or of a field that is named: `typeof defaults.size`. */
  ofSymbol(symbol: ts.Symbol, place: ts.Node): EngineType;
}

/** Context that our parsers share: the engine's chain, the docs, and the forms that are known without the engine. */
export interface ParserContext {
  readonly source: SourceProgram;
  readonly engine: SchemaEngine;
  readonly chain: engine.MutableParser & engine.NodeParser;
  readonly docs: DocReader;
  /** Built-in Kubernetes types keep their descriptions. */
  readonly embeddedDescriptions: boolean;
  /** Parts that the engine has made for the kind that is being read. */
  readonly counts: { mappedFields: number };
  /** An engine type that stands for a form of ours. `inner` is what the engine sees when it looks inside; made then, if it is a function. */
  opaque(id: string, form: OpaqueForm, inner?: EngineType | (() => EngineType)): EngineType;
  /** An opaque type for what cannot be expressed; without a node its place is that of the field that uses it. */
  refused(
    node: ts.Node | undefined,
    problem: Omit<Problem, 'at'>,
    escapable?: boolean,
    inside?: Inside,
  ): EngineType;
  /** Types that the checker infers where none is written. */
  readonly checked: CheckedTypes;
  /** The form of a type that `opaque` made. */
  formOf(type: EngineType): OpaqueForm | undefined;
  /** The type with the doc of a declaration around it. */
  annotated(node: ts.Node, type: EngineType): EngineType;
}

/** The annotation under which a doc travels through the engine. */
export const docAnnotation = 'doc';
