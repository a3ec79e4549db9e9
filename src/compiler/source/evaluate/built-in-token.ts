import type { EvaluateContext } from './evaluate-context.ts';
import { tokenOfDeclarationFile } from './evaluate-token.ts';
import { evaluate } from './evaluate.ts';
import type { TokenInfo } from './evaluated-value.ts';
import { ownPath } from '../program/project-boundary.ts';

/**
 * Returns the token of a built-in kind, if the sources import the module that exports this token. The module exports the token under the
 * same name as the type.
 *
 * @param apiVersion API version of the kind, such as `apps/v1` or `v1`
 * @returns undefined if the program does not contain such a module or kind
 */
export function builtInToken(
  context: EvaluateContext,
  apiVersion: string,
  kind: string,
): TokenInfo | undefined {
  const { ts, program, checker } = context;
  const version = apiVersion.split('/').pop() ?? '';
  for (const file of program.getSourceFiles()) {
    const path = ownPath(file.fileName);
    if (path?.startsWith('sdk/k8s/generated/') !== true || !path.endsWith(`/${version}`)) continue;
    const module = checker.getSymbolAtLocation(file);
    const declaration = module?.exports?.get(ts.escapeLeadingUnderscores(kind))?.valueDeclaration;
    if (declaration === undefined || !ts.isVariableDeclaration(declaration)) continue;
    const token = file.isDeclarationFile
      ? tokenOfDeclarationFile(context, file.fileName, kind)
      : tokenOfInitializer(context, declaration.initializer);
    if (
      token !== undefined &&
      `${token.group === '' ? '' : `${token.group}/`}${token.version}` === apiVersion
    )
      return token;
  }
  return undefined;
}

function tokenOfInitializer(
  context: EvaluateContext,
  initializer: Parameters<typeof evaluate>[1] | undefined,
): TokenInfo | undefined {
  const value = initializer && evaluate(context, initializer);
  return value?.type === 'token' ? value.token : undefined;
}
