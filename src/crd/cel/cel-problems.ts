import { closestName } from '../../util/closest-name.ts';
import { celFunctions, celLoops, otherCelMacros } from './cel-functions.ts';
import { celName } from './cel-field-name.ts';
import { anything, celTypeOf, type CelType } from './cel-type.ts';
import type { CelCall, CelSelect, CelTree } from './cel-tree.ts';

/** The names that an expression can use, and their types. */
export type CelScope = Readonly<Record<string, CelType>>;

/** What the API server would say against an expression. */
export interface CheckedCel {
  /** The type of its result. */
  readonly type: CelType;
  readonly problems: readonly string[];
}

const bool: CelType = { kind: 'bool' };
const int: CelType = { kind: 'int' };
const string: CelType = { kind: 'string' };

/** Names of types, and the values that are words. Source: cel-spec `doc/langdef.md`, "Values". */
const words: CelScope = {
  ...{ true: bool, false: bool, null: anything },
  ...{ bool: anything, bytes: anything, double: anything, int: anything, list: anything, map: anything },
  ...{ null_type: anything, optional_type: anything, string: anything, type: anything, uint: anything },
};

/** The beginnings of names of types, such as `google.protobuf.Timestamp`. */
const packages: ReadonlySet<string> = new Set(['google', 'kubernetes', 'net']);

/**
 * Checks what is certain without the compiler of the API server: that names, fields and functions exist, and that what a field or an
 * item is taken of has some. Arguments of functions and operands are not compared with their types; that is what `--verify` is for.
 * Source: cel-go `checker/checker.go`.
 */
export function checkCel(tree: CelTree, scope: CelScope): CheckedCel {
  const problems = new Set<string>();
  const type = new CelChecker((problem) => void problems.add(problem)).typeOf(tree, scope);
  return { type, problems: [...problems] };
}

class CelChecker {
  readonly #problem: (problem: string) => void;

  constructor(problem: (problem: string) => void) {
    this.#problem = problem;
  }

  typeOf(tree: CelTree, scope: CelScope): CelType {
    switch (tree.kind) {
      case 'literal': {
        const [kind] = tree.value;
        return kind === 'uint' ? anything : { kind };
      }
      case 'name':
        return this.#name(tree.name, scope);
      case 'root':
        return this.#root(tree.of, scope);
      case 'select':
        return this.#select(tree, scope);
      case 'index': {
        const of = this.typeOf(tree.of, scope);
        this.typeOf(tree.index, scope);
        return this.#index(of, tree.of, tree.isOptional);
      }
      case 'call':
        return this.#call(tree, scope);
      case 'list': {
        const items = tree.items.map(({ value }) => this.typeOf(value, scope));
        return { kind: 'list', item: common(items) };
      }
      case 'map': {
        for (const { key } of tree.entries) this.typeOf(key, scope);
        const values = tree.entries.map(({ value }) => this.typeOf(value, scope));
        return { kind: 'map', value: common(values) };
      }
      case 'message':
        for (const { value } of tree.fields) this.typeOf(value, scope);
        if (!isTypeName(tree.type, scope)) this.#problem(`unknown type ${shown(tree.type)}`);
        return anything;
      case 'unary': {
        const operand = this.typeOf(tree.operand, scope);
        return tree.operator === '!' ? bool : operand;
      }
      case 'binary': {
        const types = [this.typeOf(tree.left, scope), this.typeOf(tree.right, scope)];
        return ['+', '-', '*', '/', '%'].includes(tree.operator) ? common(types) : bool;
      }
      case 'logical':
        for (const operand of tree.operands) this.typeOf(operand, scope);
        return bool;
      case 'conditional':
        this.typeOf(tree.condition, scope);
        return common([this.typeOf(tree.yes, scope), this.typeOf(tree.no, scope)]);
    }
  }

  #name(name: string, scope: CelScope): CelType {
    const type = Object.hasOwn(scope, name)
      ? scope[name]
      : Object.hasOwn(words, name)
        ? words[name]
        : undefined;
    if (type !== undefined) return type;
    const known = Object.keys(scope);
    // Of short names, another one would be close to anything.
    const closest = name.length > 2 ? meant(name, known) : undefined;
    this.#problem(`unknown name \`${name}\`${closest ?? `; expected ${list(known)}`}`);
    return anything;
  }

  /** What is looked up from the root on is no macro. */
  #root(of: CelTree, scope: CelScope): CelType {
    if (of.kind !== 'call') return this.typeOf(of, scope);
    for (const arg of of.args) this.typeOf(arg, scope);
    if (!celFunctions.has(of.name)) this.#problem(`unknown function \`.${of.name}\``);
    return anything;
  }

  #select(tree: CelSelect, scope: CelScope): CelType {
    const { of, name, isOptional, isQuoted } = tree;
    if (isTypeName(tree, scope)) return anything;
    const type = this.typeOf(of, scope);
    if (isQuoted) {
      this.#problem(`names in backquotes are not supported; write \`${celName(name)}\` for \`${name}\``);
      return anything;
    }
    const inner = type.kind === 'optional' ? type.of : type;
    const field = this.#field(inner, of, name);
    return type.kind === 'optional' || isOptional ? optional(field) : field;
  }

  #field(type: CelType, of: CelTree, name: string): CelType {
    if (type.kind === 'any') return anything;
    if (type.kind === 'map') return type.value;
    if (type.kind !== 'object') {
      this.#problem(`${shown(of)} is ${namedCelType(type)}, which has no fields: \`${name}\``);
      return anything;
    }
    // Since Kubernetes 1.31, a word of the language is also understood as it is.
    const schema = type.fields.get(name) ?? type.fields.get(`__${name}__`);
    if (schema === undefined) {
      this.#problem(`${shown(of)} has no field \`${name}\`${meant(name, type.fields.keys()) ?? ''}`);
      return anything;
    }
    const field = celTypeOf(schema);
    if (field === undefined)
      this.#problem(`${shown(of)} has a field \`${name}\` without a type, which rules cannot read`);
    return field ?? anything;
  }

  #index(type: CelType, of: CelTree, isOptional: boolean): CelType {
    const inner = type.kind === 'optional' ? type.of : type;
    const item =
      inner.kind === 'list'
        ? inner.item
        : inner.kind === 'map'
          ? inner.value
          : inner.kind === 'any'
            ? anything
            : undefined;
    if (item === undefined)
      this.#problem(
        `${shown(of)} is ${namedCelType(inner)}, which has no items: write \`.name\` for a field`,
      );
    return type.kind === 'optional' || isOptional ? optional(item ?? anything) : (item ?? anything);
  }

  #call(call: CelCall, scope: CelScope): CelType {
    const { receiver, name, args } = call;
    if (receiver === undefined) return this.#globalCall(call, scope);
    if (Object.hasOwn(celLoops, name) && celLoops[name]?.includes(args.length) === true)
      return this.#loop(call, receiver, scope);
    if ((name === 'optMap' || name === 'optFlatMap') && args.length === 2) {
      const type = this.typeOf(receiver, scope);
      const [variable, result] = args;
      const inner = { ...scope, ...bound([variable], [type.kind === 'optional' ? type.of : anything]) };
      const given = result === undefined ? anything : this.typeOf(result, inner);
      return name === 'optMap' ? optional(given) : given;
    }
    const qualified = dotted(receiver) ?? '';
    const [first = ''] = qualified.split('.');
    if (qualified !== '' && !Object.hasOwn(scope, first) && !Object.hasOwn(words, first)) {
      // `format.uuid()`: what is before the dot is no value, but a part of the name.
      const full = `${qualified}.${name}`;
      if (!celFunctions.has(full)) this.#problem(unknownFunction(full));
      else for (const arg of args) this.typeOf(arg, scope);
      return anything;
    }
    for (const arg of args) this.typeOf(arg, scope);
    if (!celFunctions.has(name)) {
      this.typeOf(receiver, scope);
      this.#problem(unknownFunction(name));
      return anything;
    }
    const type = this.typeOf(receiver, scope);
    return resultOf(name, type);
  }

  #globalCall({ name, args }: CelCall, scope: CelScope): CelType {
    for (const arg of args) this.typeOf(arg, scope);
    if (name === 'has') {
      const [arg] = args;
      if (args.length !== 1 || arg?.kind !== 'select')
        this.#problem('`has` needs a field, such as `has(self.name)`');
      return bool;
    }
    if (!celFunctions.has(name)) this.#problem(unknownFunction(name));
    return name === 'size' ? int : name === 'string' ? string : anything;
  }

  #loop({ name, args }: CelCall, over: CelTree, scope: CelScope): CelType {
    const type = this.typeOf(over, scope);
    if (type.kind !== 'list' && type.kind !== 'map' && type.kind !== 'any')
      this.#problem(`${shown(over)} is ${namedCelType(type)}, which \`${name}\` cannot loop over`);
    const isPair = name.startsWith('transform') || (args.length === 3 && name !== 'map');
    const item = type.kind === 'list' ? type.item : type.kind === 'map' ? string : anything;
    const key = type.kind === 'list' ? int : type.kind === 'map' ? string : anything;
    const value = type.kind === 'list' ? type.item : type.kind === 'map' ? type.value : anything;
    const variables = isPair ? args.slice(0, 2) : args.slice(0, 1);
    const inner = { ...scope, ...bound(variables, isPair ? [key, value] : [item]) };
    const results = args.slice(variables.length).map((arg) => this.typeOf(arg, inner));
    const result = results.at(-1) ?? anything;
    if (name === 'map' || name === 'transformList') return { kind: 'list', item: result };
    if (name === 'transformMap') return { kind: 'map', value: result };
    if (name === 'filter') return { kind: 'list', item };
    if (name === 'sortBy') return type;
    return name === 'transformMapEntry' ? anything : bool;
  }
}

/** The variables of a macro. The API server says what is wrong with one that is not a name. */
function bound(variables: readonly (CelTree | undefined)[], types: readonly CelType[]): CelScope {
  return Object.fromEntries(
    variables.flatMap((variable, index) =>
      variable?.kind === 'name' ? [[variable.name, types[index] ?? anything]] : [],
    ),
  );
}

/** What a function gives for the value that it is called on, where fields may be taken of the result. */
function resultOf(name: string, receiver: CelType): CelType {
  if (receiver.kind === 'optional') {
    if (name === 'value' || name === 'orValue') return receiver.of;
    if (name === 'or') return receiver;
    if (name === 'hasValue') return bool;
  }
  if (receiver.kind === 'list' && (name === 'first' || name === 'last')) return optional(receiver.item);
  return anything;
}

function optional(of: CelType): CelType {
  return { kind: 'optional', of };
}

/** The type of several values together: anything unless they are certainly of one plain type, or there is one only. */
function common(types: readonly CelType[]): CelType {
  const [first = anything, ...others] = types;
  if (others.length === 0) return first;
  const isPlain = !['any', 'object', 'list', 'map', 'optional'].includes(first.kind);
  return isPlain && others.every(({ kind }) => kind === first.kind) ? first : anything;
}

function isTypeName(tree: CelTree, scope: CelScope): boolean {
  const [first = ''] = dotted(tree)?.split('.') ?? [];
  return packages.has(first) && !Object.hasOwn(scope, first);
}

/** Names with dots between them as text; undefined for any other expression. */
function dotted(tree: CelTree): string | undefined {
  if (tree.kind === 'name') return tree.name;
  if (tree.kind !== 'select' || tree.isOptional || tree.isQuoted) return undefined;
  const before = dotted(tree.of);
  return before && `${before}.${tree.name}`;
}

function unknownFunction(name: string): string {
  const known = [...celFunctions, ...Object.keys(celLoops), ...otherCelMacros];
  return `unknown function \`${name}\`${meant(name, known) ?? '; no version of Kubernetes up to 1.36 has it'}`;
}

function meant(name: string, known: Iterable<string>): string | undefined {
  const closest = closestName(name, known);
  return closest && `; did you mean \`${closest}\`?`;
}

function list(names: readonly string[]): string {
  return names.map((name) => `\`${name}\``).join(', ');
}

const articles: Partial<Record<CelType['kind'], string>> = {
  object: 'an',
  int: 'an',
  optional: 'an',
  any: '',
};

/** The type in words, with its article. */
export function namedCelType({ kind }: CelType): string {
  return `${articles[kind] ?? 'a'} ${kind}`;
}

/** The value that a problem is about. */
function shown(tree: CelTree): string {
  const path = pathOf(tree);
  return path === undefined ? 'the value' : `\`${path}\``;
}

function pathOf(tree: CelTree): string | undefined {
  if (tree.kind === 'name') return tree.name;
  if (tree.kind === 'select') {
    const before = pathOf(tree.of);
    return before && `${before}.${tree.isOptional ? '?' : ''}${tree.name}`;
  }
  if (tree.kind === 'index') {
    const before = pathOf(tree.of);
    return before && `${before}[…]`;
  }
  return undefined;
}
