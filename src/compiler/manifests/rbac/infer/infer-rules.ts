import type ts from 'typescript';
import type { FindingList, Finding } from '../../../../base/errors/index.ts';
import { evaluate, type SourceProgram, type TokenInfo } from '../../../source/index.ts';
import type { NeededRule } from '../needed-rule.ts';
import { type ReadRules, readRules } from '../read-rule.ts';
import { findClientUses, type ClientCall } from './find-calls.ts';
import { findEscapes } from './follow-clients.ts';
import { judgeCall, needEvents, type CalledKind, type Judging } from './judge-calls.ts';
import { isJudged, originsThrough, resolveNeeds } from './resolve-needs.ts';
import {
  type InferContext,
  at,
  shownText,
  homeOf,
  symbolAt,
  wrapped,
  usesOfOwnFunction,
  kindTable,
  indexSources,
  type SourceIndex,
} from './infer-context.ts';
import { clientEscapes, indirectCall, looseFunction, genericAsValue } from './unresolved.ts';
import { kindsOfObject, kindsOfToken } from './kinds-of-type.ts';
import { bears } from './bears-client.ts';
import { callSites } from './call-sites.ts';

export interface InferredRules {
  readonly rules: readonly NeededRule[];
  /** The kinds that the client calls use. */
  readonly used: readonly CalledKind[];
  /** Rules that calls of `permitted` state. */
  readonly permitted: readonly ReadRules[];
  /** False if every `createManager` call states `failureEvents: false`. */
  readonly failureEvents: boolean;
  /** Name of each `createManager` call; undefined for a name that cannot be read from the sources. */
  readonly managerNames: readonly (string | undefined)[];
  /** All calls of client methods and of recorders, with the context in which they were found, for other checks of the same code. */
  readonly calls: readonly ClientCall[];
  readonly context: InferContext;
}

/**
 * Infers the rules that the client calls in a project need. A call that cannot be followed becomes a finding.
 * @param isCached returns true if a controller declares the kind
 */
export function inferRules(
  findings: FindingList,
  source: SourceProgram,
  isCached: (token: TokenInfo) => boolean,
): InferredRules {
  const index = indexSources(source);
  const selected = selectedKinds(source, index);
  const context: Judging = {
    source,
    index,
    kinds: kindTable(source, index),
    isCached,
    isHeldWhole: (token) => isCached(token) && !selected.has(`${token.group}/${token.plural}`),
    used: [],
    rules: [],
    findings: [],
  };
  const { calls, indirect } = findClientUses(context);
  for (const call of calls) judgeCall(context, call);
  for (const { node, text, trace } of indirect) {
    if (originsThrough(context, trace()).some(isJudged))
      context.findings.push(indirectCall(context, node, text));
  }
  addOwnerRules(context);
  for (const { node, bearing, reason } of findEscapes(context)) {
    if (bearing === 'recorder') needEvents(context, node, 'events');
    else context.findings.push(clientEscapes(context, node, reason));
  }
  for (const { node, reason } of findLooseFunctions(context))
    context.findings.push(looseFunction(context, node, reason));
  findings.add(...context.findings);
  return {
    rules: context.rules,
    used: context.used,
    permitted: permittedRules(context, findings),
    failureEvents: recordsFailures(context),
    managerNames: usesOfOwnFunction(context, 'createManager').calls.map((call) => managerName(context, call)),
    calls,
    context,
  };
}

/** Returns the kinds that are selected by `cached(K, …)`. Their caches may contain only some of the objects. */
function selectedKinds(source: SourceProgram, { names }: SourceIndex): ReadonlySet<string> {
  const { ts } = source;
  return new Set(
    (names.get('cached') ?? []).flatMap(({ parent }) => {
      const [kind] = ts.isCallExpression(parent) ? parent.arguments : [];
      const value = kind && evaluate(source, kind);
      return value?.type === 'token' ? [`${value.token.group}/${value.token.plural}`] : [];
    }),
  );
}

/** Returns the rules that calls of `permitted` state. */
function permittedRules(context: InferContext, findings: FindingList): readonly ReadRules[] {
  const { calls, values } = usesOfOwnFunction(context, 'permitted');
  findings.add(...values.map((node) => indirectCall(context, node, 'permitted')));
  return calls.flatMap(({ arguments: [, rules] }) =>
    rules === undefined ? [] : [readRules(findings, evaluate(context.source, rules), 'permitted')],
  );
}

/** Returns false if the project creates managers, and each of them states `failureEvents: false`, which no later part of its options replaces. */
function recordsFailures(context: InferContext): boolean {
  const { ts } = context.source;
  const { calls } = usesOfOwnFunction(context, 'createManager');
  const isOff = ({ arguments: [options] }: ts.CallExpression): boolean => {
    if (options === undefined || !ts.isObjectLiteralExpression(options)) return false;
    const stated = options.properties.findLast(
      (each) => each.name !== undefined && ts.isIdentifier(each.name) && each.name.text === 'failureEvents',
    );
    return (
      stated !== undefined &&
      ts.isPropertyAssignment(stated) &&
      stated.initializer.kind === ts.SyntaxKind.FalseKeyword &&
      !options.properties.slice(options.properties.indexOf(stated)).some(ts.isSpreadAssignment)
    );
  };
  return calls.length === 0 || !calls.every(isOff);
}

function managerName(
  { source }: InferContext,
  { arguments: [options] }: ts.CallExpression,
): string | undefined {
  const { ts, checker } = source;
  const value = options && evaluate(source, options);
  const name = value?.type === 'object' ? value.properties.get('name')?.value : undefined;
  // A spread that cannot be evaluated, such as the flags of the operator, may only replace the name if its type has one.
  const mayReplace = (each: ts.ObjectLiteralElementLike): boolean =>
    ts.isSpreadAssignment(each) &&
    checker.getTypeAtLocation(each.expression).getProperty('name') !== undefined;
  const isReplaced =
    value?.type === 'object' &&
    value.holes.length > 0 &&
    !(options !== undefined && ts.isObjectLiteralExpression(options) && !options.properties.some(mayReplace));
  return name?.type === 'scalar' && typeof name.value === 'string' && !isReplaced ? name.value : undefined;
}

const functions = ['ownedBy', 'ownerReference', 'setControllerReference'];

/**
 * Adds `update` on the finalizers of an owner's kind. Owner references with blockOwnerDeletion need this permission if the admission plugin
 * OwnerReferencesPermissionEnforcement is on.
 */
function addOwnerRules(context: InferContext): void {
  for (const name of functions) {
    const { calls, values } = usesOfOwnFunction(context, name);
    for (const call of calls) addOwners(context, call, name);
    for (const node of values) context.findings.push(genericAsValue(context, node));
  }
}

function addOwners(context: InferContext, call: ts.CallExpression, name: string): void {
  const { checker } = context.source;
  const [owner, resource] = call.arguments;
  const token = name === 'ownerReference' ? resource : undefined;
  if (owner === undefined) return;
  const value = token && evaluate(context.source, token);
  if (value?.type === 'token') {
    addRule(context, call, name, value.token);
    return;
  }
  const kinds =
    token === undefined
      ? kindsOfObject(context, checker.getTypeAtLocation(owner))
      : kindsOfToken(context, checker.getTypeAtLocation(token));
  const { needs, unresolved } = resolveNeeds(context, { origins: ['server'], parameters: [] }, kinds);
  for (const { kind } of needs) {
    const tokens = context.kinds.find(kind.apiVersion, kind.kind);
    for (const each of tokens) addRule(context, call, name, each);
    if (tokens.length === 0) context.findings.push(unknownOwner(context, owner, name));
  }
  for (const { reason, node } of unresolved) {
    context.findings.push(
      reason === 'generic-as-value' && node !== undefined
        ? genericAsValue(context, node)
        : unknownOwner(context, node ?? owner, name),
    );
  }
}

function addRule(context: InferContext, call: ts.Node, by: string, token: TokenInfo): void {
  context.rules.push({
    apiGroups: [token.group],
    resources: [`${token.plural}/finalizers`],
    verbs: ['update'],
    namespaced: token.namespaced,
    places: [at(context, call)],
    origin: 'call',
    by,
  });
}

function unknownOwner(context: InferContext, node: ts.Node, name: string): Finding {
  return {
    code: 'manifests/unknown-kind',
    message: `\`${name}\`: expected an owner whose TypeScript type determines its kind, got \`${shownText(node)}\`, which may be of any kind`,
    where: at(context, node),
    fix: [
      "keep the type of the object: its own interface with literals, KubeObject<'apps/v1', 'Deployment'>, or a type parameter <T extends KubeObject>(owner: T)",
    ],
  };
}

/** A function to which callers pass a client, although its parameter is not declared as one. */
interface LooseFunction {
  readonly node: ts.Node;
  readonly reason: string;
}

/**
 * Finds functions that are used where a function with a client parameter is expected, but whose own parameter is `any` or `unknown`, or
 * whose code is in a library. TypeScript allows this, but the client cannot be followed inside of such a function.
 */
function findLooseFunctions(context: InferContext): readonly LooseFunction[] {
  return [...ofProject(context), ...ofAssertions(context), ...ofOthers(context)];
}

function ofProject(context: InferContext): readonly LooseFunction[] {
  const { ts, checker } = context.source;
  return context.index.looseParameters.flatMap((parameter): readonly LooseFunction[] => {
    const owner = parameter.parent;
    const index = owner.parameters.indexOf(parameter);
    const inline = ts.isArrowFunction(owner) || ts.isFunctionExpression(owner);
    const isLoose =
      (checker.getTypeAtLocation(parameter).flags & (ts.TypeFlags.Any | ts.TypeFlags.Unknown)) !== 0;
    if (!isLoose) return [];
    const reason = `\`${shownText(parameter)}\` receives a client, but its type is not that of a client`;
    if (inline && takesClient(context, checker.getContextualType(owner), index))
      return [{ node: parameter, reason }];
    if (ts.isMethodDeclaration(owner))
      return isMethodWithClient(context, owner, index) ? [{ node: parameter, reason }] : [];
    return callSites(context, owner)
      .values.filter(
        (value) => ts.isExpression(value) && takesClient(context, checker.getContextualType(value), index),
      )
      .map((node) => ({ node, reason }));
  });
}

/** Finds values without a type, such as `reconcile: work as any`, where a function that receives a client is expected. */
function ofAssertions(context: InferContext): readonly LooseFunction[] {
  const { checker } = context.source;
  return context.index.looseAssertions
    .filter((node) => {
      const expected = checker.getContextualType(node);
      return (
        expected !== undefined &&
        (expected.isUnion() ? expected.types : [expected]).some(
          (part) =>
            takesClient(context, part) ||
            checker
              .getPropertiesOfType(part)
              .some((member) => takesClient(context, checker.getTypeOfSymbol(member))),
        )
      );
    })
    .map((node) => ({ node, reason: `\`${shownText(node)}\` receives a client, but has no type` }));
}

/** True if a function of this type takes a client as a parameter. */
function takesClient({ source, ...rest }: InferContext, type: ts.Type | undefined, index?: number): boolean {
  const { ts, checker } = source;
  if (type === undefined) return false;
  const context = { source, ...rest };
  return checker
    .getSignaturesOfType(checker.getNonNullableType(type), ts.SignatureKind.Call)
    .some(({ parameters }) =>
      (index === undefined ? parameters : parameters.slice(index, index + 1)).some(
        (parameter) => bears(context, checker.getTypeOfSymbol(parameter)) === 'client',
      ),
    );
}

/**
 * True if a client is expected at this position of the method's parameters by an implemented interface, a base class, or the expected type
 * of the object.
 */
function isMethodWithClient(context: InferContext, method: ts.MethodDeclaration, index: number): boolean {
  const { ts, checker } = context.source;
  const { parent, name } = method;
  if (!ts.isIdentifier(name)) return false;
  const expected = ts.isClassLike(parent)
    ? (parent.heritageClauses ?? []).flatMap(({ types }) =>
        types.map((each) => checker.getTypeAtLocation(each)),
      )
    : [checker.getContextualType(parent)];
  return expected.some((type) => {
    const member = type && checker.getPropertyOfType(type, name.text);
    return takesClient(context, member && checker.getTypeOfSymbol(member), index);
  });
}

/** Finds imported library functions that are passed where a function with a client parameter is expected. */
function ofOthers(context: InferContext): readonly LooseFunction[] {
  const { ts, checker } = context.source;
  const names = context.index.files.flatMap((file) =>
    file.statements.flatMap((statement) => importedNames(context, statement)),
  );
  return names.flatMap((local): readonly LooseFunction[] => {
    const symbol = symbolAt(context, local);
    const declaration = symbol?.valueDeclaration;
    if (declaration !== undefined && homeOf(context, declaration) !== 'library') return [];
    return (context.index.names.get(local.text) ?? []).flatMap((node): readonly LooseFunction[] => {
      if (node === local || !ts.isIdentifier(node) || node.getSourceFile() !== local.getSourceFile())
        return [];
      const value = wrapped(
        context,
        ts.isPropertyAccessExpression(node.parent) && node.parent.expression === node ? node.parent : node,
      );
      if (!isHandedOn(context, value) || symbolAt(context, node) !== symbol) return [];
      if (!takesClient(context, checker.getContextualType(value))) return [];
      return [
        {
          node: value,
          reason: `\`${shownText(value)}\` receives a client, but is code outside of the project`,
        },
      ];
    });
  });
}

function isHandedOn({ source: { ts } }: InferContext, value: ts.Expression): boolean {
  const { parent } = value;
  if (ts.isCallExpression(parent) || ts.isNewExpression(parent)) return parent.expression !== value;
  if (ts.isVariableDeclaration(parent)) return parent.type !== undefined;
  return (
    ts.isPropertyAssignment(parent) ||
    ts.isArrayLiteralExpression(parent) ||
    ts.isReturnStatement(parent) ||
    ts.isConditionalExpression(parent)
  );
}

function importedNames({ source: { ts } }: InferContext, statement: ts.Statement): readonly ts.Identifier[] {
  const clause = ts.isImportDeclaration(statement) ? statement.importClause : undefined;
  if (clause === undefined || clause.isTypeOnly) return [];
  const { namedBindings } = clause;
  const bound =
    namedBindings === undefined
      ? []
      : ts.isNamespaceImport(namedBindings)
        ? [namedBindings.name]
        : namedBindings.elements.filter(({ isTypeOnly }) => !isTypeOnly).map(({ name }) => name);
  return [...(clause.name === undefined ? [] : [clause.name]), ...bound];
}
