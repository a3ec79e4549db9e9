import type ts from 'typescript';
import type { Trace } from './client-origins.ts';
import { homeOf, symbolAt, type InferContext } from './infer-context.ts';
import { optionTexts } from './option-texts.ts';
import { endsThrough } from './resolve-needs.ts';

/** Field manager with which a call writes. */
export type CallManager =
  /** Name that the options of the call give. */
  | { readonly type: 'named'; readonly name: string }
  /** Name of the manager: the client of the manager itself, of a runnable or of a webhook. */
  | { readonly type: 'manager' }
  /** `<manager>/<controller>` of a controller that makes the call. */
  | { readonly type: 'controller' }
  /** `fieldManager` of the options cannot be read from the sources. */
  | { readonly type: 'unread' };

/** Returns the field managers with which a call may write. @param trace trace of the client that is called */
export function callManagers(
  context: InferContext,
  call: ts.CallExpression,
  trace: Trace,
): readonly CallManager[] {
  const names = givenNames(context, call);
  if (names === undefined) return [{ type: 'unread' }];
  const named = names.flatMap((name): readonly CallManager[] =>
    name === undefined ? [] : [{ type: 'named', name }],
  );
  return names.includes(undefined) ? [...named, ...defaults(context, trace)] : named;
}

/** Returns the values of `fieldManager` in the options of a call; undefined if they cannot be read. */
function givenNames(
  context: InferContext,
  call: ts.CallExpression,
): readonly (string | undefined)[] | undefined {
  const { ts, checker } = context.source;
  const parameters = checker.getResolvedSignature(call)?.parameters ?? [];
  const position = parameters.findIndex((parameter) => {
    const type = checker.getNonNullableType(checker.getTypeOfSymbol(parameter));
    return checker.getPropertyOfType(type, 'fieldManager') !== undefined;
  });
  if (position < 0) return [undefined];
  if (call.arguments.slice(0, position + 1).some(ts.isSpreadElement)) return undefined;
  const options = call.arguments[position];
  return options === undefined ? [undefined] : optionTexts(context, options, 'fieldManager');
}

/** Types of this package whose `client` writes under the name of the manager. */
const ofManager: ReadonlySet<string> = new Set(['Manager', 'RunnableContext', 'AdmissionContext']);

function defaults(context: InferContext, trace: Trace): readonly CallManager[] {
  const types = endsThrough(context, trace).map((end) =>
    ofManager.has(homeOfClient(context, end) ?? '') ? 'manager' : 'controller',
  );
  const unique = [...new Set(types)];
  return unique.length === 0 ? [{ type: 'controller' }] : unique.map((type) => ({ type }));
}

/** Returns the name of this package's type that has the property from which a client comes: `Manager` for `manager.client`. */
function homeOfClient(context: InferContext, end: ts.Node): string | undefined {
  const { ts, checker } = context.source;
  const { parent } = end;
  const property = ts.isPropertyAccessExpression(end)
    ? symbolAt(context, end.name)
    : ts.isBindingElement(parent) && ts.isObjectBindingPattern(parent.parent)
      ? checker.getPropertyOfType(
          checker.getTypeAtLocation(parent.parent),
          (parent.propertyName ?? parent.name).getText(),
        )
      : undefined;
  const [declaration] = property?.declarations ?? [];
  if (declaration === undefined || homeOf(context, declaration) !== 'own') return undefined;
  const owner = declaration.parent;
  return ts.isInterfaceDeclaration(owner) || ts.isClassDeclaration(owner) ? owner.name?.text : undefined;
}
