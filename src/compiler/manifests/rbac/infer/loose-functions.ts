import type ts from 'typescript';
import { bears } from './bears-client.ts';
import { callSites } from './call-sites.ts';
import { homeOf, symbolAt, shownText, wrapped, type InferContext } from './infer-context.ts';

/** A function that gets a client by its caller's type, and does not take it as one. */
export interface LooseFunction {
  readonly node: ts.Node;
  readonly reason: string;
}

/**
 * Functions in the place of others that take a client: whose own parameter is `any` or `unknown`, or which others have written. TypeScript allows
 * both, and the client would be lost inside.
 */
export function findLooseFunctions(context: InferContext): readonly LooseFunction[] {
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
    const reason = `\`${shownText(parameter)}\` gets a client and does not take it as one`;
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

/** `reconcile: work as any`: a value without a type, where something is expected that gets a client. */
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
    .map((node) => ({ node, reason: `\`${shownText(node)}\` gets a client and its type says nothing` }));
}

/** True if a function of this type gets a client as a parameter. */
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

/** True if the method of an interface, of a base class, or of the object's expected type takes a client there. */
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

/** Imported functions of others, handed on where a function is expected that takes a client. */
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
        { node: value, reason: `\`${shownText(value)}\` gets a client and is code outside of the project` },
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
