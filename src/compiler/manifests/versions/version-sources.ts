import path from 'node:path';
import { FindingList, formatWhere } from '../../../base/errors/index.ts';
import {
  loadProgram,
  readDeclarations,
  type ResourceDeclaration,
  type SourceProgram,
} from '../../schema/index.ts';
import {
  resourceEdits,
  type ModuleSource,
  applyTextEdits,
  relativeImports,
  textsIn,
  type TextEdit,
} from '../../source/index.ts';
import { readDefinition } from '../crd/read-definition.ts';
import type { KindVersion } from '../crd/kind-version.ts';
import { sourceFiles } from '../source-files.ts';
import { relativeImport } from '../../../project/project/index.ts';

/** One version of a kind, and the source file that declares it. */
export interface VersionSource {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  /** Path of the file relative to the project, with forward slashes. */
  readonly file: string;
  /** Text of the file. */
  readonly text: string;
  readonly declaration: KindVersion;
  /** Edits of the `defineResource` call in `text`. */
  readonly edits: ReturnType<typeof resourceEdits>;
}

/** The kind declarations of a project, in a form that can be edited. */
export interface VersionSources {
  readonly program: ModuleSource;
  readonly versions: readonly VersionSource[];
}

/**
 * Reads the versions that the sources of a project declare, with their places. Declarations that cannot be read are skipped, because the
 * generation of manifests rejects them.
 * @param projectDir absolute path of the project; file paths are relative to it
 * @throws OpSdkError for a syntax error
 */
export function readVersionSources(projectDir: string): VersionSources {
  const rootFiles = [...sourceFiles(path.join(projectDir, 'src'))].sort();
  const program = loadProgram({ projectDir, rootFiles });
  const findings = new FindingList();
  findings.add(...program.diagnostics);
  findings.throwIfAny();
  const { resources } = readDeclarations(program);
  return { program, versions: resources.flatMap((declaration) => versionOf(program, declaration) ?? []) };
}

function versionOf(
  program: SourceProgram,
  { definition, place, call }: ResourceDeclaration,
): VersionSource | undefined {
  const declaration = readDefinition(new FindingList(), definition, place);
  if (declaration === undefined) return undefined;
  return {
    group: declaration.group.value,
    version: declaration.version.value,
    kind: declaration.kind.value,
    file: place.file,
    text: call.getSourceFile().text,
    declaration,
    edits: resourceEdits(program, call),
  };
}

export function versionsOfKind(
  { versions }: VersionSources,
  { group, kind }: { readonly group: string; readonly kind: string },
): readonly VersionSource[] {
  return versions.filter((each) => each.group === group && each.kind === kind);
}

/** Returns the version in which objects are stored: the only version, or the version with `storage: true`. */
export function storedVersion(versions: readonly VersionSource[]): VersionSource | undefined {
  return versions.length === 1
    ? versions[0]
    : versions.find(({ declaration }) => declaration.storage?.value === true);
}

interface CopyRequest {
  readonly from: VersionSource;
  readonly version: string;
  /** Path of the copy, relative to the project, with forward slashes. */
  readonly file: string;
  /** True if the new version becomes the one in which objects are stored. */
  readonly storage: boolean;
}

/**
 * Returns the source of a further version. It is a copy of an existing version's file: the version is changed wherever it is written, and
 * relative imports are adapted to the new folder. The settings `served`, `storage` and `deprecated` are omitted, because they apply only to
 * the old version.
 *
 * @returns undefined if there were findings, because the version is not written where it can be changed, or because the file declares other
 * kinds too
 */
export function copyVersion(
  findings: FindingList,
  { program, versions }: VersionSources,
  { from, version, file, storage }: CopyRequest,
): string | undefined {
  const { text, edits, declaration } = from;
  const before = findings.all.length;
  for (const other of versions) {
    if (other.file !== from.file || other === from) continue;
    findings.add({
      code: 'project/cannot-copy',
      message: `${from.file} declares more than ${from.version} of ${from.kind}: a copy would declare ${other.version} of ${other.kind} again`,
      where: other.declaration.place,
      fix: [`move ${from.kind} of ${from.version} into a file of its own, and correct \`path\` in PROJECT`],
    });
  }
  const versionEdit = edits.setText('version', version);
  if (versionEdit === undefined)
    findings.add({
      code: 'project/cannot-copy',
      message: `the version of ${from.kind} is not a string in its defineResource, so that a copy cannot get another version`,
      where: declaration.version.place,
      fix: [
        `write \`version: '${from.version}'\` in the call of defineResource (${formatWhere(declaration.place)})`,
      ],
    });
  const own = storage ? ['served', 'deprecated'] : ['served', 'deprecated', 'storage'];
  const removed = [
    ...own.flatMap((name) => edits.remove(name)),
    ...edits.removeNested('crd', 'versionOrder'),
  ];
  const stored = storage ? edits.set('storage', 'true') : undefined;
  if (
    (declaration.storage !== undefined && edits.remove('storage').length === 0) ||
    (storage && stored === undefined)
  )
    findings.add({
      code: 'project/cannot-copy',
      message: `\`storage\` of ${from.kind} is not written in its defineResource, so that it cannot be changed in a copy`,
      where: declaration.storage?.place ?? declaration.place,
      fix: [`write \`storage\` in the call of defineResource (${formatWhere(declaration.place)})`],
    });
  if (findings.all.length > before || versionEdit === undefined) return undefined;
  const group = from.group;
  const literals = textsIn(program, from.file, text, `${group}/${from.version}`).map(
    ({ start, end }): TextEdit => ({ start, end, text: `${group}/${version}` }),
  );
  const imports = relativeImports(program.ts, from.file, text).map(({ start, end, target }): TextEdit => ({
    start,
    end,
    text: relativeImport(file, target),
  }));
  return applyTextEdits(text, [
    versionEdit,
    ...literals,
    ...imports,
    ...removed,
    ...(stored === undefined ? [] : [stored]),
  ]);
}

/** A file of the project, with its text before and after the edits. */
export interface EditedFile {
  /** Path relative to the project, with forward slashes. */
  readonly path: string;
  /** Text before the edits. */
  readonly before: string;
  readonly content: string;
}

/** Collects edits of several files. */
export class FileEdits {
  readonly #files = new Map<string, { readonly text: string; readonly edits: TextEdit[] }>();

  add(path: string, text: string, edits: readonly TextEdit[]): void {
    const file = this.#files.get(path) ?? { text, edits: [] };
    file.edits.push(...edits);
    this.#files.set(path, file);
  }

  /** The files whose text the edits change, in the order in which the files were added. */
  get files(): readonly EditedFile[] {
    return [...this.#files].flatMap(([path, { text, edits }]) => {
      const content = applyTextEdits(text, edits);
      return content === text ? [] : [{ path, before: text, content }];
    });
  }
}
