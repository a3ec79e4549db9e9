import { realpathSync } from 'node:fs';
import path from 'node:path';
import { FindingList, type Finding } from '../../base/errors/index.ts';
import { isProjectFile, loadProgram, readDeclarations, type SourceMemory } from '../schema/index.ts';
import { unlistedPackage } from '../../project/project/index.ts';
import { unlistedImports } from '../source/index.ts';
import type { FileView } from '../../base/util/file-view.ts';
import { checkManifests, type CheckedManifest } from './check-manifests.ts';
import { librarySchemas, type LibrarySchemas } from './library-schemas.ts';
import { schemaLookup } from './manifest-schema.ts';

/** The operand manifests that the sources name. */
export interface ReadManifests {
  readonly manifests: readonly CheckedManifest[];
  /** The schemas of libraries that describe kinds. */
  readonly schemas: LibrarySchemas;
  readonly warnings: readonly Finding[];
  /** The files whose calls were read, absolute, links followed. */
  readonly read: ReadonlySet<string>;
}

export interface ReadManifestsOptions {
  /** Every look at the file system goes through it. Default: the file system as it is. */
  readonly files?: FileView;
  /** Syntax trees of former runs in this process. Default: none. */
  readonly memory?: SourceMemory;
}

/**
 * Reads and checks the manifests of all `loadManifest` calls that the entry reaches.
 * @throws OpSdkError with every fault of sources and manifests
 */
export function readManifests(
  projectDir: string,
  entry: string,
  { files, memory }: ReadManifestsOptions = {},
): ReadManifests {
  const program = loadProgram({ projectDir, rootFiles: [entry], files, memory });
  const findings = new FindingList();
  findings.add(...program.diagnostics);
  findings.throwIfAny();
  const declared = readDeclarations(program);
  findings.add(...declared.findings);
  const checked = checkManifests(
    findings,
    projectDir,
    program.boundary,
    declared.manifests,
    schemaLookup(program, declared.resources),
    files,
  );
  findings.throwIfAny();
  const sources = program.program.getSourceFiles().filter((file) => isProjectFile(program.program, file));
  const read = sources.map(({ fileName }) => realpathSync(fileName).split(path.sep).join('/'));
  const unlisted = unlistedImports(program).map((each) => unlistedPackage(projectDir, each));
  const warnings = [...checked.warnings, ...unlisted];
  return { ...checked, warnings, schemas: librarySchemas(program, declared.resources), read: new Set(read) };
}
