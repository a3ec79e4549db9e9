import path from 'node:path';
import type ts from 'typescript';
import type { TypeScript } from '../program/compiler.ts';
import type { SourceProgram } from '../program/load.ts';
import { projectPath } from '../program/place.ts';
import { parseFile } from './parse-file.ts';

/** A module specifier that leads to a file of the project. */
export interface FileImport {
  readonly specifier: string;
  /** Start of the text between the quotes. */
  readonly start: number;
  readonly end: number;
  /** The file that it names, relative to the project, with forward slashes; `.js` is read as it is written. */
  readonly target: string;
  /** Where the import is; from 1. */
  readonly line: number;
}

/** The parts of a program that resolve a module specifier to a file. */
export type ModuleSource = Pick<SourceProgram, 'ts' | 'program' | 'projectDir'>;

/**
 * The module specifiers of a file that lead to files: of imports, exports, `import()`, import types and mocks of test libraries. Relative
 * paths, and what `imports` of package.json, or `paths` and `baseUrl` of tsconfig.json resolve.
 * @param file relative to the project, with forward slashes
 */
export function fileImports(source: ModuleSource, file: string, text: string): readonly FileImport[] {
  return importsIn(source.ts, file, text, (name) =>
    isRelative(name) ? relativeTarget(file, name) : aliasTarget(source, file, name),
  );
}

/** Imports of {@link fileImports} with relative paths, which depend on the folder of the file. */
export function relativeImports(ts: TypeScript, file: string, text: string): readonly FileImport[] {
  return importsIn(ts, file, text, (name) => (isRelative(name) ? relativeTarget(file, name) : undefined));
}

const isRelative = (specifier: string): boolean => /^\.\.?\//.test(specifier);

function relativeTarget(file: string, specifier: string): string {
  return path.posix.join(path.posix.dirname(file), specifier);
}

function aliasTarget(
  { ts, program, projectDir }: ModuleSource,
  file: string,
  specifier: string,
): string | undefined {
  const options = program.getCompilerOptions();
  const hasAliases = options.paths !== undefined || options.baseUrl !== undefined;
  if (!hasAliases && !specifier.startsWith('#')) return undefined;
  const { resolvedModule } = ts.resolveModuleName(specifier, path.join(projectDir, file), options, ts.sys);
  return resolvedModule && projectPath(projectDir, resolvedModule.resolvedFileName);
}

function importsIn(
  ts: TypeScript,
  file: string,
  text: string,
  targetOf: (specifier: string) => string | undefined,
): readonly FileImport[] {
  const source = parseFile(ts, file, text);
  const found: FileImport[] = [];
  const add = (literal: ts.Node | undefined, node: ts.Node): void => {
    const target =
      literal !== undefined && ts.isStringLiteralLike(literal) ? targetOf(literal.text) : undefined;
    if (literal === undefined || target === undefined) return;
    const start = literal.getStart(source) + 1;
    const end = literal.getEnd() - 1;
    const line = source.getLineAndCharacterOfPosition(node.getStart(source)).line + 1;
    found.push({ specifier: text.slice(start, end), start, end, target, line });
  };
  const visit = (node: ts.Node): void => {
    if (ts.isImportDeclaration(node) || ts.isExportDeclaration(node)) add(node.moduleSpecifier, node);
    else if (ts.isImportTypeNode(node) && ts.isLiteralTypeNode(node.argument))
      add(node.argument.literal, node);
    else if (
      ts.isCallExpression(node) &&
      (node.expression.kind === ts.SyntaxKind.ImportKeyword ||
        (ts.isPropertyAccessExpression(node.expression) &&
          /^(?:do|un|doUn)?[mM]ock$|^importActual$/.test(node.expression.name.text)))
    )
      add(node.arguments[0], node);
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

/** True if a specifier's target is this file: TypeScript also knows it by the name of its output, and without its ending. */
export function leadsTo(target: string, file: string): boolean {
  const plain = (name: string): string => name.replace(/\.(?:[cm]?[jt]s)$/, '');
  return target === file || plain(target) === plain(file);
}
