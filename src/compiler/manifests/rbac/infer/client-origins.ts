import type ts from 'typescript';
import { bare, bodyOf, homeOf, returnedValues, symbolAt, type InferContext } from './infer-context.ts';
import { fieldValues } from './kinds-of-type.ts';

/** Source from which a client reads, as far as it affects the needed permissions. */
export type Origin =
  /** The cache of the operator's own cluster. */
  | 'cache'
  /** The API server of the operator's own cluster. */
  | 'server'
  /** Another cluster, whose permissions are not the operator's. */
  | 'other'
  /** Permissions are said by `permitted`. */
  | 'permitted'
  /** A reader of which nothing is known. */
  | 'unknown';

/** A function parameter through which a client is passed. */
export interface OriginParameter {
  readonly parameter: ts.ParameterDeclaration;
  /** Names of the properties that lead from the parameter to the client, such as `live`. */
  readonly path: readonly string[];
  /** Possible origins according to the parameter's type, for functions without visible calls. */
  readonly byType: readonly Origin[];
}

/** Possible origins of a client: the known origins, and the parameters whose arguments determine further origins. */
export interface Trace {
  readonly origins: readonly Origin[];
  readonly parameters: readonly OriginParameter[];
  /** Expressions and names at which the trace ended. Default: none. */
  readonly ends?: readonly ts.Node[];
}

/** Properties that are parts of a client: `live` reads from the API server, `raw` sends raw requests. */
const parts: ReadonlySet<string> = new Set(['live', 'raw']);

const nothing: Trace = { origins: [], parameters: [] };

/** Traces a client back to its origins. Stops at parameters of functions. */
export function traceClient(
  context: InferContext,
  expression: ts.Expression,
  path: readonly string[] = [],
  visited: ReadonlySet<ts.Node> = new Set(),
): Trace {
  const { ts } = context.source;
  const node = bare(context, expression);
  if (visited.has(node)) return nothing;
  const seen = new Set([...visited, node]);
  const next = (part: ts.Expression, rest = path): Trace => traceClient(context, part, rest, seen);
  if (ts.isConditionalExpression(node)) return union([next(node.whenTrue), next(node.whenFalse)]);
  if (ts.isBinaryExpression(node)) {
    const { AmpersandAmpersandToken, BarBarToken, QuestionQuestionToken, CommaToken, EqualsToken } =
      ts.SyntaxKind;
    const { kind } = node.operatorToken;
    if (kind === BarBarToken || kind === QuestionQuestionToken)
      return union([next(node.left), next(node.right)]);
    if (kind === AmpersandAmpersandToken || kind === CommaToken || kind === EqualsToken)
      return next(node.right);
  }
  if (ts.isIdentifier(node)) return traceName(context, node, path, seen);
  if (ts.isPropertyAccessExpression(node)) return traceProperty(context, node, path, seen);
  if (ts.isCallExpression(node)) return traceCall(context, node, path, seen);
  if (ts.isObjectLiteralExpression(node)) {
    const [name] = path;
    const spreads = node.properties.flatMap((member) =>
      ts.isSpreadAssignment(member) ? [next(member.expression)] : [],
    );
    const own = node.properties.flatMap((member) => {
      if (member.name === undefined || !ts.isIdentifier(member.name) || member.name.text !== name) return [];
      if (ts.isPropertyAssignment(member)) return [next(member.initializer, path.slice(1))];
      return ts.isShorthandPropertyAssignment(member)
        ? [traceName(context, member.name, path.slice(1), seen)]
        : [];
    });
    if (own.length + spreads.length > 0) return union(own.length > 0 ? own : spreads);
  }
  return byType(context, node, path);
}

function traceName(
  context: InferContext,
  node: ts.Identifier,
  path: readonly string[],
  visited: ReadonlySet<ts.Node>,
): Trace {
  const declaration = symbolAt(context, node)?.valueDeclaration;
  if (declaration === undefined || homeOf(context, declaration) !== 'project')
    return byType(context, node, path);
  return traceDeclaration(context, declaration, node, path, visited);
}

/** Traces a variable, parameter or binding. @param node the declared name, or a use of it */
function traceDeclaration(
  context: InferContext,
  declaration: ts.Declaration,
  node: ts.Node,
  path: readonly string[],
  visited: ReadonlySet<ts.Node> = new Set(),
): Trace {
  const { ts } = context.source;
  if (ts.isParameter(declaration)) {
    const { origins } = byType(context, declaration.name, path);
    return { origins: [], parameters: [{ parameter: declaration, path, byType: origins }] };
  }
  if (ts.isVariableDeclaration(declaration) && declaration.initializer !== undefined) {
    const first = traceClient(context, declaration.initializer, path, visited);
    const isConst = (ts.getCombinedNodeFlags(declaration) & ts.NodeFlags.Const) !== 0;
    return isConst ? first : union([first, byType(context, node, path)]);
  }
  if (ts.isBindingElement(declaration)) return traceBinding(context, declaration, path, visited);
  return byType(context, node, path);
}

/** Traces a destructured client, such as `{ live }` or `{ client: c }`. */
export function traceBinding(
  context: InferContext,
  element: ts.BindingElement,
  path: readonly string[],
  visited: ReadonlySet<ts.Node> = new Set(),
): Trace {
  const { ts } = context.source;
  const pattern = element.parent;
  const key = element.propertyName ?? element.name;
  if (!ts.isObjectBindingPattern(pattern) || !ts.isIdentifier(key))
    return byType(context, element.name, path);
  const rest = element.dotDotDotToken === undefined ? [key.text, ...path] : path;
  const owner = pattern.parent;
  const member = memberOf(context, pattern, key.text);
  if (member !== undefined && isOwnMember(context, member) && !parts.has(key.text))
    return byType(context, element.name, path);
  if (ts.isBindingElement(owner)) return traceBinding(context, owner, rest, visited);
  if (ts.isVariableDeclaration(owner) && owner.initializer !== undefined)
    return traceClient(context, owner.initializer, rest, visited);
  if (ts.isParameter(owner)) {
    const { origins } = byType(context, element.name, path);
    return { origins: [], parameters: [{ parameter: owner, path: rest, byType: origins }] };
  }
  return byType(context, element.name, path);
}

function memberOf(
  { source: { checker } }: InferContext,
  pattern: ts.BindingPattern,
  name: string,
): ts.Symbol | undefined {
  return checker.getPropertyOfType(checker.getTypeAtLocation(pattern), name);
}

function isOwnMember(context: InferContext, member: ts.Symbol): boolean {
  return (member.declarations ?? []).some((declaration) => homeOf(context, declaration) === 'own');
}

function traceProperty(
  context: InferContext,
  node: ts.PropertyAccessExpression,
  path: readonly string[],
  visited: ReadonlySet<ts.Node>,
): Trace {
  const symbol = symbolAt(context, node.name);
  const declaration = symbol?.declarations?.[0];
  if (symbol === undefined || declaration === undefined) return byType(context, node, path);
  if (isOwnMember(context, symbol)) {
    // For any property other than `live` and `raw`, its type decides.
    const { text } = node.name;
    if (!parts.has(text)) return byType(context, node, path);
    return traceClient(context, node.expression, [text, ...path], visited);
  }
  if (homeOf(context, declaration) !== 'project') return byType(context, node, path);
  const values = fieldValues(context, symbol);
  if (values.length === 0) return byType(context, node, path);
  return union(
    values.map((value) =>
      'parameter' in value
        ? traceDeclaration(context, value.parameter, value.parameter.name, path, visited)
        : traceClient(context, value.expression, path, visited),
    ),
  );
}

function traceCall(
  context: InferContext,
  node: ts.CallExpression,
  path: readonly string[],
  visited: ReadonlySet<ts.Node>,
): Trace {
  const { ts, checker } = context.source;
  const declaration = checker.getResolvedSignature(node)?.declaration;
  if (declaration === undefined || ts.isJSDocSignature(declaration)) return byType(context, node, path);
  const body = homeOf(context, declaration) === 'project' ? bodyOf(declaration) : undefined;
  const results = body === undefined ? [] : returnedValues(context, body);
  if (results.length === 0) return byType(context, node, path);
  const inner = union(results.map((result) => traceClient(context, result, path, visited)));
  // Replace the parameters of the called function with the arguments of this call.
  const resolved = inner.parameters.map((each): Trace => {
    if (each.parameter.parent !== declaration) return { origins: [], parameters: [each] };
    const argument = node.arguments[declaration.parameters.indexOf(each.parameter)];
    return argument === undefined
      ? { origins: each.byType, parameters: [] }
      : traceClient(context, argument, each.path, visited);
  });
  return union([{ ...inner, parameters: [] }, ...resolved]);
}

/** Determines the origins of a client from its type. The `source` property of the type distinguishes the readers. */
function byType(context: InferContext, node: ts.Node, path: readonly string[] = []): Trace {
  const { checker } = context.source;
  let type = checker.getTypeAtLocation(node);
  let isOther = false;
  for (const name of path) {
    if (originsOfType(context, type).includes('permitted'))
      return { origins: ['permitted'], parameters: [], ends: [node] };
    isOther ||= parts.has(name) && originsOfType(context, type).join() === 'other';
    const member = checker.getPropertyOfType(checker.getNonNullableType(type), name);
    if (member === undefined) return { origins: ['unknown'], parameters: [], ends: [node] };
    type = checker.getTypeOfSymbol(member);
  }
  return { origins: isOther ? ['other'] : originsOfType(context, type), parameters: [], ends: [node] };
}

const origins: Readonly<Record<string, Origin>> = { cache: 'cache', server: 'server', cluster: 'other' };

function originsOfType({ source: { checker } }: InferContext, given: ts.Type): readonly Origin[] {
  const type = checker.getNonNullableType(given);
  if (type.isUnion() && checker.getPropertyOfType(type, 'source') === undefined) return ['unknown'];
  if (isPermittedType(checker, type)) return ['permitted'];
  const source = checker.getPropertyOfType(type, 'source');
  if (source === undefined) return ['unknown'];
  const of = checker.getTypeOfSymbol(source);
  const texts = (of.isUnion() ? of.types : [of]).map((part) => (part.isStringLiteral() ? part.value : ''));
  // The general type `Reader` has all three values of `source`, so its origin is unknown.
  if (texts.length > 2) return ['unknown'];
  return texts.map((text) => origins[text] ?? 'unknown');
}

/** True if `permitted` returns values of this type. */
function isPermittedType(checker: ts.TypeChecker, type: ts.Type): boolean {
  return checker
    .getPropertiesOfType(type)
    .some(({ escapedName }) => String(escapedName).startsWith('__@permittedMark@'));
}

/** Combines several traces into one. */
function union(traces: readonly Trace[]): Trace {
  return {
    origins: [...new Set(traces.flatMap((trace) => trace.origins))],
    parameters: traces.flatMap((trace) => trace.parameters),
    ends: traces.flatMap(({ ends = [] }) => ends),
  };
}
