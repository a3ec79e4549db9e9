import type { CelLiteral } from './cel-literal.ts';

/** An expression of CEL as a syntax tree. Macros such as `all` and `has` are calls. Source: cel-spec `doc/langdef.md`. */
export type CelTree =
  | { readonly kind: 'literal'; readonly value: CelLiteral }
  | { readonly kind: 'name'; readonly name: string }
  /** `.name`: a name that is looked up from the root on. */
  | { readonly kind: 'root'; readonly of: CelTree }
  /** `a.name`, `a.?name`. */
  | CelSelect
  /** `a[index]`, `a[?index]`. */
  | { readonly kind: 'index'; readonly of: CelTree; readonly index: CelTree; readonly isOptional: boolean }
  /** `name(…)`; with a receiver: `a.name(…)`. */
  | CelCall
  | { readonly kind: 'list'; readonly items: readonly CelItem[] }
  | { readonly kind: 'map'; readonly entries: readonly CelEntry[] }
  /** `some.Type{field: value}`. */
  | { readonly kind: 'message'; readonly type: CelTree; readonly fields: readonly CelField[] }
  | { readonly kind: 'unary'; readonly operator: '!' | '-'; readonly operand: CelTree }
  | CelBinary
  /** `a && b && c`: which of them is looked at first is left open by CEL. */
  | { readonly kind: 'logical'; readonly operator: '&&' | '||'; readonly operands: readonly CelTree[] }
  | {
      readonly kind: 'conditional';
      readonly condition: CelTree;
      readonly yes: CelTree;
      readonly no: CelTree;
    };

/** An operator with two operands, apart from the logical ones. */
export type CelOperator = '<' | '<=' | '>' | '>=' | '==' | '!=' | 'in' | '+' | '-' | '*' | '/' | '%';

export interface CelBinary {
  readonly kind: 'binary';
  readonly operator: CelOperator;
  readonly left: CelTree;
  readonly right: CelTree;
}

export interface CelCall {
  readonly kind: 'call';
  readonly receiver: CelTree | undefined;
  readonly name: string;
  readonly args: readonly CelTree[];
}

export interface CelSelect {
  readonly kind: 'select';
  readonly of: CelTree;
  readonly name: string;
  readonly isOptional: boolean;
  /** In backquotes. */
  readonly isQuoted: boolean;
}

export interface CelItem {
  /** `[?a]`: only if it is there. */
  readonly isOptional: boolean;
  readonly value: CelTree;
}

export interface CelEntry extends CelItem {
  readonly key: CelTree;
}

export interface CelField extends CelItem {
  readonly name: string;
}
