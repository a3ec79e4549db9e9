import type ts from 'typescript';
import { callSites, type Callable, type CallSite } from './call-sites.ts';
import { traceClient, type Origin, type OriginParameter, type Trace } from './client-origins.ts';
import type { InferContext } from './infer-context.ts';
import { kindsOfParameter, type KindName, type KindsOfType } from './kinds-of-type.ts';

/** A client and a kind that are used together in a call. */
interface ResolvedNeed {
  readonly origin: Origin;
  readonly kind: KindName;
  /** The call whose type arguments determine the kind; undefined if the checked call itself does. */
  readonly node: ts.Node | undefined;
}

/** The reason why the kind of a call is unknown, and its place. */
interface UnresolvedNeed {
  readonly reason: 'open' | 'generic-as-value' | 'endless';
  /** The call whose type arguments do not determine the kind, or the use as a value. Undefined: the checked call itself. */
  readonly node: ts.Node | undefined;
  readonly origin: Origin;
}

interface ResolvedNeeds {
  readonly needs: readonly ResolvedNeed[];
  readonly unresolved: readonly UnresolvedNeed[];
}

/**
 * Limits how often one call may occur in a chain of calls: a recursive function passes its kinds on from one type parameter to the next.
 */
function mostRepeats({ typeParameters }: Callable): number {
  return Math.max(2, typeParameters?.length ?? 0);
}

interface State {
  readonly trace: Trace;
  readonly kinds: KindsOfType;
  /** The call that determined these kinds. */
  readonly node: ts.Node | undefined;
  readonly chain: readonly ts.Node[];
}

/**
 * Finds which clients are used with which kinds at a call: parameters and type parameters get the values of the calls of their function,
 * and of its callers. Each call is resolved separately, so that combinations of different calls do not mix.
 */
export function resolveNeeds(context: InferContext, trace: Trace, kinds: KindsOfType): ResolvedNeeds {
  const needs = new Map<string, ResolvedNeed>();
  const unresolved = new Map<string, UnresolvedNeed>();
  const add = (result: ResolvedNeeds): void => {
    for (const need of result.needs)
      needs.set(`${need.origin} ${need.kind.apiVersion} ${need.kind.kind} ${need.node?.pos}`, need);
    for (const each of result.unresolved)
      unresolved.set(
        `${each.origin} ${each.reason} ${each.node?.getSourceFile().fileName} ${each.node?.pos}`,
        each,
      );
  };
  const visit = ({ trace: { origins, parameters }, kinds, node, chain }: State): void => {
    const choices: readonly (Origin | OriginParameter)[] = [...origins, ...parameters];
    for (const choice of choices) {
      for (const parameter of kinds.parameters.length > 0 ? kinds.parameters : [undefined])
        follow({ choice, parameter, chain });
      if (typeof choice === 'string') add(known(choice, kinds, node));
      else if (kinds.names.length > 0 || kinds.isOpen)
        follow({ choice, parameter: undefined, chain, fixed: { ...kinds, parameters: [] }, node });
    }
  };
  const follow = (step: {
    choice: Origin | OriginParameter;
    parameter: KindsOfType['parameters'][number] | undefined;
    chain: readonly ts.Node[];
    fixed?: KindsOfType;
    node?: ts.Node | undefined;
  }): void => {
    const { choice, parameter, chain, fixed, node } = step;
    const ofClient = typeof choice === 'string' ? undefined : choice;
    if (parameter === undefined && (fixed === undefined || ofClient === undefined)) return;
    const ofKind = parameter === undefined ? undefined : ownerOf(context, parameter.type);
    const clientOwner = ofClient && ownerOfParameter(ofClient.parameter);
    const owner = clientOwner ?? ofKind?.callable;
    if (owner === undefined) {
      // The type parameter of a type, which no call determines.
      add({ needs: [], unresolved: [{ reason: 'open', node, origin: originOf(choice) }] });
      return;
    }
    const { sites, values } = callSites(context, owner);
    const isDecidedHere = ofKind !== undefined && isSameOwner(owner, ofKind.callable);
    if (isDecidedHere)
      for (const value of values)
        add({
          needs: [],
          unresolved: [{ reason: 'generic-as-value', node: value, origin: originOf(choice) }],
        });
    // Called by other code, or never: then only the client's type is known.
    if (ofClient !== undefined && !isDecidedHere && (sites.length === 0 || values.length > 0))
      visit({
        trace: { origins: ofClient.byType, parameters: [] },
        kinds: fixed ?? asKinds(parameter),
        node,
        chain,
      });
    for (const site of sites) {
      if (site.arguments === undefined && ofClient !== undefined) continue;
      if (chain.filter((each) => each === site.node).length >= mostRepeats(owner)) continue;
      const trace =
        ofClient === undefined
          ? { origins: [choice as Origin], parameters: [] }
          : argumentTrace(context, ofClient, site);
      const kinds =
        fixed ?? (isDecidedHere ? siteKinds(context, site, ofKind.index, parameter) : asKinds(parameter));
      visit({
        trace,
        kinds,
        node: isDecidedHere ? site.node : node,
        chain: [...chain, site.node],
      });
    }
  };
  visit({ trace, kinds, node: undefined, chain: [] });
  return { needs: [...needs.values()], unresolved: [...unresolved.values()] };
}

/** Returns the possible origins of a client, through all functions that take it. */
export function originsThrough(context: InferContext, trace: Trace): readonly Origin[] {
  return [...new Set(resolveNeeds(context, trace, anyKind).needs.map(({ origin }) => origin))];
}

/** Placeholder for a kind that is determined elsewhere. */
const anyKind: KindsOfType = { names: [{ apiVersion: '', kind: '' }], parameters: [], isOpen: false };

/** True unless the call is for another cluster or its permissions are written by hand; such calls are not checked. */
export function isJudged(origin: Origin): boolean {
  return origin !== 'other' && origin !== 'permitted';
}

function known(origin: Origin, { names, isOpen }: KindsOfType, node: ts.Node | undefined): ResolvedNeeds {
  return {
    needs: names.map((kind) => ({ origin, kind, node })),
    unresolved: isOpen ? [{ reason: 'open', node, origin }] : [],
  };
}

function originOf(choice: Origin | OriginParameter): Origin {
  return typeof choice === 'string' ? choice : (choice.byType[0] ?? 'unknown');
}

function asKinds(parameter: KindsOfType['parameters'][number] | undefined): KindsOfType {
  return { names: [], parameters: parameter === undefined ? [] : [parameter], isOpen: false };
}

/** The argument that a call gives to a parameter. */
function argumentTrace(
  context: InferContext,
  { parameter, path, byType }: OriginParameter,
  site: CallSite,
): Trace {
  const { ts } = context.source;
  const index = parameter.parent.parameters.indexOf(parameter);
  const given = site.arguments ?? [];
  const isSpread = given.slice(0, index + 1).some((argument) => ts.isSpreadElement(argument));
  const argument = given[index];
  if (isSpread) return { origins: byType, parameters: [] };
  if (argument !== undefined) return traceClient(context, argument, path);
  const { initializer } = parameter;
  return initializer === undefined
    ? { origins: [], parameters: [] }
    : traceClient(context, initializer, path);
}

function siteKinds(
  context: InferContext,
  site: CallSite,
  index: number,
  parameter: KindsOfType['parameters'][number] | undefined,
): KindsOfType {
  const type = site.typeArgument(index);
  if (type === undefined || parameter === undefined) return { names: [], parameters: [], isOpen: true };
  return kindsOfParameter(context, parameter, type);
}

/** The function or class that declares a type parameter; undefined for type parameters of types. */
function ownerOf(
  { source: { ts } }: InferContext,
  type: ts.Type,
): { readonly callable: Callable; readonly index: number } | undefined {
  const declaration = type.symbol.declarations?.[0];
  if (declaration === undefined || !ts.isTypeParameterDeclaration(declaration)) return undefined;
  const owner: ts.Node = declaration.parent;
  if (!(ts.isFunctionLike(owner) || ts.isClassLike(owner))) return undefined;
  const index = owner.typeParameters?.indexOf(declaration) ?? -1;
  return index < 0 ? undefined : { callable: owner, index };
}

function ownerOfParameter(parameter: ts.ParameterDeclaration): Callable {
  return parameter.parent;
}

/** True for the same owner, or a class and its constructor: a class gets its type arguments where its constructor is called. */
function isSameOwner(owner: Callable, other: Callable): boolean {
  return owner === other || owner.parent === other;
}
