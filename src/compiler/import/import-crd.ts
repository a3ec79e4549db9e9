import { normalizeSchema, type CrdDocument, type CrdVersion } from '../../kubernetes/crd/index.ts';
import type { Declaration, DeclarationModule } from './model.ts';
import {
  importedNames,
  declarationsBelow,
  itemDescriptions,
  nameDeclarations,
  type NamedDeclaration,
  declarationsIn,
} from './name-declarations.ts';
import { createNames, kindIdentifier } from './names.ts';
import { planRoot, type PlannedRoot } from './plan-root.ts';
import { Planner } from './plan-types.ts';
import {
  createImports,
  type PrintContext,
  type ImportedName,
  printDeclared,
  printInterface,
} from './print-types.ts';
import { printValue, resourceDefinition } from './print-resource.ts';
import {
  sharedDeclarations,
  sharedModules,
  type SharedModule,
  type SharedText,
  contextOf,
  specifierOf,
} from './shared-types.ts';

export interface ImportOptions {
  /** True to omit tags and defaults. The types and the token can then be used only by clients. CRDs cannot be generated from them. */
  readonly clientOnly: boolean;
}

interface GroupOptions extends ImportOptions {
  /** Existing files of the group with types that several of its kinds share. */
  readonly sharedTexts?: readonly SharedText[];
  /** Names of files in the group's folder that the import must not write. */
  readonly takenFiles?: readonly string[];
}

/** Contents of one generated TypeScript file, in parts. The interface of the kind is the last declaration. */
export interface ImportedModule extends DeclarationModule {
  readonly version: string;
  readonly kind: string;
  /** Statement that defines the kind with `defineResource` or `externalResource`, as TypeScript. */
  readonly resource: string;
  /** True if the module imports types from the shared files of the group. */
  readonly sharing: boolean;
}

/** Generated files of one API group. */
export interface ImportedGroup {
  /** Modules for each CRD, one for each of its versions. The CRDs and versions are in their original order. */
  readonly modules: ReadonlyMap<CrdDocument, readonly ImportedModule[]>;
  /** Files with the types that several modules of the group share. */
  readonly shared: readonly SharedModule[];
}

/** A version of a CRD, with its planned types. */
interface Planned {
  readonly crd: CrdDocument;
  readonly version: CrdVersion;
  readonly kind: string;
  readonly root: PlannedRoot;
  readonly fields: PlannedRoot['fields'];
}

/**
 * Returns one TypeScript file for each version of a CRD. Each file contains all types of its version. CRDs that are generated from these
 * files equal the given CRD in spec and own metadata.
 *
 * @param crd a CRD that `readCrds` has checked
 */
export function importCrd(crd: CrdDocument, options: ImportOptions): readonly ImportedModule[] {
  return crd.spec.versions.map((version) => {
    const planned = plan([{ crd, version }], options);
    return print(planned, new Map(), options)[0] as ImportedModule;
  });
}

/**
 * Returns the TypeScript files for CRDs of one group. A type is declared in a shared file of the group if several files would declare it,
 * or if it would make a file too long. Shared files of an earlier import stay unchanged. If such a file contains a type verbatim, the type
 * is imported from it.
 *
 * @param crds CRDs of one group, which `readCrds` has checked
 */
export function importGroup(crds: readonly CrdDocument[], options: GroupOptions): ImportedGroup {
  // Sort the CRDs, so that names of types do not depend on the order in which files were read.
  const sorted = [...crds].sort((a, b) => (a.metadata.name < b.metadata.name ? -1 : 1));
  const planned = plan(
    sorted.flatMap((crd) => crd.spec.versions.map((version) => ({ crd, version }))),
    options,
  );
  const { sharedTexts = [], takenFiles = [], clientOnly } = options;
  const shared = sharedDeclarations(planned, lengths(planned, !clientOnly), takenFiles);
  const modules = print(planned, shared, options);
  const byCrd = new Map(
    crds.map((crd) => [crd, modules.filter((_, index) => planned[index]?.crd === crd)] as const),
  );
  const group = crds[0]?.spec.group ?? '';
  return {
    modules: byCrd,
    shared: sharedTexts.length === 0 ? sharedModules(group, shared, !clientOnly) : [],
  };
}

/**
 * Returns a function that counts the lines of a declaration, including the empty line before it. The count does not depend on the names of
 * types.
 */
function lengths(planned: readonly Planned[], exact: boolean): (declaration: Declaration) => number {
  const named = new Map(
    declarationsBelow(planned).map((declaration) => [declaration, { declaration, name: 'T' }] as const),
  );
  const names = createNames({ own: [] });
  const context: PrintContext = { named, names, imports: createImports(names) };
  const found = new Map<Declaration, number>();
  return (declaration) => {
    const known = found.get(declaration);
    if (known !== undefined) return known;
    const length = printDeclared(context, { declaration, name: 'T' }, exact).split('\n').length + 1;
    found.set(declaration, length);
    return length;
  };
}

function plan(
  versions: readonly { readonly crd: CrdDocument; readonly version: CrdVersion }[],
  { clientOnly }: ImportOptions,
): readonly Planned[] {
  const planner = new Planner({ clientOnly });
  return versions.map(({ crd, version }) => {
    const root = planRoot(planner, normalizeSchema(version.schema.openAPIV3Schema));
    return { crd, version, kind: kindIdentifier(crd.spec.names.kind), root, fields: root.fields };
  });
}

/** @param shared types that the shared files of the group declare or will declare */
function print(
  planned: readonly Planned[],
  shared: ReadonlyMap<Declaration, NamedDeclaration>,
  options: GroupOptions,
): readonly ImportedModule[] {
  const descriptions = itemDescriptions(planned.flatMap(({ fields }) => fields));
  return planned.map((each) => {
    const reached = declarationsBelow([each]);
    const imported = reached.flatMap((declaration) => shared.get(declaration) ?? []);
    const names = createNames({
      own: [each.kind],
      shared: imported.map(({ name }) => name),
      imported: importedNames([each]),
    });
    const own = nameDeclarations([each], names, (declaration) => !shared.has(declaration));
    const named = new Map(shared);
    for (const [declaration, name] of own)
      named.set(declaration, { declaration, name, description: descriptions.get(declaration) });
    return printModule(each, reached, named, names, options);
  });
}

function printModule(
  { crd, version, kind: name, root }: Planned,
  reached: readonly Declaration[],
  all: ReadonlyMap<Declaration, NamedDeclaration>,
  names: ReturnType<typeof createNames>,
  { clientOnly, sharedTexts = [] }: GroupOptions,
): ImportedModule {
  const exact = !clientOnly;
  const named = sharedTexts.length === 0 ? all : declaredAlready(sharedTexts, reached, all, exact);
  const { group, scope, names: crdNames } = crd.spec;
  const imports = createImports(names);
  const context: PrintContext = { named, imports, names };
  const own = reached.flatMap((declaration) => named.get(declaration) ?? []).filter(({ from }) => !from);
  const declarations = own.map((item) => printDeclared(context, item, exact));
  declarations.push(
    printInterface(
      context,
      {
        name,
        description: root.description,
        tags: exact ? root.tags : [],
        fields: root.fields,
        base: `${imports.type('opsdk', 'CustomResource')}<${printValue(`${group}/${version.name}`)}, ${printValue(crdNames.kind)}>`,
        open: clientOnly && root.open,
      },
      exact,
    ),
  );
  const token = { group, version: version.name, kind: crdNames.kind, plural: crdNames.plural, scope };
  const resource = clientOnly
    ? `export const ${name} = ${imports.value('opsdk', 'externalResource')}<${name}>(${printValue(token)});`
    : `export const ${name} = ${imports.value('opsdk', 'defineResource')}<${name}>(${printValue(resourceDefinition(crd, version, root))});`;
  return {
    group,
    version: version.name,
    kind: crdNames.kind,
    imports: imports.clauses(),
    declarations,
    resource,
    sharing: own.length < reached.length,
  };
}

/** Existing file of shared types, with the names that the file imports and declares. */
interface ExistingFile {
  /** Specifier with which the files of the kinds import this file. */
  readonly from: string;
  readonly text: string;
  /** Types that this file imports, by their local name in the file. */
  readonly imported: ReadonlyMap<string, ImportedName>;
  /** Names that the file itself declares. An interface that is declared in several parts appears once for each part. */
  readonly declared: readonly string[];
}

/**
 * Returns the types that existing shared files already contain verbatim, together with all types inside them. The new file imports these
 * types instead of declaring them. A type is returned only if all names in it have the same meaning in both files. For example, a name may
 * come from a package in one file, but be declared in the other.
 */
function declaredAlready(
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

/**
 * Returns a predicate for types. It is true if an existing file declares the type, and all types inside it, exactly as the import would
 * declare them now.
 */
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
