import { celLoops } from '../cel/cel-words.ts';
import type { CelCall, CelTree } from '../cel/parse-cel.ts';
import { UnsupportedCel } from './unsupported.ts';

/** The texts of the variables of an expression. */
type Scope = ReadonlyMap<string, string>;

const typeNames = new Set(
  'bool bytes double int list map null_type optional_type string type uint'.split(' '),
);

/**
 * Writes an expression in the terms of the machine, for cel-js to parse. Each operator and function is a call of `_k` with its name, because
 * cel-js has neither the types nor the libraries of Kubernetes; loops stay loops of cel-js.
 *
 * @param isFunction returns true for a function that the machine has; `.name` is a function of a value
 * @throws UnsupportedCel
 */
export function translate(
  tree: CelTree,
  variables: readonly string[],
  isFunction: (name: string) => boolean,
): string {
  const scope = new Map(variables.map((name) => [name, name]));
  return new Translator(scope, isFunction).text(tree, scope);
}

class Translator {
  readonly #rootScope: Scope;
  readonly #isFunction: (name: string) => boolean;
  #variables = 0;

  constructor(rootScope: Scope, isFunction: (name: string) => boolean) {
    this.#rootScope = rootScope;
    this.#isFunction = isFunction;
  }

  text(tree: CelTree, scope: Scope): string {
    const of = (part: CelTree): string => this.text(part, scope);
    switch (tree.kind) {
      case 'literal':
        return literal(tree.value);
      case 'name':
        return this.#name(tree.name, scope);
      case 'root':
        return tree.of.kind === 'name' ? this.#name(tree.of.name, this.#rootScope) : of(tree.of);
      case 'select': {
        const type = typeOf(tree, scope);
        if (type !== undefined) return call('typeName', JSON.stringify(type));
        return call(tree.isOptional ? 'optional' : 'member', of(tree.of), JSON.stringify(tree.name));
      }
      case 'index':
        return call(tree.isOptional ? 'optional' : 'member', of(tree.of), of(tree.index));
      case 'call':
        return this.#call(tree, scope);
      case 'list':
        return tree.items.some(({ isOptional }) => isOptional)
          ? call('list', list(...tree.items.map((item) => list(of(item.value), String(item.isOptional)))))
          : list(...tree.items.map((item) => of(item.value)));
      case 'map': {
        const entries = tree.entries.map(({ key, value, isOptional }) =>
          list(of(key), of(value), String(isOptional)),
        );
        return call('map', list(...entries));
      }
      case 'message':
        throw new UnsupportedCel('values of message types');
      case 'unary':
        return unary(tree.operator, tree.operand, of);
      case 'binary':
        return call(tree.operator, of(tree.left), of(tree.right));
      case 'logical': {
        const name = tree.operator === '&&' ? '_and' : '_or';
        return `${name}([${tree.operands.map(of).join(', ')}])`;
      }
      case 'conditional':
        return `_if(${of(tree.condition)}, ${of(tree.yes)}, ${of(tree.no)})`;
    }
  }

  #name(name: string, scope: Scope): string {
    if (name === 'true' || name === 'false' || name === 'null') return name;
    const own = scope.get(name);
    if (own !== undefined) return own;
    if (typeNames.has(name)) return call('typeName', JSON.stringify(name));
    throw new UnsupportedCel(`the name \`${name}\``);
  }

  #call(tree: CelCall, scope: Scope): string {
    const { receiver, name, args } = tree;
    const of = (part: CelTree): string => this.text(part, scope);
    if (receiver === undefined) {
      const [arg] = args;
      if (name === 'has' && arg?.kind === 'select' && !arg.isOptional)
        return call('has', of(arg.of), JSON.stringify(arg.name));
      return this.#function(name, args.map(of));
    }
    if (Object.hasOwn(celLoops, name) && celLoops[name]?.includes(args.length) === true)
      return this.#loop(tree, receiver, scope);
    if ((name === 'optMap' || name === 'optFlatMap') && args.length === 2) {
      const [variable, result] = args as [CelTree, CelTree];
      const [own, inner] = this.#bind(variable, scope);
      const mapped = `${call('present', of(receiver))}.map(${own}, ${this.text(result, inner)})`;
      return call(name === 'optMap' ? 'optionalOf' : 'flatOptionalOf', mapped);
    }
    if ((name === 'orValue' || name === 'or') && args.length === 1)
      return `_${name}(${of(receiver)}, ${args.map(of).join(', ')})`;
    const space = dotted(receiver);
    const [first = ''] = space?.split('.') ?? [];
    if (space !== undefined && !scope.has(first)) return this.#function(`${space}.${name}`, args.map(of));
    return this.#function(`.${name}`, [of(receiver), ...args.map(of)]);
  }

  #function(name: string, args: readonly string[]): string {
    if (!this.#isFunction(name)) throw new UnsupportedCel(`the function \`${name.replace(/^\./, '')}\``);
    return call(name, ...args);
  }

  /** Gives a variable a name of its own, which no word of cel-js equals. */
  #bind(variable: CelTree, scope: Scope): readonly [string, Scope] {
    if (variable.kind !== 'name') throw new UnsupportedCel('a variable that is not a name');
    const own = `v_${this.#variables++}`;
    return [own, new Map([...scope, [variable.name, own]])];
  }

  #loop({ name, args }: CelCall, over: CelTree, scope: Scope): string {
    const isPair = name.startsWith('transform') || (args.length === 3 && name !== 'map');
    const range = this.text(over, scope);
    if (!isPair) {
      const [variable, ...rest] = args as readonly [CelTree, ...CelTree[]];
      const [own, inner] = this.#bind(variable, scope);
      const results = rest.map((part) => this.text(part, inner));
      const loop = name === 'existsOne' ? 'exists_one' : name;
      if (name === 'sortBy')
        return call('sortBy', `${call('items', range)}.map(${own}, ${list(own, ...results)})`);
      return `${call('items', range)}.${loop}(${own}, ${results.join(', ')})`;
    }
    const pair = `v_${this.#variables++}`;
    const [key, value, ...rest] = args as readonly [CelTree, CelTree, ...CelTree[]];
    if (key.kind !== 'name' || value.kind !== 'name')
      throw new UnsupportedCel('a variable that is not a name');
    const inner = new Map([
      ...scope,
      [key.name, call('at', pair, '0')] as const,
      [value.name, call('at', pair, '1')] as const,
    ]);
    const results = rest.map((part) => this.text(part, inner));
    const pairs = call('pairs', range);
    const result = results.at(-1) ?? '';
    const filter = results.slice(0, -1).map((part) => `${part}, `);
    switch (name) {
      case 'transformList':
        return `${pairs}.map(${pair}, ${filter.join('')}${result})`;
      case 'transformMap':
        return call(
          'map',
          `${pairs}.map(${pair}, ${filter.join('')}${list(call('at', pair, '0'), result, 'false')})`,
        );
      case 'transformMapEntry':
        return call('merge', `${pairs}.map(${pair}, ${filter.join('')}${result})`);
      default:
        return `${pairs}.${name === 'existsOne' ? 'exists_one' : name}(${pair}, ${result})`;
    }
  }
}

const call = (name: string, ...args: readonly string[]): string =>
  `_k(${[JSON.stringify(name), ...args].join(', ')})`;

/** Writes a list. The machine evaluates its items in their order, cel-js would begin with the last. */
const list = (...items: readonly string[]): string => `_list([${items.join(', ')}])`;

function unary(operator: '!' | '-', operand: CelTree, of: (tree: CelTree) => string): string {
  if (operator === '!') return call('not', of(operand));
  // The smallest integer has no positive counterpart, so a sign belongs to its number.
  if (operand.kind === 'literal' && operand.value[0] === 'int')
    return call('int', JSON.stringify(`-${operand.value[1]}`));
  return call('negative', of(operand));
}

function literal([type, value]: readonly [string, string]): string {
  if (type === 'string') return JSON.stringify(value);
  if (type === 'bytes') return call('hex', JSON.stringify(value));
  if (type === 'int' && value.length < 16) return value;
  return call(type, JSON.stringify(value));
}

/** Returns names connected by dots; undefined for any other expression. */
function dotted(tree: CelTree): string | undefined {
  if (tree.kind === 'name') return tree.name;
  if (tree.kind !== 'select' || tree.isOptional || tree.isQuoted) return undefined;
  const before = dotted(tree.of);
  return before && `${before}.${tree.name}`;
}

/** Returns the qualified name of a type, such as `google.protobuf.Timestamp`. */
function typeOf(tree: CelTree, scope: Scope): string | undefined {
  const name = dotted(tree) ?? '';
  const [first = ''] = name.split('.');
  return ['google', 'kubernetes', 'net'].includes(first) && !scope.has(first) ? name : undefined;
}
