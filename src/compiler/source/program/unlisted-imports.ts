import { isBuiltin } from 'node:module';
import { dirname, join } from 'node:path';
import type ts from 'typescript';
import type { SourcePlace } from '../evaluate/evaluated-value.ts';
import { isProjectFile, type SourceProgram } from './load.ts';
import { isOwnSpecifier } from './project-boundary.ts';
import { placeInProject } from './compiler.ts';

/** An import of a package that no package.json lists. The package is installed only because another package depends on it. */
export interface UnlistedImport {
  readonly name: string;
  readonly place: SourcePlace;
}

interface Import {
  readonly specifier: ts.StringLiteralLike;
  /** True for an import of types only, which does not exist at run time. */
  readonly isType: boolean;
}

/**
 * Finds the first import of each package that is not listed in a package.json. Relevant are the nearest package.json of the importing file,
 * and that of the workspace around it. Such an import fails if no other package depends on the imported package any more. Packages that are
 * not installed are skipped, because the compiler reports them. devDependencies count as listed, since an operator is bundled.
 */
export function unlistedImports(source: SourceProgram): readonly UnlistedImport[] {
  const { ts, program, projectDir, readFile } = source;
  if (readFile(join(projectDir, 'package.json')) === undefined) return [];
  const listedFor = listedPackages(readFile);
  const found = new Map<string, UnlistedImport>();
  for (const file of program.getSourceFiles()) {
    if (!isProjectFile(program, file)) continue;
    const listed = listedFor(dirname(file.fileName));
    for (const { specifier, isType } of importsOf(ts, file)) {
      const name = packageOf(specifier.text);
      if (name === undefined || found.has(name) || listed.has(name)) continue;
      if (isType && listed.has(`@types/${name.replace(/^@([^/]+)\//, '$1__')}`)) continue;
      if (!isInstalled(source, specifier.text, file)) continue;
      found.set(name, { name, place: placeInProject(projectDir, file, specifier.getStart(file)) });
    }
  }
  return [...found.values()];
}

/**
 * Returns the name of the package in a module specifier. Returns undefined for files, URLs, Node's own modules, `#imports` and opsdk, which
 * other checks cover.
 */
function packageOf(specifier: string): string | undefined {
  if (/^[./#]|^[a-z][a-z\d+.-]*:/i.test(specifier) || isBuiltin(specifier) || isOwnSpecifier(specifier))
    return undefined;
  return /^(?:@[^/]+\/)?[^@/][^/]*/.exec(specifier)?.[0];
}

/**
 * Returns true if a specifier is resolved to a file in `node_modules`. A specifier that `paths` in tsconfig.json resolves, for example,
 * leads elsewhere.
 */
function isInstalled(
  { ts, program }: SourceProgram,
  specifier: string,
  { fileName }: ts.SourceFile,
): boolean {
  const { resolvedModule } = ts.resolveModuleName(specifier, fileName, program.getCompilerOptions(), ts.sys);
  if (resolvedModule === undefined) return false;
  const { originalPath } = resolvedModule as { readonly originalPath?: string };
  return `${originalPath ?? resolvedModule.resolvedFileName}`.includes('/node_modules/');
}

function importsOf(ts: SourceProgram['ts'], file: ts.SourceFile): readonly Import[] {
  const found: Import[] = [];
  const add = (specifier: ts.Node | undefined, isType: boolean): void => {
    if (specifier !== undefined && ts.isStringLiteralLike(specifier)) found.push({ specifier, isType });
  };
  const visit = (node: ts.Node): void => {
    if (ts.isImportDeclaration(node)) add(node.moduleSpecifier, isTypeImport(ts, node.importClause));
    else if (ts.isExportDeclaration(node)) add(node.moduleSpecifier, node.isTypeOnly);
    else if (ts.isImportTypeNode(node) && ts.isLiteralTypeNode(node.argument))
      add(node.argument.literal, true);
    else if (ts.isExternalModuleReference(node)) add(node.expression, false);
    else if (ts.isCallExpression(node)) {
      const { expression } = node;
      const isImport = expression.kind === ts.SyntaxKind.ImportKeyword;
      if (isImport || (ts.isIdentifier(expression) && expression.text === 'require'))
        add(node.arguments[0], false);
    }
    ts.forEachChild(node, visit);
  };
  visit(file);
  return found;
}

function isTypeImport(ts: SourceProgram['ts'], clause: ts.ImportClause | undefined): boolean {
  if (clause === undefined) return false;
  if (clause.isTypeOnly) return true;
  const { name, namedBindings: named } = clause;
  if (name !== undefined || named === undefined || !ts.isNamedImports(named)) return false;
  return named.elements.length > 0 && named.elements.every(({ isTypeOnly }) => isTypeOnly);
}

interface PackageJson {
  readonly names: readonly string[];
  readonly isWorkspace: boolean;
}

const fields = ['dependencies', 'devDependencies', 'optionalDependencies', 'peerDependencies'];

/** Returns a function that returns the names of the packages that code in a folder may import, because a package.json lists them. */
function listedPackages(readFile: SourceProgram['readFile']): (folder: string) => ReadonlySet<string> {
  const known = new Map<string, ReadonlySet<string>>();
  const read = (folder: string): PackageJson | undefined => {
    const json = objectOf(readFile(join(folder, 'package.json')));
    if (json === undefined) return undefined;
    const names = fields.flatMap((field) => Object.keys(json[field] ?? {}));
    const isWorkspace =
      json['workspaces'] !== undefined || readFile(join(folder, 'pnpm-workspace.yaml')) !== undefined;
    const { name } = json;
    return { names: typeof name === 'string' ? [name, ...names] : names, isWorkspace };
  };
  return (folder) => {
    const before = known.get(folder);
    if (before !== undefined) return before;
    const names: string[] = [];
    let isOwn = true;
    for (const current of foldersFrom(folder)) {
      const json = read(current);
      if (json === undefined) continue;
      if (isOwn || json.isWorkspace) names.push(...json.names);
      isOwn = false;
      if (json.isWorkspace) break;
    }
    const listed = new Set(names);
    known.set(folder, listed);
    return listed;
  };
}

/** Returns a folder and its parent folders, the nearest first. */
function foldersFrom(folder: string): readonly string[] {
  const parent = dirname(folder);
  return parent === folder ? [folder] : [folder, ...foldersFrom(parent)];
}

function objectOf(text: string | undefined): Readonly<Record<string, object | string>> | undefined {
  try {
    const value: unknown = JSON.parse(text ?? 'null');
    return typeof value === 'object' && value !== null
      ? (value as Readonly<Record<string, object | string>>)
      : undefined;
  } catch {
    return undefined;
  }
}
