import type ts from 'typescript';
import { callSites, type Callable, type CallSite } from './call-sites.ts';
import { traceClient, type Origin, type OriginParameter, type Trace } from './client-origins.ts';
import type { InferContext } from './infer-context.ts';
import { kindsOfParameter, type KindName, type KindsOfType } from './kinds-of-type.ts';

/** Origin of a client and a kind that one call uses together. */
interface ResolvedNeed {
  readonly origin: Origin;
  readonly kind: KindName;
  /** Call whose type arguments determine the kind; undefined if the checked call itself determines it. */
  readonly node: ts.Node | undefined;
}

/** The reason why the kind of a call is unknown, and the place of the cause. */
interface UnresolvedNeed {
  readonly reason: 'open' | 'generic-as-value' | 'endless';
  /**
   * Call whose type arguments do not determine the kind, or place that uses the function as a value. Undefined for the checked call itself.
   */
  readonly node: ts.Node | undefined;
  readonly origin: Origin;
}

interface ResolvedNeeds {
  readonly needs: readonly ResolvedNeed[];
  readonly unresolved: readonly UnresolvedNeed[];
}

/**
 * Returns how many times one call may occur in a chain of calls. Several times are possible, because each call of a recursive function may
 * pass its kind from one type parameter to the next.
 */
function mostRepeats({ typeParameters }: Callable): number {
  return Math.max(2, typeParameters?.length ?? 0);
}

interface State {
  readonly trace: Trace;
  readonly kinds: KindsOfType;
  /** Call that determined the kinds. */
  readonly node: ts.Node | undefined;
  readonly chain: readonly ts.Node[];
}

/**
 * Finds which clients and kinds a call uses together. Parameters and type parameters get their values from the calls of the containing
 * function, and from the calls of its callers. Each call is resolved separately, so that the client of one call is not combined with the
 * kind of another.
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
      // The type parameter belongs to a type and not to a function or class, so no call determines it.
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
    // If other code calls the function, or no code does, only the type of the client is known.
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

/** Returns the possible origins of a client. Follows the calls of all functions that take the client as an argument. */
export function originsThrough(context: InferContext, trace: Trace): readonly Origin[] {
  return [...new Set(resolveNeeds(context, trace, anyKind).needs.map(({ origin }) => origin))];
}

/**
 * Returns the expressions and names at which the traces of a client end, after following the calls of all functions that take it as an
 * argument. A parameter whose calls are not known is an end itself.
 */
export function endsThrough(
  context: InferContext,
  { ends = [], parameters }: Trace,
  visited: ReadonlySet<ts.Node> = new Set(),
): readonly ts.Node[] {
  const followed = parameters.flatMap((each): readonly ts.Node[] => {
    const { parameter } = each;
    if (visited.has(parameter)) return [];
    const { sites, values } = callSites(context, ownerOfParameter(parameter));
    const seen = new Set([...visited, parameter]);
    const given = sites.filter((site) => site.arguments !== undefined);
    const unknown = given.length === 0 || values.length > 0 ? [parameter] : [];
    return [
      ...unknown,
      ...given.flatMap((site) => endsThrough(context, argumentTrace(context, each, site), seen)),
    ];
  });
  return [...new Set([...ends, ...followed])];
}

/** Placeholder for a kind, used when only the origin of a client is needed. */
const anyKind: KindsOfType = { names: [{ apiVersion: '', kind: '' }], parameters: [], isOpen: false };

/**
 * True if a call of a client with this origin is checked. Calls for another cluster are not checked, nor are calls whose permissions are
 * written by hand.
 */
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

/** Traces the argument that a call passes to a parameter. */
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

/** Returns the function or class that declares a type parameter. Undefined for a type parameter of a type or interface. */
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

/**
 * True if both owners are the same, or if they are a class and its constructor. A class gets its type arguments where its constructor is
 * called.
 */
function isSameOwner(owner: Callable, other: Callable): boolean {
  return owner === other || owner.parent === other;
}
