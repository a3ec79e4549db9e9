import type ts from 'typescript';
import { isProjectFile, type SourceProgram } from '../../../source/index.ts';

/** The syntax of a project by what inference looks for, made in one walk, so that types are asked for few nodes only. */
export interface SourceIndex {
  readonly files: readonly ts.SourceFile[];
  /** Names in values and imports, by their text; `#name` for private ones. */
  readonly names: ReadonlyMap<string, readonly (ts.Identifier | ts.PrivateIdentifier)[]>;
  /** `x[…]`, apart from numbers. */
  readonly elementAccesses: readonly ts.ElementAccessExpression[];
  /** `this`. */
  readonly selves: readonly ts.ThisExpression[];
  /** Parameters of functions with bodies that have the type `any` or `unknown`, or none. */
  readonly looseParameters: readonly ts.ParameterDeclaration[];
  /** `x as any` and its like. */
  readonly looseAssertions: readonly ts.AssertionExpression[];
}

/** Walks the files of the project. */
export function indexSources({ ts, program }: SourceProgram): SourceIndex {
  const files = program
    .getSourceFiles()
    .filter((file) => !file.isDeclarationFile && isProjectFile(program, file));
  const names = new Map<string, (ts.Identifier | ts.PrivateIdentifier)[]>();
  const elementAccesses: ts.ElementAccessExpression[] = [];
  const selves: ts.ThisExpression[] = [];
  const looseParameters: ts.ParameterDeclaration[] = [];
  const looseAssertions: ts.AssertionExpression[] = [];
  const { AnyKeyword, UnknownKeyword, NeverKeyword, ThisKeyword } = ts.SyntaxKind;
  const visit = (node: ts.Node): void => {
    if (ts.isIdentifier(node) || ts.isPrivateIdentifier(node)) {
      const known = names.get(node.text);
      if (known === undefined) names.set(node.text, [node]);
      else known.push(node);
      return;
    }
    if (ts.isTypeNode(node) && !ts.isExpressionWithTypeArguments(node)) return;
    if (ts.isInterfaceDeclaration(node) || ts.isTypeAliasDeclaration(node)) return;
    if (node.kind === ThisKeyword) selves.push(node as ts.ThisExpression);
    else if (ts.isElementAccessExpression(node)) {
      if (!ts.isNumericLiteral(node.argumentExpression)) elementAccesses.push(node);
    } else if (ts.isParameter(node)) {
      const { type } = node;
      if (type === undefined || type.kind === AnyKeyword || type.kind === UnknownKeyword)
        looseParameters.push(node);
    } else if (ts.isAssertionExpression(node)) {
      if ([AnyKeyword, UnknownKeyword, NeverKeyword].includes(node.type.kind)) looseAssertions.push(node);
    }
    ts.forEachChild(node, visit);
  };
  for (const file of files) visit(file);
  return { files, names, elementAccesses, selves, looseParameters, looseAssertions };
}
