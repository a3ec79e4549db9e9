import { supportedKubernetes } from '../../../base/util/kubernetes-releases.ts';
import { meantName, namedCelType, celFunctions, celLoops } from './cel-words.ts';
import { anyCel, celTypeOf, type CelType, celName } from './cel-type.ts';
import type { CelBinary, CelCall, CelSelect, CelTree } from './parse-cel.ts';

/** Returns the message for a call of a function that no version of Kubernetes has. */
function unknownFunction(name: string): string {
  const known = [...celFunctions, ...Object.keys(celLoops), ...otherCelMacros];
  const unknown = `; no version of Kubernetes up to ${supportedKubernetes.newest} has it`;
  return `unknown function \`${name}\`${meantName(name, known) ?? unknown}`;
}

/** CEL macros that do not loop over a list or map. */
const otherCelMacros: readonly string[] = ['has', 'optFlatMap', 'optMap'];

/** The names that an expression can use, each with its type. */
type CelScope = Readonly<Record<string, CelType>>;

/** Result of checking an expression, as the API server would check it. */
interface CheckedCel {
  /** Type of the expression's result. */
  readonly type: CelType;
  readonly problems: readonly string[];
}

const bool: CelType = { kind: 'bool' };
const int: CelType = { kind: 'int' };
const string: CelType = { kind: 'string' };

/** Names of types, and the keywords `true`, `false` and `null`. Source: cel-spec `doc/langdef.md`, "Values". */
const words: CelScope = {
  ...{ true: bool, false: bool, null: anyCel },
  ...{ bool: anyCel, bytes: anyCel, double: anyCel, int: anyCel, list: anyCel, map: anyCel },
  ...{ null_type: anyCel, optional_type: anyCel, string: anyCel, type: anyCel, uint: anyCel },
};

/** First parts of qualified type names, such as `google` in `google.protobuf.Timestamp`. */
const packages: ReadonlySet<string> = new Set(['google', 'kubernetes', 'net']);

/**
 * Checks everything that can be decided without the API server's compiler: names, fields and functions must exist, and a field or item may
 * be read only from a value that has fields or items. The types of arguments and operands are not checked; `--verify` checks these. Source:
 * cel-go `checker/checker.go`.
 */
export function checkCel(tree: CelTree, scope: CelScope): CheckedCel {
  const problems = new Set<string>();
  const type = new CelChecker(scope, (problem) => void problems.add(problem)).typeOf(tree, scope);
  return { type, problems: [...problems] };
}

class CelChecker {
  readonly #rootScope: CelScope;
  readonly #problem: (problem: string) => void;

  constructor(rootScope: CelScope, problem: (problem: string) => void) {
    this.#rootScope = rootScope;
    this.#problem = problem;
  }

  typeOf(tree: CelTree, scope: CelScope): CelType {
    switch (tree.kind) {
      case 'literal': {
        const [kind] = tree.value;
        return kind === 'uint' ? anyCel : { kind };
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
        if (!isTypeName(tree.type, scope)) this.#problem(`unknown type ${shownValue(tree.type)}`);
        return anyCel;
      case 'unary': {
        const operand = this.typeOf(tree.operand, scope);
        return tree.operator === '!' ? bool : operand;
      }
      case 'binary':
        return this.#binary(tree, scope);
      case 'logical':
        for (const operand of tree.operands) this.typeOf(operand, scope);
        return bool;
      case 'conditional':
        this.typeOf(tree.condition, scope);
        return common([this.typeOf(tree.yes, scope), this.typeOf(tree.no, scope)]);
    }
  }

  #binary({ operator, left, right }: CelBinary, scope: CelScope): CelType {
    const [a, b] = [this.typeOf(left, scope), this.typeOf(right, scope)];
    if (['+', '-', '*', '/', '%'].includes(operator)) return common([a, b]);
    const isOrder = operator !== '==' && operator !== '!=';
    const isEither = a.kind === b.kind || (isOrder && numbers.has(a.kind) && numbers.has(b.kind));
    if (operator !== 'in' && isPlain(a) && isPlain(b) && !isEither)
      this.#problem(
        `\`${operator}\` cannot compare ${namedCelType(a)} with ${namedCelType(b)}: ${shownValue(left)} and ${shownValue(right)}`,
      );
    return bool;
  }

  #name(name: string, scope: CelScope): CelType {
    const type = Object.hasOwn(scope, name)
      ? scope[name]
      : Object.hasOwn(words, name)
        ? words[name]
        : undefined;
    if (type !== undefined) return type;
    const known = Object.keys(scope);
    // Make no suggestion for a name of one or two characters, because any other short name would be a close match.
    const closest = name.length > 2 ? meantName(name, known) : undefined;
    this.#problem(`unknown name \`${name}\`${closest ?? `; expected ${listed(known)}`}`);
    return anyCel;
  }

  /**
   * Returns the type of an expression with a leading dot. Its name is looked up in the root scope, which has no variables of loops and where
   * macros are not expanded.
   */
  #root(of: CelTree, scope: CelScope): CelType {
    if (of.kind === 'name') return this.#name(of.name, this.#rootScope);
    if (of.kind !== 'call') return this.typeOf(of, scope);
    for (const arg of of.args) this.typeOf(arg, scope);
    if (!celFunctions.has(of.name)) this.#problem(`unknown function \`.${of.name}\``);
    return anyCel;
  }

  #select(tree: CelSelect, scope: CelScope): CelType {
    const { of, name, isOptional, isQuoted } = tree;
    if (isTypeName(tree, scope)) return anyCel;
    const type = this.typeOf(of, scope);
    if (isQuoted) {
      this.#problem(`names in backquotes are not supported; write \`${celName(name)}\` for \`${name}\``);
      return anyCel;
    }
    const inner = type.kind === 'optional' ? type.of : type;
    const field = this.#field(inner, of, name);
    return type.kind === 'optional' || isOptional ? optional(field) : field;
  }

  #field(type: CelType, of: CelTree, name: string): CelType {
    if (type.kind === 'any') return anyCel;
    if (type.kind === 'map') return type.value;
    if (type.kind !== 'object') {
      this.#problem(`${shownValue(of)} is ${namedCelType(type)}, which has no fields: \`${name}\``);
      return anyCel;
    }
    // Since Kubernetes 1.31, a field whose name is a reserved word can also be read without escaping the name.
    const schema = type.fields.get(name) ?? type.fields.get(`__${name}__`);
    if (schema === undefined) {
      this.#problem(`${shownValue(of)} has no field \`${name}\`${meantName(name, type.fields.keys()) ?? ''}`);
      return anyCel;
    }
    const field = celTypeOf(schema);
    if (field === undefined)
      this.#problem(`${shownValue(of)} has a field \`${name}\` without a type, which rules cannot read`);
    return field ?? anyCel;
  }

  #index(type: CelType, of: CelTree, isOptional: boolean): CelType {
    const inner = type.kind === 'optional' ? type.of : type;
    const item =
      inner.kind === 'list'
        ? inner.item
        : inner.kind === 'map'
          ? inner.value
          : inner.kind === 'any'
            ? anyCel
            : undefined;
    if (item === undefined)
      this.#problem(
        `${shownValue(of)} is ${namedCelType(inner)}, which has no items: write \`.name\` for a field`,
      );
    return type.kind === 'optional' || isOptional ? optional(item ?? anyCel) : (item ?? anyCel);
  }

  #call(call: CelCall, scope: CelScope): CelType {
    const { receiver, name, args } = call;
    if (receiver === undefined) return this.#globalCall(call, scope);
    if (Object.hasOwn(celLoops, name) && celLoops[name]?.includes(args.length) === true)
      return this.#loop(call, receiver, scope);
    if ((name === 'optMap' || name === 'optFlatMap') && args.length === 2) {
      const type = this.typeOf(receiver, scope);
      const [variable, result] = args;
      const inner = { ...scope, ...bound([variable], [type.kind === 'optional' ? type.of : anyCel]) };
      const given = result === undefined ? anyCel : this.typeOf(result, inner);
      return name === 'optMap' ? optional(given) : given;
    }
    const qualified = dotted(receiver) ?? '';
    const [first = ''] = qualified.split('.');
    if (qualified !== '' && !Object.hasOwn(scope, first) && !Object.hasOwn(words, first)) {
      // In `format.uuid()`, the part before the dot belongs to the name of the function.
      const full = `${qualified}.${name}`;
      if (!celFunctions.has(full)) this.#problem(unknownFunction(full));
      else for (const arg of args) this.typeOf(arg, scope);
      return anyCel;
    }
    for (const arg of args) this.typeOf(arg, scope);
    if (!celFunctions.has(name)) {
      this.typeOf(receiver, scope);
      this.#problem(unknownFunction(name));
      return anyCel;
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
    return name === 'size' ? int : name === 'string' ? string : anyCel;
  }

  #loop({ name, args }: CelCall, over: CelTree, scope: CelScope): CelType {
    const type = this.typeOf(over, scope);
    if (type.kind !== 'list' && type.kind !== 'map' && type.kind !== 'any')
      this.#problem(`${shownValue(over)} is ${namedCelType(type)}, which \`${name}\` cannot loop over`);
    const isPair = name.startsWith('transform') || (args.length === 3 && name !== 'map');
    const item = type.kind === 'list' ? type.item : type.kind === 'map' ? string : anyCel;
    const key = type.kind === 'list' ? int : type.kind === 'map' ? string : anyCel;
    const value = type.kind === 'list' ? type.item : type.kind === 'map' ? type.value : anyCel;
    const variables = isPair ? args.slice(0, 2) : args.slice(0, 1);
    const inner = { ...scope, ...bound(variables, isPair ? [key, value] : [item]) };
    const results = args.slice(variables.length).map((arg) => this.typeOf(arg, inner));
    const result = results.at(-1) ?? anyCel;
    if (name === 'map' || name === 'transformList') return { kind: 'list', item: result };
    if (name === 'transformMap') return { kind: 'map', value: result };
    if (name === 'filter') return { kind: 'list', item };
    if (name === 'sortBy') return type;
    return name === 'transformMapEntry' ? anyCel : bool;
  }
}

/** Returns the variables that a macro defines, with their types. Omits a variable that is not a name; the API server reports it. */
function bound(variables: readonly (CelTree | undefined)[], types: readonly CelType[]): CelScope {
  return Object.fromEntries(
    variables.flatMap((variable, index) =>
      variable?.kind === 'name' ? [[variable.name, types[index] ?? anyCel]] : [],
    ),
  );
}

/** Returns the result type of a function called on a value, as far as it matters for reading fields of the result; otherwise `any`. */
function resultOf(name: string, receiver: CelType): CelType {
  if (receiver.kind === 'optional') {
    if (name === 'value' || name === 'orValue') return receiver.of;
    if (name === 'or') return receiver;
    if (name === 'hasValue') return bool;
  }
  if (receiver.kind === 'list' && (name === 'first' || name === 'last')) return optional(receiver.item);
  return anyCel;
}

function optional(of: CelType): CelType {
  return { kind: 'optional', of };
}

/** Returns the common type of several values: the type of the only value, or the plain type that all values have; otherwise `any`. */
function common(types: readonly CelType[]): CelType {
  const [first = anyCel, ...others] = types;
  if (others.length === 0) return first;
  return isPlain(first) && others.every(({ kind }) => kind === first.kind) ? first : anyCel;
}

const numbers: ReadonlySet<string> = new Set(['double', 'int']);

/** Returns true if the values of a type have no fields or items. */
function isPlain({ kind }: CelType): boolean {
  return !['any', 'object', 'list', 'map', 'optional'].includes(kind);
}

function isTypeName(tree: CelTree, scope: CelScope): boolean {
  const [first = ''] = dotted(tree)?.split('.') ?? [];
  return packages.has(first) && !Object.hasOwn(scope, first);
}

/** Returns names connected by dots as text, such as `a.b.c`; undefined for any other expression. */
function dotted(tree: CelTree): string | undefined {
  if (tree.kind === 'name') return tree.name;
  if (tree.kind !== 'select' || tree.isOptional || tree.isQuoted) return undefined;
  const before = dotted(tree.of);
  return before && `${before}.${tree.name}`;
}

/** Lists names in backquotes, for the end of a message. */
function listed(names: readonly string[]): string {
  return names.map((name) => `\`${name}\``).join(', ');
}

/** Returns the path of the value that a problem concerns, or `the value` if it has no path. */
function shownValue(tree: CelTree): string {
  const path = pathOf(tree);
  return path === undefined ? 'the value' : `\`${path}\``;
}

function pathOf(tree: CelTree): string | undefined {
  if (tree.kind === 'literal')
    return tree.value[0] === 'string' ? JSON.stringify(tree.value[1]) : tree.value[1];
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
