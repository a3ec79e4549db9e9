import type { SourceTexts } from '../program/compiler.ts';
import { loadProgram } from '../program/load.ts';
import { unaliased, type EvaluateContext } from './evaluate-context.ts';
import { evaluateExport } from './evaluate.ts';
import type { TokenInfo } from './evaluated-value.ts';

/** A resource token that a module exports. */
export interface ExportedToken {
  /** Name under which the module exports the token. */
  readonly name: string;
  readonly token: TokenInfo;
}

/**
 * Returns the resource tokens that a module exports. The module is resolved as if a file in `src` of the project imported it. Reads sources
 * and runs no code.
 *
 * @param projectDir absolute path of the project
 * @param module a module of a package, such as `opsdk/k8s/apps/v1`, or a file, such as `./src/external/example.com/v1/widget.ts`
 * @param texts texts of files that are read instead of those on disk; see `LoadOptions`
 * @returns undefined if the module is not found
 */
export function moduleTokens(
  projectDir: string,
  module: string,
  texts: SourceTexts = new Map(),
): readonly ExportedToken[] | undefined {
  const probe = 'op-sdk-module-tokens.ts';
  const context: EvaluateContext = loadProgram({
    projectDir,
    rootFiles: [probe],
    texts: new Map([...texts, [probe, `import * as module from ${JSON.stringify(module)};\nmodule;\n`]]),
  });
  const { ts, program, checker } = context;
  const source = program.getSourceFiles().find(({ fileName }) => fileName.endsWith(`/${probe}`));
  const [declaration] = source?.statements ?? [];
  if (declaration === undefined || !ts.isImportDeclaration(declaration)) return undefined;
  const symbol = checker.getSymbolAtLocation(declaration.moduleSpecifier);
  if (symbol === undefined) return undefined;
  return checker.getExportsOfModule(symbol).flatMap((exported): readonly ExportedToken[] => {
    const target = unaliased(context, exported);
    if ((target.flags & ts.SymbolFlags.Variable) === 0) return [];
    const value = evaluateExport(context, declaration, target);
    return value.type === 'token' ? [{ name: exported.name, token: value.token }] : [];
  });
}
