import path from 'node:path';
import type ts from 'typescript';
import { projectPath, type TypeScript } from '../program/compiler.ts';
import type { SourceProgram } from '../program/load.ts';

/** A module specifier that leads to a file of the project. */
interface FileImport {
  readonly specifier: string;
  /** Start of the text between the quotes, as an offset in the file. */
  readonly start: number;
  readonly end: number;
  /** File to which the specifier refers, relative to the project, with forward slashes. The extension `.js` is kept as written. */
  readonly target: string;
  /** Line of the import, counted from 1. */
  readonly line: number;
}

/** The parts of a program that resolve a module specifier to a file. */
export type ModuleSource = Pick<SourceProgram, 'ts' | 'program' | 'projectDir'>;

/**
 * Finds the module specifiers of a file that lead to files, in imports, exports, `import()`, import types and mocks of test libraries.
 * Includes relative paths, and specifiers that `imports` of package.json, or `paths` and `baseUrl` of tsconfig.json resolve.
 * @param file path of the file, relative to the project, with forward slashes
 */
export function fileImports(source: ModuleSource, file: string, text: string): readonly FileImport[] {
  return importsIn(source.ts, file, text, (name) =>
    isRelative(name) ? relativeTarget(file, name) : aliasTarget(source, file, name),
  );
}

/** Returns those imports of {@link fileImports} that have relative paths, which depend on the folder of the file. */
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
 * Returns true if the target of a specifier is this file. TypeScript also accepts the name of the file's output, and the name without
 * extension.
 */
export function leadsTo(target: string, file: string): boolean {
  const plain = (name: string): string => name.replace(/\.(?:[cm]?[jt]s)$/, '');
  return target === file || plain(target) === plain(file);
}

/** Parses a single file to its syntax tree, without the files that it imports. */
export function parseFile(ts: TypeScript, file: string, text: string): ts.SourceFile {
  return ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
}

const notOfTheBody: ReadonlySet<string> = new Set(['apiVersion', 'kind', 'metadata']);

/**
 * Returns the names of the fields of a kind other than metadata, including inherited fields: `['spec', 'status']`.
 * @param file path of the file, relative to the project, with forward slashes
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

/** A range of a text, and the text that replaces it. Offsets count UTF-16 units, as the compiler does. */
export interface TextEdit {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/**
 * Returns the text with all edits made. Everything outside of the edited ranges stays identical byte by byte. The ranges must not overlap.
 */
export function applyTextEdits(text: string, edits: readonly TextEdit[]): string {
  let result = text;
  for (const { start, end, text: insertion } of [...edits].sort((a, b) => b.start - a.start || b.end - a.end))
    result = result.slice(0, start) + insertion + result.slice(end);
  return result;
}

/**
 * Extends a range to entire lines with their line break, if only blanks surround the range on its lines. Otherwise returns the range
 * unchanged.
 */
export function wholeLines(text: string, start: number, end: number): { start: number; end: number } {
  const lineStart = text.lastIndexOf('\n', start - 1) + 1;
  const lineBreak = text.indexOf('\n', end);
  const lineEnd = lineBreak === -1 ? text.length : lineBreak + 1;
  const isAlone = text.slice(lineStart, start).trim() === '' && text.slice(end, lineEnd).trim() === '';
  return isAlone ? { start: lineStart, end: lineEnd } : { start, end };
}
