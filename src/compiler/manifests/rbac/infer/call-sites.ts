import type ts from 'typescript';
import { homeOf, symbolAt, wrapped, type InferContext } from './infer-context.ts';

/** A function, method, constructor or class. Its calls give values to its parameters and type parameters. */
export type Callable = ts.SignatureDeclaration | ts.ClassLikeDeclaration;

/** A place that gives values to the parameters of a function, or to the type parameters of a class. */
export interface CallSite {
  readonly node: ts.Node;
  /** Arguments of the call; undefined if the place gives only type arguments, as in `extends Base<Pod>`. */
  readonly arguments: readonly ts.Expression[] | undefined;
  /** Returns the type argument at a position; undefined if it is not known. */
  typeArgument(index: number): ts.Type | undefined;
}

interface CallSites {
  readonly sites: readonly CallSite[];
  /** Places that use the function as a value without calling it. Its later calls and arguments are unknown. */
  readonly values: readonly ts.Node[];
}

const memory = new WeakMap<InferContext, Map<Callable, CallSites>>();

/** Returns all places of the project that call a function or create objects of a class. */
export function callSites(context: InferContext, callable: Callable): CallSites {
  const known = memory.get(context) ?? new Map<Callable, CallSites>();
  memory.set(context, known);
  const found = known.get(callable) ?? findSites(context, callable);
  known.set(callable, found);
  return found;
}

function findSites(context: InferContext, callable: Callable): CallSites {
  const { ts } = context.source;
  if (ts.isConstructorDeclaration(callable)) return constructorSites(context, callable.parent);
  if (ts.isClassLike(callable)) return classSites(context, callable);
  const { uses } = usesOf(context, callable);
  const sites: CallSite[] = [];
  const values: ts.Node[] = [];
  for (const { node, viaProperty } of uses) {
    const call = callOf(context, node);
    if (call !== undefined) sites.push(siteOfCall(context, call));
    else if (!viaProperty) values.push(node);
  }
  if (sites.length === 0 && uses.length === 0 && isAnonymous(context, callable)) values.push(callable);
  return { sites, values };
}

/** Returns the call or `new` expression whose callee is this use of a function. */
function callOf(context: InferContext, use: ts.Expression): ts.CallExpression | ts.NewExpression | undefined {
  const { ts } = context.source;
  const callee = wrapped(context, use);
  const { parent } = callee;
  return (ts.isCallExpression(parent) || ts.isNewExpression(parent)) && parent.expression === callee
    ? parent
    : undefined;
}

function siteOfCall(
  { source: { checker } }: InferContext,
  call: ts.CallExpression | ts.NewExpression,
): CallSite {
  return {
    node: call,
    arguments: call.arguments ?? [],
    typeArgument(index) {
      const signature = checker.getResolvedSignature(call);
      return signature && checker.getTypeArgumentsForResolvedSignature(signature)?.[index];
    },
  };
}

/** Finds the places that give type arguments to a class: `new C(…)`, `extends C<…>`. */
function classSites(context: InferContext, declaration: ts.ClassLikeDeclaration): CallSites {
  const { ts, checker } = context.source;
  const sites: CallSite[] = [];
  const values: ts.Node[] = [];
  for (const { node } of usesOf(context, declaration).uses) {
    const call = callOf(context, node);
    if (call !== undefined) {
      const made = (): ts.Type => checker.getTypeAtLocation(call);
      sites.push({
        node: call,
        arguments: call.arguments ?? [],
        typeArgument: (i) => argumentOf(checker, made(), i),
      });
    } else if (ts.isExpressionWithTypeArguments(node.parent)) {
      const base = node.parent;
      const made = (): ts.Type => checker.getTypeAtLocation(base);
      sites.push({ node: base, arguments: undefined, typeArgument: (i) => argumentOf(checker, made(), i) });
    } else if (!isHarmless(context, node)) values.push(node);
  }
  return { sites, values };
}

function argumentOf(checker: ts.TypeChecker, type: ts.Type, index: number): ts.Type | undefined {
  return 'target' in type ? checker.getTypeArguments(type as ts.TypeReference)[index] : undefined;
}

/**
 * Finds the places that pass arguments to the constructor of a class C: `new C(…)`, `super(…)`, and `new D(…)` if D extends C without its
 * own constructor.
 */
function constructorSites(context: InferContext, declaration: ts.ClassLikeDeclaration): CallSites {
  const { ts } = context.source;
  const own = classSites(context, declaration);
  const inherited = own.sites.flatMap(({ node }): readonly CallSite[] => {
    if (!ts.isExpressionWithTypeArguments(node)) return [];
    const heir = node.parent.parent;
    if (!ts.isClassLike(heir)) return [];
    const constructor = heir.members.find((member) => ts.isConstructorDeclaration(member));
    const base = own.sites.find((site) => site.node === node);
    if (constructor === undefined)
      return constructorSites(context, heir).sites.map((site) => ({
        ...site,
        typeArgument: (index) => base?.typeArgument(index),
      }));
    return superCalls(context, constructor).map((call) => ({
      node: call,
      arguments: call.arguments,
      typeArgument: (index) => base?.typeArgument(index),
    }));
  });
  return {
    sites: [...own.sites.filter((site) => site.arguments !== undefined), ...inherited],
    values: own.values,
  };
}

function superCalls({ source: { ts } }: InferContext, constructor: ts.Node): readonly ts.CallExpression[] {
  const calls: ts.CallExpression[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.SuperKeyword) calls.push(node);
    ts.forEachChild(node, visit);
  };
  visit(constructor);
  return calls;
}

interface Use {
  readonly node: ts.Expression;
  /** True if the use accesses a property of an object that contains the function. */
  readonly viaProperty: boolean;
}

/** Returns the uses of a function or class outside of types, also under other names. */
function usesOf(context: InferContext, callable: Callable): { readonly uses: readonly Use[] } {
  const { ts } = context.source;
  const uses: Use[] = [];
  const start = holderOf(context, callable);
  if (start === undefined) return { uses };
  const queue: Holder[] = [start];
  const seen = new Set<ts.Node>([start.declaration]);
  const follow = (holder: Holder): void => {
    if (seen.has(holder.declaration)) return;
    seen.add(holder.declaration);
    queue.push(holder);
  };
  const texts = new Set<string>();
  const used = new Set<Holder>();
  const properties: { readonly holder: Holder; readonly use: ts.Expression }[] = [];
  for (let holder = queue.pop(); holder !== undefined; holder = queue.pop()) {
    texts.clear();
    const names = [holder.name];
    for (let name = names.pop(); name !== undefined; name = names.pop()) {
      if (texts.has(name)) continue;
      texts.add(name);
      for (const node of context.index.names.get(name) ?? []) {
        const { parent } = node;
        // Follow the other name under which a file imports or re-exports the function.
        if (ts.isImportSpecifier(parent) || ts.isExportSpecifier(parent)) {
          if (parent.name.text !== name) names.push(parent.name.text);
          continue;
        }
        if (ts.isImportClause(parent) || ts.isNamespaceImport(parent)) continue;
        if (isNameOfDeclaration(context, node)) continue;
        if (!refersTo(context, node, holder)) continue;
        if (ts.isExportAssignment(parent)) {
          names.push(...defaultImports(context));
          continue;
        }
        const use = expressionOf(context, node);
        if (use === undefined) continue;
        used.add(holder);
        const next = aliasOf(context, use);
        if (next === undefined) uses.push({ node: use, viaProperty: holder !== start && holder.isProperty });
        else {
          follow(next);
          if (next.isProperty) properties.push({ holder: next, use });
        }
      }
      if (holder.isDefault) names.push(...defaultImports(context));
    }
  }
  // If the project never reads the property that contains the function, other code may call the function through the object.
  const unread = properties.filter(({ holder }) => !used.has(holder));
  uses.push(...unread.map(({ use }) => ({ node: use, viaProperty: false })));
  return { uses: uses.filter(({ node }) => !isHarmless(context, node)) };
}

/** Variable, property or declaration whose name refers to a function. */
interface Holder {
  readonly name: string;
  readonly declaration: ts.Node;
  readonly isProperty: boolean;
  readonly isDefault: boolean;
}

function holderOf({ source: { ts } }: InferContext, callable: Callable): Holder | undefined {
  const named = (
    declaration: ts.Node,
    name: ts.Node | undefined,
    isProperty: boolean,
  ): Holder | undefined => {
    const isDefault =
      ts.canHaveModifiers(declaration) &&
      (ts.getModifiers(declaration) ?? []).some(({ kind }) => kind === ts.SyntaxKind.DefaultKeyword);
    const text =
      name !== undefined &&
      (ts.isIdentifier(name) || ts.isPrivateIdentifier(name) || ts.isStringLiteral(name))
        ? name.text
        : undefined;
    if (text === undefined && !isDefault) return undefined;
    return { name: text ?? 'default', declaration, isProperty, isDefault };
  };
  if (ts.isArrowFunction(callable) || ts.isFunctionExpression(callable) || ts.isClassExpression(callable)) {
    let node: ts.Expression = callable;
    while (ts.isParenthesizedExpression(node.parent) || ts.isSatisfiesExpression(node.parent))
      node = node.parent;
    const { parent } = node;
    if (ts.isVariableDeclaration(parent)) return named(parent, parent.name, false);
    if (ts.isPropertyAssignment(parent) || ts.isPropertyDeclaration(parent))
      return named(parent, parent.name, true);
    if (ts.isExportAssignment(parent))
      return { name: 'default', declaration: parent, isProperty: false, isDefault: true };
    return undefined;
  }
  if (ts.isFunctionDeclaration(callable) || ts.isClassDeclaration(callable))
    return named(callable, callable.name, false);
  return named(callable, callable.name, true);
}

function isAnonymous(context: InferContext, callable: Callable): boolean {
  return holderOf(context, callable) === undefined;
}

/**
 * True if a name refers to the declaration of a holder: to the declaration itself, to another overload of it, or to the interface method
 * that it implements.
 */
function refersTo(context: InferContext, node: ts.Node, holder: Holder): boolean {
  const { ts, checker } = context.source;
  const bound = ts.isBindingElement(node.parent) ? propertyOfBinding(context, node.parent, node) : undefined;
  const symbol = bound ?? symbolAt(context, node);
  if (symbol === undefined) return false;
  const declarations = symbol.declarations ?? [];
  if (declarations.includes(holder.declaration as ts.Declaration)) return true;
  if (!holder.isProperty) return false;
  return declarations.some((declaration) => {
    if (homeOf(context, declaration) === 'language') return false;
    const owner = declaration.parent;
    const implementor = holder.declaration.parent;
    if (ts.isClassLike(implementor)) return inheritsFrom(context, implementor, owner);
    if (!ts.isObjectLiteralExpression(implementor)) return false;
    const type = checker.getContextualType(implementor);
    const member = type && checker.getPropertyOfType(type, holder.name);
    return member?.declarations?.includes(declaration) ?? false;
  });
}

/** Returns the property that a binding destructures, in forms such as `{ remove }` or `{ remove: f }`. */
function propertyOfBinding(
  { source: { ts, checker } }: InferContext,
  element: ts.BindingElement,
  node: ts.Node,
): ts.Symbol | undefined {
  if ((element.propertyName ?? element.name) !== node || !ts.isObjectBindingPattern(element.parent))
    return undefined;
  if (!ts.isIdentifier(node)) return undefined;
  return checker.getPropertyOfType(checker.getTypeAtLocation(element.parent), node.text);
}

function inheritsFrom(context: InferContext, heir: ts.ClassLikeDeclaration, owner: ts.Node): boolean {
  const { ts } = context.source;
  const seen = new Set<ts.Node>();
  const visit = (node: ts.Node): boolean => {
    if (node === owner) return true;
    if (seen.has(node) || !(ts.isClassLike(node) || ts.isInterfaceDeclaration(node))) return false;
    seen.add(node);
    return (node.heritageClauses ?? []).some(({ types }) =>
      types.some(({ expression }) =>
        (symbolAt(context, expression)?.declarations ?? []).some((declaration) => visit(declaration)),
      ),
    );
  };
  return visit(heir);
}

function isNameOfDeclaration({ source: { ts } }: InferContext, node: ts.Node): boolean {
  const { parent } = node;
  if (ts.isBindingElement(parent)) return parent.name === node && parent.propertyName !== undefined;
  return (
    (ts.isVariableDeclaration(parent) ||
      ts.isParameter(parent) ||
      ts.isFunctionLike(parent) ||
      ts.isClassLike(parent) ||
      ts.isPropertyDeclaration(parent) ||
      ts.isPropertyAssignment(parent)) &&
    parent.name === node
  );
}

/** Returns the name itself as an expression. If the name is the property of an access such as `x.name`, returns this access. */
function expressionOf({ source: { ts } }: InferContext, node: ts.Node): ts.Expression | undefined {
  const { parent } = node;
  if (ts.isPropertyAccessExpression(parent) && parent.name === node) return parent;
  if (ts.isBindingElement(parent)) return node as ts.Identifier;
  return ts.isIdentifier(node) ? node : undefined;
}

/** Returns the variable or property to which the code assigns the function. */
function aliasOf(context: InferContext, use: ts.Expression): Holder | undefined {
  const { ts } = context.source;
  const value = wrapped(context, use);
  const { parent } = value;
  const held = (declaration: ts.Node, name: ts.Node, isProperty: boolean): Holder | undefined =>
    ts.isIdentifier(name) ? { name: name.text, declaration, isProperty, isDefault: false } : undefined;
  if (ts.isVariableDeclaration(parent) && parent.initializer === value && isConst(context, parent))
    return held(parent, parent.name, false);
  if (ts.isBindingElement(parent) && ts.isIdentifier(parent.name)) return held(parent, parent.name, false);
  if (ts.isPropertyAssignment(parent) && parent.initializer === value) return held(parent, parent.name, true);
  if (ts.isShorthandPropertyAssignment(parent)) return held(parent, parent.name, true);
  return undefined;
}

function isConst({ source: { ts } }: InferContext, declaration: ts.VariableDeclaration): boolean {
  return (ts.getCombinedNodeFlags(declaration) & ts.NodeFlags.Const) !== 0;
}

function defaultImports({ source: { ts }, index }: InferContext): readonly string[] {
  return index.files.flatMap(({ statements }) =>
    statements.flatMap((statement) => {
      const clause = ts.isImportDeclaration(statement) ? statement.importClause : undefined;
      const bindings = clause?.namedBindings;
      const named = bindings !== undefined && ts.isNamedImports(bindings) ? bindings.elements : [];
      const renamed = named.flatMap(({ propertyName, name }) =>
        propertyName?.text === 'default' ? [name.text] : [],
      );
      return [...(clause?.name === undefined ? [] : [clause.name.text]), ...renamed];
    }),
  );
}

/** True for uses that cannot lead to a call of the function: `f.name`, `typeof f`, `x instanceof C`, or an expression statement. */
function isHarmless({ source: { ts } }: InferContext, use: ts.Node): boolean {
  const { parent } = use;
  if (ts.isPropertyAccessExpression(parent) && parent.expression === use)
    return !['call', 'apply', 'bind'].includes(parent.name.text);
  if (ts.isBinaryExpression(parent)) return parent.operatorToken.kind === ts.SyntaxKind.InstanceOfKeyword;
  return ts.isTypeOfExpression(parent) || ts.isExpressionStatement(parent) || ts.isExportAssignment(parent);
}
