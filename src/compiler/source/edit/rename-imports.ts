import type ts from 'typescript';
import { loadTypeScript, type TypeScript } from '../program/compiler.ts';
import { applyTextEdits, parseFile, type TextEdit } from './imports.ts';

/** Export of a module that has another name now. */
export interface RenamedExport {
  /** Module specifier, as imports write it. */
  readonly module: string;
  readonly from: string;
  readonly to: string;
}

/**
 * Renames what a file imports from modules by name, and its uses in the file. Nothing else changes, and nothing is formatted. Where the new
 * name is taken in the file, or the old one declared again, the import alone is renamed: `import { New as Old }`. Namespace imports and
 * `import()` are left alone.
 * @param file path of the file, for its syntax: `.ts`, `.tsx`
 */
export function renameImports(file: string, text: string, renames: readonly RenamedExport[]): string {
  // Most files import none of the names, so the compiler is loaded only if needed.
  if (!renames.some(({ module, from }) => text.includes(module) && text.includes(from))) return text;
  const ts = loadTypeScript();
  return renames.reduce((renamed, rename) => new Renamer(ts, file, renamed, rename).renamed(), text);
}

class Renamer {
  readonly #ts: TypeScript;
  readonly #source: ts.SourceFile;
  readonly #text: string;
  readonly #rename: RenamedExport;
  readonly #edits: TextEdit[] = [];

  constructor(ts: TypeScript, file: string, text: string, rename: RenamedExport) {
    this.#ts = ts;
    this.#source = parseFile(ts, file, text);
    this.#text = text;
    this.#rename = rename;
  }

  renamed(): string {
    const { from, to } = this.#rename;
    for (const specifier of this.#specifiers()) {
      const { propertyName, name } = specifier;
      if (propertyName !== undefined) {
        if (propertyName.text === from) this.#replace(propertyName, to);
      } else if (name.text === from) {
        const isImport = this.#ts.isImportSpecifier(specifier);
        const uses = isImport ? this.#usesBeside(specifier) : undefined;
        if (uses === undefined) this.#replace(name, `${to} as ${from}`);
        else {
          this.#replace(name, to);
          for (const use of uses) this.#use(use);
        }
      }
    }
    return applyTextEdits(this.#text, this.#edits);
  }

  /** Returns the names in braces that the file imports from the module, or exports from it. */
  #specifiers(): readonly (ts.ImportSpecifier | ts.ExportSpecifier)[] {
    const ts = this.#ts;
    return this.#source.statements.flatMap((statement): (ts.ImportSpecifier | ts.ExportSpecifier)[] => {
      if (!ts.isImportDeclaration(statement) && !ts.isExportDeclaration(statement)) return [];
      const { moduleSpecifier: module } = statement;
      if (module === undefined || !ts.isStringLiteral(module) || module.text !== this.#rename.module)
        return [];
      const names = ts.isImportDeclaration(statement)
        ? statement.importClause?.namedBindings
        : statement.exportClause;
      return names !== undefined && (ts.isNamedImports(names) || ts.isNamedExports(names))
        ? [...names.elements]
        : [];
    });
  }

  /** @returns the uses of an imported name; undefined if they cannot be renamed, because one of both names means something else too */
  #usesBeside(imported: ts.ImportSpecifier): readonly ts.Identifier[] | undefined {
    const { from, to } = this.#rename;
    const uses: ts.Identifier[] = [];
    let isSafe = true;
    const visit = (node: ts.Node): void => {
      if (this.#ts.isIdentifier(node) && node.parent !== imported && !this.#isMember(node)) {
        if (node.text === to) isSafe = false;
        if (node.text === from) {
          if (this.#declares(node)) isSafe = false;
          uses.push(node);
        }
      }
      this.#ts.forEachChild(node, visit);
    };
    visit(this.#source);
    return isSafe ? uses : undefined;
  }

  /** Returns true for a name that belongs to an object, a type or a module, not to a scope. */
  #isMember(node: ts.Identifier): boolean {
    const ts = this.#ts;
    const { parent } = node;
    if (ts.isPropertyAccessExpression(parent)) return parent.name === node;
    if (ts.isQualifiedName(parent)) return parent.right === node;
    if (ts.isBindingElement(parent)) return parent.propertyName === node;
    if (ts.isImportSpecifier(parent)) return parent.propertyName === node;
    if (ts.isExportSpecifier(parent)) {
      const isFromModule = parent.parent.parent.moduleSpecifier !== undefined;
      return isFromModule || (parent.propertyName !== undefined && parent.name === node);
    }
    if (ts.isImportTypeNode(parent) || ts.isJsxAttribute(parent) || ts.isNamedTupleMember(parent)) {
      return !ts.isNamedTupleMember(parent) || parent.name === node;
    }
    const isNamed =
      ts.isPropertyAssignment(parent) ||
      ts.isPropertySignature(parent) ||
      ts.isPropertyDeclaration(parent) ||
      ts.isMethodDeclaration(parent) ||
      ts.isMethodSignature(parent) ||
      ts.isAccessor(parent) ||
      ts.isEnumMember(parent);
    return isNamed && parent.name === node;
  }

  #declares(node: ts.Identifier): boolean {
    const ts = this.#ts;
    const { parent } = node;
    if (ts.isShorthandPropertyAssignment(parent) || ts.isExportSpecifier(parent)) return false;
    return 'name' in parent && parent.name === node;
  }

  #use(node: ts.Identifier): void {
    const ts = this.#ts;
    const { from, to } = this.#rename;
    const { parent } = node;
    if (ts.isShorthandPropertyAssignment(parent)) this.#replace(node, `${from}: ${to}`);
    else if (ts.isExportSpecifier(parent) && parent.propertyName === undefined)
      this.#replace(node, `${to} as ${from}`);
    else this.#replace(node, to);
  }

  #replace(node: ts.Node, text: string): void {
    this.#edits.push({ start: node.getStart(this.#source), end: node.getEnd(), text });
  }
}
