import type ts from 'typescript';
import { evaluate, type SourcePlace, type TokenInfo } from '../../../source/index.ts';
import type { Finding } from '../../../../base/errors/index.ts';
import type { MethodNeed } from '../method-verbs.ts';
import { assertedKind } from './asserted-kinds.ts';
import { traceClient, type Origin, type Trace } from './client-origins.ts';
import type { ClientCall } from './find-calls.ts';
import { callManagers, type CallManager } from './call-managers.ts';
import { at, bare, symbolAt, shownText, type InferContext } from './infer-context.ts';
import {
  isTokenType,
  kindsOfObject,
  kindsOfToken,
  type KindName,
  type KindsOfType,
} from './kinds-of-type.ts';
import { literalTexts, optionTexts } from './option-texts.ts';
import { judgeRawRequest } from './raw-requests.ts';
import { isJudged, originsThrough, resolveNeeds } from './resolve-needs.ts';
import { claimedKind, genericAsValue, permittedFix, undecidedKind } from './unresolved.ts';

/** Context for the translation of client calls to rules. `isCached` returns true if a controller caches the kind. */
export interface Judging extends InferContext {
  readonly isCached: (token: TokenInfo) => boolean;
  /**
   * Returns true if the cache contains all objects of the kind: a controller caches the kind, and no `cached(K, …)` call selects only some
   * objects.
   */
  readonly isHeldWhole: (token: TokenInfo) => boolean;
  /** Kinds of all checked calls. A later check reports kinds that the project does not serve. */
  readonly used: CalledKind[];
}

/** A kind in the version that a call uses. */
export interface CalledKind extends TokenInfo {
  readonly place: SourcePlace;
  /** True if the call creates or changes the objects themselves, not only their status or another subresource. */
  readonly isWritten: boolean;
  /** True if the call changes the status of the objects. */
  readonly writesStatus: boolean;
  /** Returns the field managers of a call that writes. */
  readonly managers: () => readonly CallManager[];
}

type NamedResource = Pick<TokenInfo, 'group' | 'plural' | 'namespaced'>;

const pods: NamedResource = { group: '', plural: 'pods', namespaced: true };
const events: NamedResource = { group: 'events.k8s.io', plural: 'events', namespaced: true };

const changes: ReadonlySet<string> = new Set(['create', 'update', 'patch']);

/** Adds the rules that a call needs. If they cannot be determined, adds a finding. */
export function judgeCall(context: Judging, { call, method, need, receiver, trace }: ClientCall): void {
  switch (need.type) {
    case 'free':
    case 'subresource':
      return;
    case 'event':
      needEvents(context, call, method);
      return;
    case 'pod':
      if (originsThrough(context, trace()).some(isJudged))
        addRule(context, call, method, pods, need.subresource, need.verbs);
      return;
    case 'raw':
      judgeRawRequest(context, { call, method, need, receiver, trace });
      return;
    case 'ofSubresource':
      judgeSubresource(context, call, receiver, need.verb);
      return;
    case 'read':
    case 'index':
      judgeKind(context, { call, method, trace, token: call.arguments[0] }, need, [undefined]);
      return;
    case 'request': {
      const isFixed = need.fromOptions === undefined;
      const subresources = isFixed ? [need.subresource] : subresourcesOf(context, call, method, trace);
      judgeKind(context, { call, method, trace, token: call.arguments[0] }, need, subresources);
    }
  }
}

interface KindCall {
  readonly call: ts.CallExpression;
  readonly method: string;
  readonly trace: () => Trace;
  readonly token: ts.Expression | undefined;
}

type KindNeed = Extract<MethodNeed, { type: 'read' | 'index' | 'request' }>;

function judgeKind(
  context: Judging,
  { call, method, trace, token }: KindCall,
  need: KindNeed,
  subresources: readonly (string | undefined)[],
): void {
  if (token === undefined) return;
  const direct = need.type === 'index' ? undefined : evaluated(context, token);
  const add = (origin: Origin, info: TokenInfo): void => {
    const verbs = verbsOf(context, origin, need, info, call, method);
    if (verbs.length === 0) return;
    const isChange = verbs.some((verb) => changes.has(verb));
    context.used.push({
      ...info,
      place: at(context, call),
      isWritten: isChange && subresources.includes(undefined),
      writesStatus: isChange && subresources.includes('status'),
      managers: () => callManagers(context, call, trace()),
    });
    for (const subresource of subresources) addRule(context, call, method, info, subresource, verbs);
  };
  const asserted = assertedKind(context, token);
  if (asserted !== undefined) {
    if (originsThrough(context, trace()).some(isJudged))
      context.findings.push(claimedKind(context, asserted, method));
    return;
  }
  if (direct !== undefined) {
    // The kind is known. Only the origin of the client may depend on the callers.
    for (const origin of originsThrough(context, trace())) add(origin, direct);
    return;
  }
  const kinds = need.type === 'index' ? kindsOfIndex(context, token) : kindsOfArgument(context, token);
  const { needs, unresolved } = resolveNeeds(context, trace(), kinds);
  for (const { origin, kind, node } of needs) {
    if (!isJudged(origin)) continue;
    const claimed = node && claimedArgument(context, node);
    if (claimed !== undefined) {
      context.findings.push(claimedKind(context, claimed, method));
      continue;
    }
    const tokens = context.kinds.find(kind.apiVersion, kind.kind);
    if (tokens.length === 0) context.findings.push(unknownPlural(context, token, kind));
    for (const info of tokens) add(origin, info);
  }
  const verbs = need.type === 'request' ? need.verbs : need.type === 'read' ? [need.verb] : ['list', 'watch'];
  for (const { reason, node, origin } of unresolved) {
    if (!isJudged(origin)) continue;
    context.findings.push(
      reason === 'generic-as-value' && node !== undefined
        ? genericAsValue(context, node)
        : undecidedKind(context, node ?? token, method, verbs),
    );
  }
}

/** Returns the argument of a generic function call whose kind comes only from a type assertion, or which the compiler rejects. */
function claimedArgument(context: InferContext, node: ts.Node): ts.Node | undefined {
  const { ts, checker } = context.source;
  if (!ts.isCallExpression(node) && !ts.isNewExpression(node)) return undefined;
  const parameters = checker.getResolvedSignature(node)?.parameters ?? [];
  return node.arguments?.find((argument, i) => {
    const type = checker.getTypeAtLocation(argument);
    if (!isTokenType(context, type) && !type.isUnion()) return false;
    const parameter = parameters[i];
    const isRefused =
      parameter !== undefined &&
      isTokenType(context, checker.getTypeOfSymbol(parameter)) &&
      !checker.isTypeAssignableTo(type, checker.getTypeOfSymbol(parameter));
    return isRefused || assertedKind(context, argument) !== undefined;
  });
}

function verbsOf(
  context: Judging,
  origin: Origin,
  need: KindNeed,
  token: TokenInfo,
  call: ts.CallExpression,
  method: string,
): readonly string[] {
  if (!isJudged(origin)) return [];
  if (need.type === 'request')
    return context.isHeldWhole(token) ? need.verbs : [...need.verbs, ...(need.uncached ?? [])];
  const isCached = context.isCached(token);
  const verb = need.type === 'read' ? need.verb : 'list';
  if (origin === 'server') return [verb];
  if (origin === 'unknown' && need.type === 'read') return isCached ? [verb, 'list', 'watch'] : [verb];
  if (!isCached) context.findings.push(undeclaredKind(context, call, method, token));
  return isCached ? ['list', 'watch'] : [];
}

function undeclaredKind(
  context: Judging,
  call: ts.CallExpression,
  method: string,
  { kind }: TokenInfo,
): Finding {
  return {
    code: 'manifests/undeclared-cached-kind',
    message: `\`${method}\` of ${kind} reads the cache, but no controller declares ${kind} by \`for\`, \`owns\` or \`watches\``,
    where: at(context, call),
    fix: [
      `read the API server: client.live.${method}(${kind}, …)`,
      `or declare the kind in a controller: watches: [watch(${kind}, { map: … })], owns: [${kind}]`,
    ],
  };
}

function unknownPlural(context: InferContext, node: ts.Node, { apiVersion, kind }: KindName): Finding {
  return {
    code: 'manifests/unknown-kind',
    message: `\`${shownText(node)}\`: expected a declared kind, got ${apiVersion}, Kind=${kind}, which neither the project nor Kubernetes declares`,
    where: at(context, node),
    fix: [
      'declare it: externalResource<Kind>({ group, version, kind, plural, scope }) with literals',
      permittedFix("{ groups: ['…'], resources: ['…'], verbs: ['…'] }"),
    ],
  };
}

function addRule(
  { rules, ...context }: Judging,
  node: ts.Node,
  by: string,
  { group, plural, namespaced }: NamedResource,
  subresource: string | undefined,
  verbs: readonly string[],
): void {
  const resource = subresource === undefined ? plural : `${plural}/${subresource}`;
  rules.push({
    apiGroups: [group],
    resources: [resource],
    verbs,
    namespaced,
    places: [at(context, node)],
    origin: 'call',
    by,
  });
}

/** Adds the rule for writing Events. Events about cluster-scoped objects are written into the namespace `default`. */
export function needEvents(context: Judging, node: ts.Node, by: string): void {
  addRule(context, node, by, events, undefined, ['create', 'patch']);
}

/** Returns the resource to which an expression evaluates, regardless of its type. */
function evaluated(context: InferContext, expression: ts.Expression): TokenInfo | undefined {
  const value = evaluate(context.source, expression);
  return value.type === 'token' ? value.token : undefined;
}

function kindsOfArgument(context: InferContext, argument: ts.Expression): KindsOfType {
  const { ts, checker } = context.source;
  if (!ts.isSpreadElement(argument)) return kindsOfToken(context, checker.getTypeAtLocation(argument));
  // For a spread tuple such as `client.delete(...pair)`, the kind is in the first item.
  const tuple = checker.getTypeAtLocation(argument.expression);
  const [first] = 'target' in tuple ? checker.getTypeArguments(tuple as ts.TypeReference) : [];
  return first === undefined ? { names: [], parameters: [], isOpen: true } : kindsOfToken(context, first);
}

/** Returns the kinds of an index, which are those of its `resource` property. */
function kindsOfIndex(context: InferContext, argument: ts.Expression): KindsOfType {
  const { checker } = context.source;
  const type = checker.getTypeAtLocation(argument);
  const [object] = 'target' in type ? checker.getTypeArguments(type as ts.TypeReference) : [];
  return object === undefined ? { names: [], parameters: [], isOpen: true } : kindsOfObject(context, object);
}

/** Returns the subresources that the options of a `patch` call name. The value undefined means the object itself. */
function subresourcesOf(
  context: Judging,
  call: ts.CallExpression,
  method: string,
  trace: () => Trace,
): readonly (string | undefined)[] {
  const options = call.arguments[3];
  if (options === undefined) return [undefined];
  const names = optionTexts(context, options, 'subresource');
  if (names !== undefined) return names;
  if (!originsThrough(context, trace()).some(isJudged)) return [];
  context.findings.push(unknownSubresource(context, options, method));
  return [];
}

function unknownSubresource(context: InferContext, node: ts.Node, method: string): Finding {
  return {
    code: 'manifests/unknown-subresource',
    message: `\`${method}\`: expected a subresource as a literal, got \`${shownText(node)}\``,
    where: at(context, node),
    fix: [
      "name it in the call: { subresource: 'scale' }",
      permittedFix("{ groups: ['apps'], resources: ['deployments/scale'], verbs: ['patch'] }"),
    ],
  };
}

/** Adds the rules of a request to a subresource. The `subresource` call that created the client names the subresource. */
function judgeSubresource(
  context: Judging,
  call: ts.CallExpression,
  receiver: ts.Expression | undefined,
  verb: string,
): void {
  const made = receiver === undefined ? undefined : madeBy(context, receiver);
  const [kind, , name] = made?.arguments ?? [];
  const owner = made?.expression;
  const { ts } = context.source;
  if (
    made === undefined ||
    kind === undefined ||
    name === undefined ||
    owner === undefined ||
    !ts.isPropertyAccessExpression(owner)
  ) {
    context.findings.push(unknownSubresource(context, receiver ?? call, `subresource(…).${verb}`));
    return;
  }
  const names = literalTexts(context, context.source.checker.getTypeAtLocation(name));
  const trace = (): Trace => traceClient(context, owner.expression);
  if (names === undefined) {
    if (originsThrough(context, trace()).some(isJudged))
      context.findings.push(unknownSubresource(context, name, 'subresource'));
    return;
  }
  const need: KindNeed = { type: 'request', verbs: [verb] };
  judgeKind(context, { call, method: `subresource.${verb}`, trace, token: kind }, need, names);
}

/**
 * Returns the `subresource` call that created a client: the expression itself, or the initial value of the `const` that the expression
 * names.
 */
function madeBy(context: InferContext, expression: ts.Expression): ts.CallExpression | undefined {
  const { ts } = context.source;
  const node = bare(context, expression);
  if (ts.isCallExpression(node)) return node;
  if (!ts.isIdentifier(node)) return undefined;
  const declaration = symbolAt(context, node)?.valueDeclaration;
  const isConst =
    declaration !== undefined &&
    ts.isVariableDeclaration(declaration) &&
    (ts.getCombinedNodeFlags(declaration) & ts.NodeFlags.Const) !== 0;
  return isConst && declaration.initializer !== undefined
    ? madeBy(context, declaration.initializer)
    : undefined;
}
