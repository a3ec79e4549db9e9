import type { Declaration } from './model.ts';
import { declarationsIn, type NamedDeclaration } from './name-declarations.ts';
import { printDeclared } from './print-declarations.ts';
import { createImports, type ImportedName } from './print-types.ts';
import { contextOf, specifierOf, type SharedText } from './shared-types.ts';

/** An existing file of shared types, read as far as names mean something in it. */
interface ExistingFile {
  /** Specifier by which the files of the kinds import it. */
  readonly from: string;
  readonly text: string;
  /** By the name in the file. */
  readonly imported: ReadonlyMap<string, ImportedName>;
  /** Names that it declares itself, repeated for each part of an interface with several parts. */
  readonly declared: readonly string[];
}

/**
 * Which types of a file existing files of shared types contain word for word, with all that they are made of: these are imported from
 * there, and the others are the file's own. The words must mean the same there: a name may come from a package here and be declared there.
 */
export function declaredAlready(
  texts: readonly SharedText[],
  reached: readonly Declaration[],
  named: ReadonlyMap<Declaration, NamedDeclaration>,
  exact: boolean,
): ReadonlyMap<Declaration, NamedDeclaration> {
  const here = new Map<Declaration, NamedDeclaration>(
    reached.flatMap((declaration) => {
      const { from: _elsewhere, ...own } = named.get(declaration) ?? { declaration, name: '' };
      return [[declaration, own] as const];
    }),
  );
  const files = texts.map(readShared);
  const isIn = matcher(files, here, exact);
  return new Map(
    [...here].map(([declaration, item]) => {
      const from = files.find((file) => isIn(declaration, file))?.from;
      return [declaration, from === undefined ? item : { ...item, from }];
    }),
  );
}

/** Tells whether a file declares a type, and all that it is made of, as it would be declared now. */
function matcher(
  files: readonly ExistingFile[],
  named: ReadonlyMap<Declaration, NamedDeclaration>,
  exact: boolean,
): (declaration: Declaration, file: ExistingFile) => boolean {
  const context = contextOf(named);
  const known = new Map(files.map((file) => [file, new Map<Declaration, boolean>()] as const));
  const isPartOf = (part: Declaration, file: ExistingFile): boolean => {
    const { name = '' } = named.get(part) ?? {};
    const imported = file.imported.get(name);
    if (imported === undefined) return isIn(part, file);
    const source = files.find(({ from }) => from === `.${imported.from}`);
    return source !== undefined && imported.name === name && isIn(part, source);
  };
  const compare = (declaration: Declaration, file: ExistingFile): boolean => {
    const item = named.get(declaration);
    if (item === undefined || file.declared.filter((name) => name === item.name).length !== 1) return false;
    const imports = createImports(context.names);
    const block = printDeclared({ ...context, imports }, item, exact);
    return (
      file.text.includes(`\n\n${block}\n\n`) &&
      imports.names().every((name) => isImported(name, file)) &&
      ![...file.declared, ...file.imported.keys()].includes('Record') &&
      declarationsIn(declaration.fields).every((part) => isPartOf(part, file))
    );
  };
  const isIn = (declaration: Declaration, file: ExistingFile): boolean => {
    const found = known.get(file)?.get(declaration) ?? compare(declaration, file);
    known.get(file)?.set(declaration, found);
    return found;
  };
  return isIn;
}

function isImported({ from, name, local }: ImportedName, file: ExistingFile): boolean {
  const there = file.imported.get(local);
  return there?.from === from && there.name === name && !file.declared.includes(local);
}

function readShared({ file, text }: SharedText): ExistingFile {
  const lines = text.replaceAll('\r\n', '\n');
  const clauses = lines.matchAll(/^import\s+(?:type\s+)?\{([^}]*)\}\s*from\s*(['"])([^'"]+)\2/gm);
  const imported = [...clauses].flatMap(([, clause = '', , from = '']) =>
    clause.split(',').map((part): [string, ImportedName] => {
      const [name = '', local = name] = part
        .trim()
        .replace(/^type\s+/, '')
        .split(/\s+as\s+/);
      return [local, { from, name, local }];
    }),
  );
  const declared = lines.matchAll(
    /^(?:export\s+)?(?:declare\s+)?(?:abstract\s+)?(?:interface|type|class|enum|namespace)\s+([\w$]+)/gm,
  );
  return {
    from: specifierOf(file),
    text: `\n${lines}\n`,
    imported: new Map(imported),
    declared: [...declared].map(([, name = '']) => name),
  };
}
