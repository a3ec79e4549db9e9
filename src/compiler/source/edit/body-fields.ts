import path from 'node:path';
import type { ModuleSource } from './imports.ts';

const notOfTheBody: ReadonlySet<string> = new Set(['apiVersion', 'kind', 'metadata']);

/**
 * The fields of a kind beside metadata, as its interface has them, inherited ones too: `['spec', 'status']`.
 * @param file relative to the project, with forward slashes
 * @returns undefined if the file does not declare a type of this name
 */
export function bodyFields(
  { ts, program, projectDir }: ModuleSource,
  file: string,
  kind: string,
): readonly string[] | undefined {
  const source = program.getSourceFile(path.join(projectDir, file));
  const declared = source?.statements.find(
    (statement) =>
      (ts.isInterfaceDeclaration(statement) || ts.isTypeAliasDeclaration(statement)) &&
      statement.name.text === kind,
  );
  if (declared === undefined) return undefined;
  const checker = program.getTypeChecker();
  return checker
    .getPropertiesOfType(checker.getTypeAtLocation(declared))
    .map(({ name }) => name)
    .filter((name) => !notOfTheBody.has(name) && !name.startsWith('__'));
}
