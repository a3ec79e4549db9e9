import path from 'node:path';
import { FindingList } from '../../../base/errors/index.ts';
import {
  loadProgram,
  readDeclarations,
  type ResourceDeclaration,
  type SourceProgram,
} from '../../schema/index.ts';
import { resourceEdits, type ModuleSource } from '../../source/index.ts';
import { readDefinition } from '../crd/read-definition.ts';
import type { KindVersion } from '../crd/kind-version.ts';
import { sourceFiles } from '../source-files.ts';

/** A version of a kind, and where it is declared. */
export interface VersionSource {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  /** Relative to the project, with forward slashes. */
  readonly file: string;
  /** Text of the file. */
  readonly text: string;
  readonly declaration: KindVersion;
  /** Edits of the call of defineResource in `text`. */
  readonly edits: ReturnType<typeof resourceEdits>;
}

/** The declarations of a project, for edits. */
export interface VersionSources {
  readonly program: ModuleSource;
  readonly versions: readonly VersionSource[];
}

/**
 * Reads which versions the sources of a project declare, and where. Declarations that cannot be read are passed over: whoever
 * generates manifests from the sources refuses them.
 * @param projectDir absolute; files are relative to it
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

/** The versions of one kind. */
export function versionsOfKind(
  { versions }: VersionSources,
  { group, kind }: { readonly group: string; readonly kind: string },
): readonly VersionSource[] {
  return versions.filter((each) => each.group === group && each.kind === kind);
}

/** The version that objects are stored in: the only one, or the one that says so. */
export function storedVersion(versions: readonly VersionSource[]): VersionSource | undefined {
  return versions.length === 1
    ? versions[0]
    : versions.find(({ declaration }) => declaration.storage?.value === true);
}
