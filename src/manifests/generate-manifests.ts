import path from 'node:path';
import { FindingList, type Finding } from '../errors/index.ts';
import { layout } from '../project/index.ts';
import {
  loadProgram,
  readDeclarations,
  type ProjectDeclarations,
  type SourceMemory,
  type SourceProgram,
  type SourceTexts,
} from '../schema/index.ts';
import { compareCodeUnits } from '../util/json-map.ts';
import { diskView, type FileView } from '../util/file-view.ts';
import { checkRegistration, type Registration } from './check-registration.ts';
import { declaredApis } from './declared-apis.ts';
import { collectKinds, type CollectedKinds, type CollectOptions } from './collect-kinds.ts';
import { collectRules } from './collect-rules.ts';
import { crdDocument, crdFileName } from './crd/crd-document.ts';
import type { ManifestDocument } from './manifest-document.ts';
import { roleDocument } from './rbac/role-document.ts';
import { sourceFiles } from './source-files.ts';
import { uniqueFindings } from './unique-findings.ts';
import { unreadDeclarations } from './unread-declarations.ts';

export interface ManifestOptions {
  /** The folder of the project; places in findings are relative to it. */
  readonly projectDir: string;
  /** Where kinds are declared, relative to `projectDir`. Default: anywhere in `src`; then controllers and `rbac` are read too. */
  readonly apisDir?: string;
  /** Default: both. */
  readonly only?: 'crd' | 'rbac';
  /** Keep the descriptions of built-in Kubernetes types in the schemas. Default: false. */
  readonly embeddedDescriptions?: boolean;
  /** One folder for all files, relative to `projectDir`. Default: `config/crd/bases` and `config/rbac`. */
  readonly outputDir?: string;
  /** Files of the project that are read instead of those on disk: those of a plan that is not carried out yet. Default: none. */
  readonly texts?: SourceTexts;
  /** Every look at the file system goes through it. Default: the file system as it is. */
  readonly files?: FileView;
  /** Syntax trees of former runs in this process. Default: none. */
  readonly memory?: SourceMemory;
}

export interface ManifestFile {
  /** Relative to the project, with forward slashes. */
  readonly path: string;
  /** The template of `templates/machine` that it is rendered with. */
  readonly template: 'crd' | 'role';
  readonly document: ManifestDocument;
}

export interface GeneratedManifests {
  /** CRDs in the order of their names, then the role. */
  readonly files: readonly ManifestFile[];
  readonly warnings: readonly Finding[];
  /** How many kinds and versions are declared. */
  readonly kinds: number;
  /** How many controllers are declared. */
  readonly controllers: number;
}

/** What the sources of a project declare, checked. */
interface ReadKinds extends CollectedKinds {
  readonly program: SourceProgram;
  readonly declared: ProjectDeclarations;
  /** Whether the folder of the operator's own sources holds any. */
  readonly hasSources: boolean;
  readonly findings: FindingList;
}

/**
 * The kinds of a project, complete if there are no `findings`.
 * @throws OpSdkError for sources that cannot be read
 */
export function readKinds(options: ManifestOptions, collect: Pick<CollectOptions, 'places'> = {}): ReadKinds {
  const { projectDir, apisDir, only, texts, memory, files: view = diskView } = options;
  const planned = [...(texts?.keys() ?? [])].map((name) => path.resolve(projectDir, name));
  const sources = sourceFiles(path.join(projectDir, 'src'), planned, view);
  const apis = apisDir === undefined ? sources : apiFiles(projectDir, apisDir, planned, view);
  const rootFiles = [...new Set([...apis, ...(only === 'crd' ? [] : sources)])].sort();
  const program = loadProgram({ projectDir, rootFiles, texts, memory, files: view });
  const findings = new FindingList();
  findings.add(...program.diagnostics, ...unreadDeclarations(projectDir, 'src', view));
  // With a syntax error everything read from that file is a guess.
  findings.throwIfAny();
  const declared = readDeclarations(program);
  findings.add(...declared.findings);
  // TypeScript writes file names with forward slashes on every platform.
  const apiPaths = new Set(apis.map((file) => path.resolve(file)));
  const resources = declared.resources.filter(({ file }) => apiPaths.has(path.resolve(file)));
  const collected = collectKinds(findings, program, resources, {
    ...collect,
    embeddedDescriptions: options.embeddedDescriptions ?? false,
  });
  return { ...collected, program, declared, hasSources: sources.length > 0, findings };
}

/**
 * The CRDs and the role of a project, from its TypeScript sources. Reads files and writes none; the same sources give the same documents.
 * @throws OpSdkError with everything that is wrong in all files
 */
export function generateManifests(options: ManifestOptions): GeneratedManifests {
  const { only } = options;
  const { kinds, warnings, program, declared, hasSources, findings } = readKinds(options);
  const rules =
    only === 'crd'
      ? { rules: [], warnings: [] }
      : collectRules(findings, declared.controllers, declared.permissions, kinds);
  throwUnique(findings);
  // Parts of a project, and folders of types, are not complete by themselves.
  const isWhole = only === undefined && options.apisDir === undefined && options.outputDir === undefined;
  const unregistered = isWhole
    ? checkRegistration({
        source: program,
        declarations: declared,
        apis: declaredApis(kinds),
        read: projectReader(options),
      })
    : [];
  const crds = kinds
    .map((kind): ManifestFile => ({
      path: joined(options.outputDir ?? `${layout.crd}/bases`, crdFileName(kind)),
      template: 'crd',
      document: crdDocument(kind),
    }))
    .sort((a, b) => compareCodeUnits(a.path, b.path));
  const role: ManifestFile = {
    path: joined(options.outputDir ?? layout.rbac, 'role.yaml'),
    template: 'role',
    document: roleDocument(rules.rules),
  };
  // A folder of types alone has no operator, hence no role.
  const hasOperator = hasSources || declared.controllers.length + declared.permissions.length > 0;
  const files = [...(only === 'rbac' ? [] : crds), ...(only === 'crd' || !hasOperator ? [] : [role])];
  return {
    files,
    warnings: uniqueFindings([...warnings, ...rules.warnings, ...unregistered]),
    kinds: kinds.length,
    controllers: declared.controllers.length,
  };
}

/** Reads files of the project as they will be. */
function projectReader({ projectDir, texts, files = diskView }: ManifestOptions): Registration['read'] {
  return (file) => texts?.get(file) ?? files.readFile(path.join(projectDir, file));
}

function apiFiles(
  projectDir: string,
  apisDir: string,
  planned: readonly string[],
  view: FileView,
): readonly string[] {
  const folder = path.resolve(projectDir, apisDir);
  const findings = new FindingList();
  const isFolder = view.directoryExists(folder);
  const files = sourceFiles(folder, planned, view);
  if (files.length === 0) {
    findings.add({
      code: 'manifests/apis-dir',
      message: isFolder ? `${apisDir} contains no TypeScript file` : `${apisDir} is not a folder`,
      where: { flag: '--apis-dir' },
      fix: ['name the folder that holds the files with defineResource'],
    });
  }
  findings.throwIfAny();
  return files;
}

function joined(folder: string, file: string): string {
  return path.posix.join(folder.replaceAll('\\', '/'), file);
}

function throwUnique(findings: FindingList): void {
  const unique = new FindingList();
  unique.add(...uniqueFindings(findings.all));
  unique.throwIfAny();
}
