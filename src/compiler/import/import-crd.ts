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
  /** True to omit tags and defaults. The types and the token are then only for clients, and no CRD is generated from them. */
  readonly clientOnly: boolean;
}

interface GroupOptions extends ImportOptions {
  /** The existing files of shared types of the group. */
  readonly sharedTexts?: readonly SharedText[];
  /** The names of files in the group's folder that are not to be written. */
  readonly takenFiles?: readonly string[];
}

/** Parts of a TypeScript file; the interface of the kind comes last. */
export interface ImportedModule extends DeclarationModule {
  readonly version: string;
  readonly kind: string;
  /** True if the module imports types from the shared files of the group. */
  readonly resource: string;
  /** True if it imports types from the shared files of the group. */
  readonly sharing: boolean;
}

/** The files of one group. */
export interface ImportedGroup {
  /** One module for each version of each CRD, in the order of CRDs and versions. */
  readonly modules: ReadonlyMap<CrdDocument, readonly ImportedModule[]>;
  /** A version of a CRD, with the declarations planned for it. */
  readonly shared: readonly SharedModule[];
}

/** A version of a CRD, planned. */
interface Planned {
  readonly crd: CrdDocument;
  readonly version: CrdVersion;
  readonly kind: string;
  readonly root: PlannedRoot;
  readonly fields: PlannedRoot['fields'];
}

/**
 * Returns one TypeScript file for each version of a CRD, each with all its types. Manifests generated from these files reproduce the spec
 * and own metadata of the CRD.
 *
 * @param crd checked by `readCrds`
 */
export function importCrd(crd: CrdDocument, options: ImportOptions): readonly ImportedModule[] {
  return crd.spec.versions.map((version) => {
    const planned = plan([{ crd, version }], options);
    return print(planned, new Map(), options)[0] as ImportedModule;
  });
}

/**
 * Returns the TypeScript files for CRDs of one group. Types that several files would declare, and types that would make a file too long,
 * are declared in shared files of the group. If an earlier import has written such shared files, they stay unchanged. Types that they
 * contain verbatim are then imported from them.
 *
 * @param crds CRDs of one group, checked by `readCrds`
 */
export function importGroup(crds: readonly CrdDocument[], options: GroupOptions): ImportedGroup {
  // The names must not depend on the order in which files were read.
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

/** Counts the lines of each declaration, including the empty line before it. Names do not affect the count. */
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

/** @param shared types that the files of the group declare or will declare */
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

/** Existing file of shared types, with the names that this file imports and declares. */
interface ExistingFile {
  /** Specifier with which the files of the kinds import this file. */
  readonly from: string;
  readonly text: string;
  /** Imported names, by the name that they have in the file. */
  readonly imported: ReadonlyMap<string, ImportedName>;
  /** Names that the file itself declares. An interface that is declared in several parts appears once for each part. */
  readonly declared: readonly string[];
}

/**
 * Selects the types of a file that existing shared files contain verbatim, together with all their parts. These types are imported, and the
 * file declares the others itself. All names must also have the same meaning in both files, because a name may come from a package in one
 * file and be declared in the other.
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

/** Returns a predicate. It is true if an existing file declares a type, and all parts of the type, as they would be declared now. */
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
