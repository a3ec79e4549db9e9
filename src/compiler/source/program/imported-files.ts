import { isProjectFile, type SourceProgram } from './load.ts';
import { projectPath } from './compiler.ts';

/**
 * Returns the files of a project whose code is reached from a file by its imports, directly or through other files. The file itself is
 * included. Dynamic imports are not followed.
 * @param file path of the file, relative to the project, with forward slashes, as in `SourcePlace`
 */
export function importedFiles(source: SourceProgram, file: string): ReadonlySet<string> {
  const { ts, program, checker, projectDir } = source;
  const files = new Map(
    program
      .getSourceFiles()
      .filter((each) => isProjectFile(program, each))
      .map((each) => [projectPath(projectDir, each.fileName), each] as const),
  );
  const reached = new Set<string>();
  const visit = (name: string): void => {
    const current = files.get(name);
    if (current === undefined || reached.has(name)) return;
    reached.add(name);
    for (const statement of current.statements) {
      const isImport = ts.isImportDeclaration(statement) || ts.isExportDeclaration(statement);
      const specifier = isImport ? statement.moduleSpecifier : undefined;
      const target = specifier && checker.getSymbolAtLocation(specifier)?.valueDeclaration;
      if (target !== undefined && ts.isSourceFile(target)) visit(projectPath(projectDir, target.fileName));
    }
  };
  visit(file);
  return reached;
}
