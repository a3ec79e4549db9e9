import { type CelLiteral, celTokens, type CelToken } from './cel-tokens.ts';

/** Returns the value of a string or bytes literal, without quotes and with escapes replaced. Returns undefined if an escape is invalid. */
function celString(text: string): CelLiteral | undefined {
  const [, prefix = '', quote = '', content = ''] = /^([rRbB]*)("""|'''|"|')([\s\S]*)\2$/.exec(text) ?? [];
  if (quote === '') return undefined;
  const isBytes = /b/i.test(prefix);
  const parts = /r/i.test(prefix) ? [Buffer.from(content)] : unescaped(content, isBytes);
  if (parts === undefined) return undefined;
  const value = Buffer.concat(parts);
  return isBytes ? ['bytes', value.toString('hex')] : ['string', value.toString('utf8')];
}

const plainEscapes: Readonly<Record<string, string>> = {
  ...{ a: '\u0007', b: '\b', f: '\f', n: '\n', r: '\r', t: '\t', v: '\v' },
  ...{ '\\': '\\', '?': '?', '"': '"', "'": "'", '`': '`' },
};

const piece =
  /(?<text>[^\\]+)|\\(?:[xX](?<hex>[\da-fA-F]{2})|(?<octal>[0-3][0-7]{2})|u(?<short>[\da-fA-F]{4})|U(?<long>[\da-fA-F]{8})|(?<plain>[abfnrtv\\?"'`]))/gy;

/** Replaces the escapes in a literal; undefined if one is invalid. Source: cel-spec `doc/langdef.md`, "String and Bytes Values". */
function unescaped(content: string, isBytes: boolean): readonly Buffer[] | undefined {
  const parts: Buffer[] = [];
  let end = 0;
  for (const { groups = {}, index, 0: whole } of content.matchAll(piece)) {
    end = index + whole.length;
    const { text, hex, octal, plain } = groups;
    const small = hex ?? octal;
    const code = Number.parseInt(
      small ?? groups['short'] ?? groups['long'] ?? '',
      octal === undefined ? 16 : 8,
    );
    if (text !== undefined) parts.push(Buffer.from(text));
    else if (plain !== undefined) parts.push(Buffer.from(plainEscapes[plain] ?? ''));
    // In bytes these escapes are one byte, in strings one character.
    else if (isBytes && small !== undefined) parts.push(Buffer.of(code));
    else if (code > 0x10ffff || (code >= 0xd800 && code < 0xe000)) return undefined;
    else parts.push(Buffer.from(String.fromCodePoint(code)));
  }
  return end === content.length ? parts : undefined;
}

/** Maximum nesting depth of an expression in the API server. Source: cel-go `parser/options.go`, maxRecursionDepth. */
const deepest = 250;

class Unreadable extends Error {}

/** The syntax tree of an expression, or its syntax error. */
export type ParsedCel = { readonly tree: CelTree } | { readonly problem: string };

/** Parses a CEL expression. Also reports an expression that is nested too deeply for the API server as a problem. */
export function parseCelExpression(expression: string): ParsedCel {
  try {
    return { tree: new CelParser(celTokens(expression)).parse() };
  } catch (error) {
    if (error instanceof Unreadable) return { problem: error.message };
    // The stack overflowed because of a long chain such as `a+a+a…`. The API server refuses such a chain, too.
    if (error instanceof RangeError) return { problem: tooDeep };
    throw error;
  }
}

const tooDeep = `it is nested deeper than ${deepest} levels`;

/** Keywords, which cannot be used as names. Source: the lexer of cel-go, `parser/gen/CEL.g4`. */
const words: ReadonlySet<string> = new Set(['true', 'false', 'null', 'in']);

/** Binary operators by precedence, lowest first. All are left-associative. */
const levels: readonly (readonly string[])[] = [
  ['||'],
  ['&&'],
  ['<', '<=', '>', '>=', '==', '!=', 'in'],
  ['+', '-'],
  ['*', '/', '%'],
];

/** Recursive-descent parser for CEL. Source: the grammar of CEL, cel-spec `doc/langdef.md`. */
class CelParser {
  readonly #tokens: readonly CelToken[];
  #at = 0;
  #depth = 0;

  constructor(tokens: readonly CelToken[]) {
    this.#tokens = tokens;
  }

  parse(): CelTree {
    const tree = this.#expression();
    if (this.#at < this.#tokens.length) this.#unexpected();
    return tree;
  }

  #peek(): string {
    const token = this.#tokens[this.#at];
    // A string token is never an operator, whatever its text is.
    return token === undefined || token.kind === 'string' ? '' : token.text;
  }

  #take(text: string): boolean {
    if (this.#peek() !== text) return false;
    this.#at++;
    return true;
  }

  #expect(text: string): void {
    if (!this.#take(text)) this.#unexpected();
  }

  #next(): CelToken {
    const token = this.#tokens[this.#at] ?? this.#unexpected();
    this.#at++;
    return token;
  }

  /**
   * Throws the syntax error for an unexpected token.
   * @param at index of the token. Default: the next token
   */
  #unexpected(at = this.#at): never {
    const token = this.#tokens[at];
    const before = this.#tokens[at - 1];
    const after = before === undefined ? '' : ` after \`${before.text}\``;
    throw new Unreadable(
      token === undefined ? `something is missing${after}` : `unexpected \`${token.text}\`${after}`,
    );
  }

  #expression(): CelTree {
    if (++this.#depth > deepest) throw new Unreadable(tooDeep);
    const condition = this.#binary(0);
    let tree = condition;
    if (this.#take('?')) {
      const yes = this.#binary(0);
      this.#expect(':');
      tree = { kind: 'conditional', condition, yes, no: this.#expression() };
    }
    this.#depth--;
    return tree;
  }

  #binary(level: number): CelTree {
    const operators = levels[level];
    if (operators === undefined) return this.#unary();
    let left = this.#binary(level + 1);
    while (operators.includes(this.#peek())) {
      const operator = this.#next().text;
      const right = this.#binary(level + 1);
      left =
        operator === '||' || operator === '&&'
          ? joined(operator, left, right)
          : { kind: 'binary', operator: operator as CelOperator, left, right };
    }
    return left;
  }

  #unary(): CelTree {
    for (const operator of ['!', '-'] as const) {
      let count = 0;
      while (this.#take(operator)) count++;
      if (count > 0) {
        const operand = this.#member();
        // Two equal operators in a row, as in `!!a`, cancel each other out, as in the API server's parser.
        return count % 2 === 0 ? operand : { kind: 'unary', operator, operand };
      }
    }
    return this.#member();
  }

  #member(): CelTree {
    let tree = this.#primary();
    for (;;) {
      if (this.#take('.')) {
        const isOptional = this.#take('?');
        const field = this.#field();
        tree =
          !isOptional && !field.isQuoted && this.#take('(')
            ? { kind: 'call', receiver: tree, name: field.name, args: this.#args() }
            : { kind: 'select', of: tree, ...field, isOptional };
      } else if (this.#take('[')) {
        const isOptional = this.#take('?');
        tree = { kind: 'index', of: tree, index: this.#expression(), isOptional };
        this.#expect(']');
      } else if (this.#peek() === '{' && isTypeName(tree)) {
        this.#at++;
        tree = { kind: 'message', type: tree, fields: this.#entries(() => this.#field()) };
      } else return tree;
    }
  }

  #primary(): CelTree {
    const { kind, text } = this.#next();
    const here = this.#at - 1;
    if (kind === 'number' || kind === 'string') {
      const value = kind === 'number' ? celNumber(text) : celString(text);
      return value === undefined ? this.#unexpected(here) : { kind: 'literal', value };
    }
    if (kind === 'name') {
      if (text === 'in') this.#unexpected(here);
      if (words.has(text)) return { kind: 'name', name: text };
      if (this.#take('(')) return { kind: 'call', receiver: undefined, name: text, args: this.#args() };
      return { kind: 'name', name: text };
    }
    if (text === '(') {
      const tree = this.#expression();
      this.#expect(')');
      return tree;
    }
    if (text === '[') return { kind: 'list', items: this.#items() };
    if (text === '{') return { kind: 'map', entries: this.#entries(() => ({ key: this.#expression() })) };
    if (text === '.') {
      const { kind: after, text: name = '' } = this.#tokens[this.#at] ?? {};
      if (after !== 'name' || words.has(name)) this.#unexpected();
      return { kind: 'root', of: this.#primary() };
    }
    return this.#unexpected(here);
  }

  /** Reads the name of a field, which may be in backquotes, or a reserved word such as `package`. */
  #field(): Pick<CelSelect, 'name' | 'isQuoted'> {
    const { kind, text } = this.#next();
    if (kind === 'name' && !words.has(text)) return { name: text, isQuoted: false };
    if (kind === 'string' && text.startsWith('`')) return { name: text.slice(1, -1), isQuoted: true };
    return this.#unexpected(this.#at - 1);
  }

  /** Reads the arguments of a call. A comma after the last argument is not allowed. */
  #args(): readonly CelTree[] {
    const args: CelTree[] = [];
    if (this.#take(')')) return args;
    do args.push(this.#expression());
    while (this.#take(','));
    this.#expect(')');
    return args;
  }

  #items(): readonly CelItem[] {
    const items: CelItem[] = [];
    while (!this.#take(']')) {
      const isOptional = this.#take('?');
      items.push({ isOptional, value: this.#expression() });
      if (!this.#take(',') && this.#peek() !== ']') this.#unexpected();
    }
    return items;
  }

  #entries<Key>(key: () => Key): readonly (Key & CelItem)[] {
    const entries: (Key & CelItem)[] = [];
    while (!this.#take('}')) {
      const isOptional = this.#take('?');
      const name = key();
      this.#expect(':');
      entries.push({ ...name, isOptional, value: this.#expression() });
      if (!this.#take(',') && this.#peek() !== '}') this.#unexpected();
    }
    return entries;
  }
}

/** Joins two operands of an operator. Flattens `a && (b && c)` to `a && b && c`. */
function joined(operator: '&&' | '||', left: CelTree, right: CelTree): CelTree {
  const operands = (tree: CelTree): readonly CelTree[] =>
    tree.kind === 'logical' && tree.operator === operator ? tree.operands : [tree];
  return { kind: 'logical', operator, operands: [...operands(left), ...operands(right)] };
}

function isTypeName(tree: CelTree): boolean {
  if (tree.kind === 'name') return true;
  return (tree.kind === 'select' || tree.kind === 'root') && isTypeName(tree.of);
}

/** Syntax tree of a CEL expression. Macros such as `all` and `has` are represented as calls. Source: cel-spec `doc/langdef.md`. */
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

/** An operator with two operands, except the logical operators. */
type CelOperator = '<' | '<=' | '>' | '>=' | '==' | '!=' | 'in' | '+' | '-' | '*' | '/' | '%';

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
  /** True if the name is written in backquotes. */
  readonly isQuoted: boolean;
}

interface CelItem {
  /** True for `[?a]`, which adds the item only if it exists. */
  readonly isOptional: boolean;
  readonly value: CelTree;
}

interface CelEntry extends CelItem {
  readonly key: CelTree;
}

interface CelField extends CelItem {
  readonly name: string;
}

/** Converts a number to a literal with its decimal value: `0x10` becomes `16`. Returns undefined if the text is not a number. */
function celNumber(text: string): CelLiteral | undefined {
  const [, integer, unsigned] = /^(0x[\da-fA-F]+|\d+)([uU]?)$/.exec(text) ?? [];
  if (integer !== undefined) return [unsigned === '' ? 'int' : 'uint', BigInt(integer).toString()];
  return /^(?:\d+\.\d+|\.\d+|\d+(?=[eE]))(?:[eE][+-]?\d+)?$/.test(text)
    ? ['double', String(Number(text))]
    : undefined;
}
