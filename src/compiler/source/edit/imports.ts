import path from 'node:path';
import type ts from 'typescript';
import { projectPath, type TypeScript } from '../program/compiler.ts';
import type { SourceProgram } from '../program/load.ts';

/** A module specifier in a file, if it leads to a file. It may belong to an import, an export or a mock. */
interface FileImport {
  readonly specifier: string;
  /** Offset in the importing file at which the text between the quotes starts. */
  readonly start: number;
  readonly end: number;
  /**
   * Path of the file to which the specifier refers, relative to the project, with forward slashes. If the specifier ends with `.js`, the
   * path also ends with `.js`.
   */
  readonly target: string;
  /** Line of the import in the importing file, counted from 1. */
  readonly line: number;
}

/** The parts of a program that are needed to resolve a module specifier to a file. */
export type ModuleSource = Pick<SourceProgram, 'ts' | 'program' | 'projectDir'>;

/**
 * Finds the module specifiers in a file that lead to files. They may belong to imports, exports, `import()`, import types and mocks of test
 * libraries. A specifier leads to a file if it is a relative path, or if `imports` of package.json, or `paths` or `baseUrl` of
 * tsconfig.json resolve it.
 * @param file path of the file, relative to the project, with forward slashes
 */
export function fileImports(source: ModuleSource, file: string, text: string): readonly FileImport[] {
  return importsIn(source.ts, file, text, (name) =>
    isRelative(name) ? relativeTarget(file, name) : aliasTarget(source, file, name),
  );
}

/**
 * Returns the same as {@link fileImports}, but only for specifiers that are relative paths. These specifiers depend on the folder of the
 * importing file.
 */
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

/**
 * Returns true if the target of a module specifier is the given file. The target may also have the extension of the compiled file (`.js`),
 * or have no extension, because TypeScript accepts both.
 */
export function leadsTo(target: string, file: string): boolean {
  const plain = (name: string): string => name.replace(/\.(?:[cm]?[jt]s)$/, '');
  return target === file || plain(target) === plain(file);
}

/** Parses one file to a syntax tree, without reading the files that it imports. */
export function parseFile(ts: TypeScript, file: string, text: string): ts.SourceFile {
  return ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
}

const notOfTheBody: ReadonlySet<string> = new Set(['apiVersion', 'kind', 'metadata']);

/**
 * Returns the names of a kind's fields, except `apiVersion`, `kind` and `metadata`: for example `['spec', 'status']`. Includes inherited
 * fields.
 * @param file path of the file, relative to the project, with forward slashes
 * @returns undefined if the file does not declare a type with the name of the kind
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

/** A range of a text, and the text that replaces this range. Offsets count UTF-16 code units, as the TypeScript compiler does. */
export interface TextEdit {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** Applies all edits to a text, and returns the result. Text outside of the edited ranges does not change. The ranges must not overlap. */
export function applyTextEdits(text: string, edits: readonly TextEdit[]): string {
  let result = text;
  for (const { start, end, text: insertion } of [...edits].sort((a, b) => b.start - a.start || b.end - a.end))
    result = result.slice(0, start) + insertion + result.slice(end);
  return result;
}

/**
 * Extends a range to complete lines, including the line break, if the other parts of these lines contain only blanks. Otherwise returns the
 * range unchanged.
 */
export function wholeLines(text: string, start: number, end: number): { start: number; end: number } {
  const lineStart = text.lastIndexOf('\n', start - 1) + 1;
  const lineBreak = text.indexOf('\n', end);
  const lineEnd = lineBreak === -1 ? text.length : lineBreak + 1;
  const isAlone = text.slice(lineStart, start).trim() === '' && text.slice(end, lineEnd).trim() === '';
  return isAlone ? { start: lineStart, end: lineEnd } : { start, end };
}
