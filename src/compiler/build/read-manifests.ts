import path from 'node:path';
import { realpathSync, existsSync, readFileSync } from 'node:fs';
import type { Metafile } from 'esbuild';
import { FindingList, type Finding } from '../../base/errors/index.ts';
import {
  isProjectFile,
  loadProgram,
  readDeclarations,
  type SourceMemory,
  schemaModule,
  type ResourceDeclaration,
  type SourceProgram,
} from '../schema/index.ts';
import { unlistedPackage } from '../../project/project/index.ts';
import { unlistedImports, isSchemaExport } from '../source/index.ts';
import type { FileView } from '../../base/util/observe-files.ts';
import { checkManifests, type CheckedManifest } from './check-manifests.ts';
import { schemaLookup } from './check-object.ts';
import type { Splice } from './inline-manifests.ts';

/** The operand manifests that the sources name. */
interface ReadManifests {
  readonly manifests: readonly CheckedManifest[];
  /** The schemas of libraries that describe kinds. */
  readonly schemas: LibrarySchemas;
  readonly warnings: readonly Finding[];
  /** The files whose calls were read, absolute, links followed. */
  readonly read: ReadonlySet<string>;
}

interface ReadManifestsOptions {
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

/**
 * Files of the bundle that use `loadManifest` where no call is looked for: JavaScript and packages. Their manifests would be
 * missing in the image, where the call then fails.
 *
 * @param read the files whose calls were read, absolute, with forward slashes
 * @param ownRoots folders of opsdk, absolute, links followed
 */
export function unreadCalls(
  metafile: Metafile,
  projectDir: string,
  read: ReadonlySet<string>,
  ownRoots: readonly string[],
): readonly Finding[] {
  return Object.keys(metafile.inputs).flatMap((input): readonly Finding[] => {
    const file = path.resolve(projectDir, input);
    const name = file.split(path.sep).join('/');
    const isOwn = ownRoots.some((root) => name.startsWith(`${root}/`));
    // Some inputs are made by the bundler itself and are no files.
    if (isOwn || read.has(name) || !/\.[cm]?[jt]sx?$/.test(input) || !existsSync(file)) return [];
    const text = readFileSync(file, 'utf8');
    if (!/\bloadManifest\b/.test(text) || !/['"]opsdk['"]/.test(text)) return [];
    return [
      {
        code: 'build/invalid-manifest-call',
        message: 'the file uses loadManifest, but op-sdk reads calls only in TypeScript files of the project',
        where: { file: input },
        fix: ['move the call into a .ts file of the project'],
      },
    ];
  });
}

/** The schemas of libraries that describe kinds: manifests are made from them, operators run without them. */
export interface LibrarySchemas {
  /** Splices that leave a schema out of its `defineResource`. */
  readonly splices: readonly (Splice & { readonly file: string })[];
  /** The modules of schemas, by their real paths: without a use they do nothing. */
  readonly modules: ReadonlySet<string>;
}

/** Finds the schemas of libraries among the declarations of a project. */
function librarySchemas(
  program: SourceProgram,
  resources: readonly Pick<ResourceDeclaration, 'root'>[],
): LibrarySchemas {
  const exports = resources.flatMap(({ root }) => (isSchemaExport(root) ? [root] : []));
  const files = exports.flatMap((root) => [...schemaModule(program, root).files.keys()]);
  return {
    splices: exports.map(({ property }) => ({
      file: realpathSync(property.getSourceFile().fileName),
      start: property.getStart(),
      end: property.getEnd(),
      text: 'schema: undefined',
    })),
    modules: new Set(files.map((file) => realpathSync(file))),
  };
}
