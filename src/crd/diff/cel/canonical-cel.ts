import { celTokens, type CelToken } from '../../rules/schema/cel-tokens.ts';
import { celNumber, celString } from './cel-literal.ts';

/** A syntax tree: what a node is, and its parts. */
type Tree = readonly (string | Tree)[];

/** Deeper expressions are refused by the API server. Source: cel-go `parser/options.go`, maxRecursionDepth. */
const deepest = 250;

class Unreadable extends Error {}

/**
 * An expression of CEL as text that is the same for expressions with the same syntax tree: whitespace, comments, the kind of quotes,
 * escapes, and parentheses without effect do not count. Text that is not CEL stands for itself.
 */
export function canonicalCel(expression: string): string {
  try {
    return JSON.stringify(new CelParser(celTokens(expression)).parse());
  } catch (error) {
    // The stack is not deep enough for the tree of a long chain such as `a+a+a…`, which the API server refuses.
    if (error instanceof Unreadable || error instanceof RangeError) return expression.trim();
    throw error;
  }
}

/** Operators with two operands, from the loosest on. All are left-associative. */
const levels: readonly (readonly string[])[] = [
  ['||'],
  ['&&'],
  ['<', '<=', '>', '>=', '==', '!=', 'in'],
  ['+', '-'],
  ['*', '/', '%'],
];

/** A recursive-descent parser. Source: the grammar of CEL, cel-spec `doc/langdef.md`. */
class CelParser {
  readonly #tokens: readonly CelToken[];
  #at = 0;
  #depth = 0;

  constructor(tokens: readonly CelToken[]) {
    this.#tokens = tokens;
  }

  parse(): Tree {
    const tree = this.#expression();
    if (this.#at < this.#tokens.length) throw new Unreadable();
    return tree;
  }

  #peek(): string {
    const token = this.#tokens[this.#at];
    // Text in quotes is never an operator.
    return token === undefined || token.kind === 'string' ? '' : token.text;
  }

  #take(text: string): boolean {
    if (this.#peek() !== text) return false;
    this.#at++;
    return true;
  }

  #expect(text: string): void {
    if (!this.#take(text)) throw new Unreadable();
  }

  #next(): CelToken {
    const token = this.#tokens[this.#at++];
    if (token === undefined) throw new Unreadable();
    return token;
  }

  #expression(): Tree {
    if (++this.#depth > deepest) throw new Unreadable();
    const condition = this.#binary(0);
    let tree = condition;
    if (this.#take('?')) {
      const yes = this.#binary(0);
      this.#expect(':');
      tree = ['?:', condition, yes, this.#expression()];
    }
    this.#depth--;
    return tree;
  }

  #binary(level: number): Tree {
    const operators = levels[level];
    if (operators === undefined) return this.#unary();
    let left = this.#binary(level + 1);
    while (operators.includes(this.#peek())) {
      const operator = this.#next().text;
      const right = this.#binary(level + 1);
      const isLogical = operator === '||' || operator === '&&';
      left = isLogical ? joined(operator, left, right) : [operator, left, right];
    }
    return left;
  }

  #unary(): Tree {
    for (const operator of ['!', '-']) {
      let count = 0;
      while (this.#take(operator)) count++;
      if (count > 0) {
        const operand = this.#member();
        // Two of them cancel each other out, for the parser of the API server, too.
        return count % 2 === 0 ? operand : [operator, operand];
      }
    }
    return this.#member();
  }

  #member(): Tree {
    let tree = this.#primary();
    for (;;) {
      if (this.#take('.')) {
        const isOptional = this.#take('?');
        const name = this.#name();
        if (isOptional) tree = ['.?', tree, name];
        else if (this.#take('(')) tree = ['call', tree, name, ...this.#list(')')];
        else tree = ['.', tree, name];
      } else if (this.#take('[')) {
        const step = this.#take('?') ? '[?]' : '[]';
        tree = [step, tree, this.#expression()];
        this.#expect(']');
      } else if (this.#peek() === '{' && isTypeName(tree)) {
        this.#at++;
        tree = ['object', tree, ...this.#entries()];
      } else return tree;
    }
  }

  #primary(): Tree {
    const token = this.#next();
    const { kind, text } = token;
    if (kind === 'number') return celNumber(text) ?? unreadable();
    if (kind === 'string') return celString(text) ?? unreadable();
    if (kind === 'name') {
      if (text === 'in') throw new Unreadable();
      return this.#take('(') ? ['call', '', text, ...this.#list(')')] : ['name', text];
    }
    if (text === '(') {
      const tree = this.#expression();
      this.#expect(')');
      return tree;
    }
    if (text === '[') return ['list', ...this.#list(']')];
    if (text === '{') return ['map', ...this.#entries()];
    // A name that begins with a dot is looked up from the root on.
    if (text === '.') return ['root', this.#primary()];
    throw new Unreadable();
  }

  /** A field: also one in backquotes, and one that is a word of the language. */
  #name(): string {
    const { kind, text } = this.#next();
    if (kind === 'name') return text;
    if (kind === 'string' && text.startsWith('`')) return text.slice(1, -1);
    throw new Unreadable();
  }

  #list(end: ')' | ']'): readonly Tree[] {
    const items: Tree[] = [];
    while (!this.#take(end)) {
      const isOptional = end === ']' && this.#take('?');
      const item = this.#expression();
      items.push(isOptional ? ['?', item] : item);
      if (!this.#take(',') && this.#peek() !== end) throw new Unreadable();
    }
    return items;
  }

  #entries(): readonly Tree[] {
    const entries: Tree[] = [];
    while (!this.#take('}')) {
      const isOptional = this.#take('?');
      const key = this.#expression();
      this.#expect(':');
      entries.push([isOptional ? '?' : '', key, this.#expression()]);
      if (!this.#take(',') && this.#peek() !== '}') throw new Unreadable();
    }
    return entries;
  }
}

/** `a && (b && c)` is `a && b && c`: which of them is looked at first is left open by CEL. */
function joined(operator: string, left: Tree, right: Tree): Tree {
  const operands = (tree: Tree): Tree => (tree[0] === operator ? tree.slice(1) : [tree]);
  return [operator, ...operands(left), ...operands(right)];
}

function isTypeName(tree: Tree): boolean {
  const [kind, inner] = tree;
  return (
    kind === 'name' || ((kind === '.' || kind === 'root') && typeof inner === 'object' && isTypeName(inner))
  );
}

function unreadable(): never {
  throw new Unreadable();
}
