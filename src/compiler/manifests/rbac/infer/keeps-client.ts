import type ts from 'typescript';
import { bears, isClientMethod } from './bears-client.ts';
import type { InferContext } from './infer-context.ts';

const DEEPEST = 5;

/**
 * True if a value keeps its client types when it is assigned to another type. If a client becomes `any`, or an interface that only
 * resembles a client, its calls can no longer be followed.
 */
export function keepsClient(context: InferContext, value: ts.Type, target: ts.Type, depth = 0): boolean {
  const { ts, checker } = context.source;
  if (value === target || depth > DEEPEST || bears(context, value) === undefined) return true;
  const keeps = (part: ts.Type, as: ts.Type): boolean => keepsClient(context, part, as, depth + 1);
  if (target.flags & (ts.TypeFlags.Any | ts.TypeFlags.Unknown | ts.TypeFlags.NonPrimitive)) return false;
  if (target.flags & ts.TypeFlags.TypeParameter) {
    // The target is a type parameter, as in `client as T`. Its constraint decides.
    const constraint = checker.getBaseConstraintOfType(target);
    return constraint !== undefined && keeps(value, constraint);
  }
  if (value.isUnion()) return value.types.every((part) => keeps(part, target));
  if (target.isUnion()) return target.types.some((part) => isObject(context, part) && keeps(value, part));
  if (target.isIntersection()) return target.types.some((part) => keeps(value, part));
  if (isClient(context, value)) return isClientLike(context, value, target);
  if (isContainer(context, value) && isContainer(context, target)) {
    const of = checker.getTypeArguments(target as ts.TypeReference);
    return checker.getTypeArguments(value as ts.TypeReference).every((part, i) => keeps(part, of[i] ?? part));
  }
  const kept = checker.getPropertiesOfType(value).every((member) => {
    const counterpart = checker.getPropertyOfType(target, member.name);
    if (counterpart === undefined) return true;
    return keeps(checker.getTypeOfSymbol(member), checker.getTypeOfSymbol(counterpart));
  });
  return kept && returnsKept(context, value, target, keeps);
}

function returnsKept(
  { source: { ts, checker } }: InferContext,
  value: ts.Type,
  target: ts.Type,
  keeps: (part: ts.Type, as: ts.Type) => boolean,
): boolean {
  const [own] = checker.getSignaturesOfType(value, ts.SignatureKind.Call);
  const [other] = checker.getSignaturesOfType(target, ts.SignatureKind.Call);
  return own === undefined || other === undefined || keeps(own.getReturnType(), other.getReturnType());
}

function isObject({ source: { ts } }: InferContext, type: ts.Type): boolean {
  const { Object, Intersection, TypeParameter, Any, Unknown, NonPrimitive } = ts.TypeFlags;
  return (type.flags & (Object | Intersection | TypeParameter | Any | Unknown | NonPrimitive)) !== 0;
}

/** True if the type itself has methods of this package's clients. */
function isClient(context: InferContext, type: ts.Type): boolean {
  return context.source.checker.getPropertiesOfType(type).some((member) => isClientMethod(context, member));
}

/** True if calls through the target type can be followed: each method that it shares with the client is declared by this package. */
function isClientLike(context: InferContext, value: ts.Type, target: ts.Type): boolean {
  const { checker } = context.source;
  const shared = checker.getPropertiesOfType(target).filter((member) => {
    const own = checker.getPropertyOfType(value, member.name);
    return own !== undefined && isClientMethod(context, own);
  });
  return shared.length > 0 && shared.every((member) => isClientMethod(context, member));
}

/** True for types such as `Promise<C>`, `C[]` or `ReadonlyMap<string, C>`, whose contents have the types of the type arguments. */
function isContainer({ source: { program } }: InferContext, type: ts.Type): boolean {
  const file = type.symbol?.declarations?.[0]?.getSourceFile();
  return 'target' in type && (file === undefined || program.isSourceFileDefaultLibrary(file));
}
