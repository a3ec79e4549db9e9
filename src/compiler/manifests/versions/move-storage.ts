import { formatWhere, type FindingList } from '../../../base/errors/index.ts';
import { relativeImport } from '../../../project/project/index.ts';
import { fileImports, leadsTo, textsIn, type TextEdit } from '../../source/index.ts';
import { storedVersion, type VersionSource, type VersionSources, type FileEdits } from './version-sources.ts';

/**
 * Edits the sources so that, of several versions, only the wanted version has `storage: true`. Adds a finding for each place that cannot be
 * edited, with the text to write there.
 * @param versions existing versions of the kind
 * @param wanted name of the version to store; undefined if the stored version is a new one that is not in `versions`
 */
export function moveStorage(
  findings: FindingList,
  edits: FileEdits,
  versions: readonly VersionSource[],
  wanted: string | undefined,
): void {
  for (const each of versions) {
    const said = each.declaration.storage;
    if (each.version === wanted && said?.value !== true) {
      const edit = each.edits.set('storage', 'true');
      if (edit !== undefined) edits.add(each.file, each.text, [edit]);
      else findings.add(byHand(each, `write \`storage: true\` at ${formatWhere(each.declaration.place)}`));
    }
    if (each.version !== wanted && said?.value === true) {
      const removal = each.edits.remove('storage');
      if (removal.length > 0) edits.add(each.file, each.text, removal);
      else findings.add(byHand(each, `remove \`storage: true\` at ${formatWhere(said.place)}`));
    }
  }
}

function byHand({ kind, version, declaration }: VersionSource, fix: string) {
  return {
    code: 'project/cannot-splice',
    message: `the storage version of ${kind} cannot be changed: the call of defineResource for ${version} does not set \`storage\` to a literal`,
    where: declaration.storage?.place ?? declaration.place,
    fix: [fix, 'then run the command again'],
  } as const;
}

/**
 * Writes `storage: true` into the version that is stored by default, because the default no longer applies after a further version is
 * added.
 * @returns the version that remains the stored version; undefined if no stored version is found
 */
export function stateStorage(
  findings: FindingList,
  edits: FileEdits,
  versions: readonly VersionSource[],
): VersionSource | undefined {
  const stored = storedVersion(versions);
  if (stored !== undefined) moveStorage(findings, edits, [stored], stored.version);
  return stored;
}

/** Adds a new version to the list `crd.versionOrder` of each version that has this list. */
export function addToVersionOrder(
  findings: FindingList,
  edits: FileEdits,
  versions: readonly VersionSource[],
  added: string,
): void {
  for (const each of versions) {
    const order = each.declaration.versionOrder;
    if (order === undefined || order.value.some(({ value }) => value === added)) continue;
    const edit = each.edits.addToList('crd', 'versionOrder', added);
    if (edit !== undefined) edits.add(each.file, each.text, [edit]);
    else
      findings.add({
        code: 'project/cannot-splice',
        message: `${added} cannot be added to \`crd.versionOrder\` of ${each.kind}: the list is not written as a literal in the call of defineResource`,
        where: order.place,
        fix: ['write the list there, or leave `crd.versionOrder` out'],
      });
  }
}

/** Change of a controller from one version of a kind to another version. */
interface ControllerMove {
  readonly group: string;
  readonly kind: string;
  readonly from: { readonly version: string; readonly file: string };
  readonly to: { readonly version: string; readonly file: string };
}

/**
 * Changes the imports in the sources of a controller, its tests and the main file to the types of another version. Also changes the
 * `apiVersion` in object literals of the kind.
 * @param files texts of these files, by paths relative to the project
 * @returns `file:line` of each remaining reference to the former version in these files
 */
export function moveController(
  edits: FileEdits,
  { program }: VersionSources,
  files: ReadonlyMap<string, string>,
  { group, kind, from, to }: ControllerMove,
): readonly string[] {
  const left: string[] = [];
  for (const [file, text] of files) {
    const imports = fileImports(program, file, text)
      .filter(({ target }) => leadsTo(target, from.file))
      .map(({ start, end, specifier }): TextEdit => {
        const named = relativeImport(file, to.file);
        const isAlias = !specifier.startsWith('.');
        const ending =
          /\.[cm]?js$/.exec(specifier)?.[0] ?? (isAlias || /\.[cm]?ts$/.test(specifier) ? '.ts' : '');
        return { start, end, text: named.replace(/\.ts$/, ending) };
      });
    const apiVersions = textsIn(program, file, text, `${group}/${from.version}`);
    const own = apiVersions.filter(({ neighbours }) => neighbours.get('kind') === kind);
    left.push(...apiVersions.filter((each) => !own.includes(each)).map(({ line }) => `${file}:${line}`));
    const literals = own.map(({ start, end }): TextEdit => ({ start, end, text: `${group}/${to.version}` }));
    edits.add(file, text, [...imports, ...literals]);
  }
  return left;
}

/** Returns `file:line` of each import of a given file in other files. */
export function importersOf(
  { program }: VersionSources,
  files: ReadonlyMap<string, string>,
  imported: string,
): readonly string[] {
  return [...files].flatMap(([file, text]) =>
    fileImports(program, file, text)
      .filter(({ target }) => leadsTo(target, imported))
      .map(({ line }) => `${file}:${line}`),
  );
}
