import path from 'node:path';
import { FindingList, type Finding } from '../../base/errors/index.ts';
import { layout, type Project } from '../../project/project/index.ts';
import {
  loadProgram,
  readDeclarations,
  type ProjectDeclarations,
  type SourceMemory,
  type SourceProgram,
  type SourceTexts,
} from '../schema/index.ts';
import { compareCodeUnits } from '../../base/util/json-map.ts';
import { diskView, type FileView } from '../../base/util/observe-files.ts';
import { checkRegistration, projectOf, type Registration } from './check-registration.ts';
import { declaredApis, uniqueFindings, usedKinds, unreadDeclarations } from './declarations.ts';
import { collectKinds, type CollectedKinds, type CollectOptions } from './collect-kinds.ts';
import { collectRules } from './collect-rules.ts';
import { crdDocument, crdFileName } from './crd/crd-document.ts';
import type { ManifestDocument } from './declaration.ts';
import { conversionKeyRole } from './rbac/controller-rules.ts';
import type { NeededRule } from './rbac/needed-rule.ts';
import { permissionsDocument, roleDocuments, withClusterRoleBinding } from './rbac/role-document.ts';
import { sourceFiles } from './source-files.ts';
import { judgeUsedKind, knownApis } from './used-kinds.ts';
import { blockingWebhooks, judgeWebhooks } from './webhook/check-webhooks.ts';
import { readWebhook } from './webhook/read-webhook.ts';
import { webhookConfigurations } from './webhook/webhook-documents.ts';

export interface ManifestOptions {
  /** Folder of the project. Places in findings are relative to this folder. */
  readonly projectDir: string;
  /**
   * Folder in which kinds are declared, relative to `projectDir`. Default: anywhere in `src`; then controllers and `rbac` are read, too.
   */
  readonly apisDir?: string;
  /** Generate only this sort of manifests. Default: all. */
  readonly only?: 'crd' | 'rbac' | 'webhook';
  /** Keep the descriptions of built-in Kubernetes types in the schemas. Default: false. */
  readonly embeddedDescriptions?: boolean;
  /** True if the operator works only in some namespaces, and gets Roles in place of ClusterRoles. Default: the setting in PROJECT. */
  readonly namespaced?: boolean;
  /** One output folder for all files, relative to `projectDir`. Default: `config/crd/bases` for CRDs and `config/rbac` for the role. */
  readonly outputDir?: string;
  /** Texts of project files that replace those on disk, such as the files of planned changes that are not yet written. Default: none. */
  readonly texts?: SourceTexts;
  /** View through which all files are read. Default: the file system itself. */
  readonly files?: FileView;
  /** Syntax trees of earlier runs in this process, for reuse. Default: none. */
  readonly memory?: SourceMemory;
}

export interface ManifestFile {
  /** Path of the file relative to the project, with forward slashes. */
  readonly path: string;
  /** Template that renders it: one of `templates/machine`, or, as TypeScript, by `templates/generated/rbac.ts.hbs`. */
  readonly template: 'crd' | 'role' | 'webhook' | 'permissions';
  readonly document: ManifestDocument;
  /** Further documents of this file: roles, the binding of a ClusterRole, or a second webhook configuration. Default: none. */
  readonly more?: readonly ManifestDocument[];
}

export interface GeneratedManifests {
  /** CRDs sorted by name, then the role, then the role's rules as TypeScript, then the webhook configurations. */
  readonly files: readonly ManifestFile[];
  readonly warnings: readonly Finding[];
  /** Number of declared kinds. */
  readonly kinds: number;
  /** Number of declared controllers. */
  readonly controllers: number;
  /** Number of `defineWebhook` calls. */
  readonly webhooks: number;
}

/** The declarations in the sources of a project, read and checked. */
interface ReadKinds extends CollectedKinds {
  readonly program: SourceProgram;
  readonly declared: ProjectDeclarations;
  /** True if the folder of the operator's own sources contains source files. */
  readonly hasSources: boolean;
  readonly findings: FindingList;
}

/**
 * Reads the kinds of a project. The result is complete only if `findings` is empty.
 * @throws OpSdkError for sources that cannot be read
 */
export function readKinds(options: ManifestOptions, collect: Pick<CollectOptions, 'places'> = {}): ReadKinds {
  const { projectDir, apisDir, only, texts, memory, files: view = diskView } = options;
  const planned = [...(texts?.keys() ?? [])].map((name) => path.resolve(projectDir, name));
  const own = path.resolve(projectDir, layout.permissions);
  const sources = sourceFiles(path.join(projectDir, 'src'), planned, view).filter(
    (file) => path.resolve(file) !== own,
  );
  const apis = apisDir === undefined ? sources : apiFiles(projectDir, apisDir, planned, view);
  // The CRD includes the conversion, and `defineConversion` may be called in any source file.
  const needsSources = only !== 'crd' || sources.some((file) => declaresConversion(file, options));
  const rootFiles = [...new Set([...apis, ...(needsSources ? sources : [])])].sort();
  const program = loadProgram({ projectDir, rootFiles, texts: withoutOwnOutput(texts), memory, files: view });
  const findings = new FindingList();
  findings.add(...program.diagnostics, ...unreadDeclarations(projectDir, 'src', view));
  // Stop at syntax errors, because everything read from such a file is a guess.
  findings.throwIfAny();
  const declared = readDeclarations(program);
  findings.add(...declared.findings);
  // TypeScript writes file names with forward slashes on every platform, so both paths are resolved before they are compared.
  const apiPaths = new Set(apis.map((file) => path.resolve(file)));
  const resources = declared.resources.filter(({ file }) => apiPaths.has(path.resolve(file)));
  const collected = collectKinds(findings, program, resources, {
    ...collect,
    conversions: declared.conversions,
    isPart: apisDir !== undefined,
    embeddedDescriptions: options.embeddedDescriptions ?? false,
  });
  return { ...collected, program, declared, hasSources: sources.length > 0, findings };
}

/**
 * Generates the CRDs, the role and the webhook configurations of a project from its TypeScript sources. Reads files and writes none; the
 * same sources give the same documents.
 * @throws OpSdkError with everything that is wrong in all files
 */
export function generateManifests(options: ManifestOptions): GeneratedManifests {
  const { only } = options;
  const read = projectReader(options);
  const project = projectOf(read);
  const namespaced = isNamespaced(options, project);
  const { kinds, warnings, program, declared, hasSources, findings } = readKinds(options);
  const rules =
    only === 'crd' || only === 'webhook'
      ? { rules: [], used: [], warnings: [], reasons: [] }
      : collectRules(findings, program, declared, kinds, namespaced);
  const webhooks =
    only === 'crd' || only === 'rbac'
      ? []
      : declared.webhooks.flatMap((each) => readWebhook(findings, program, each));
  const configurations = webhookConfigurations(webhooks, project?.domain);
  judgeWebhooks(findings, configurations, kinds);
  // Uses of kinds are checked only if all kinds are known. `apisDir` may hold only some of the sources, and a declaration that cannot be
  // read is reported by another check.
  const versions = kinds.reduce((count, kind) => count + kind.versions.length, 0);
  if (only !== 'crd' && options.apisDir === undefined && versions === declared.resources.length) {
    const apis = knownApis(declaredApis(kinds), project);
    const ofControllers = declared.controllers.flatMap(({ argument }) => usedKinds(argument));
    const ofWebhooks = webhooks.map(({ kind, kindPlace }) => ({ ...kind, place: kindPlace }));
    const used = [...ofControllers, ...rules.used, ...ofWebhooks];
    findings.add(...used.flatMap((each) => judgeUsedKind(each, apis) ?? []));
  }
  throwUnique(findings);
  // Registration is checked only if all manifests are generated into their default folders, because a part of a project or a folder of
  // types is incomplete.
  const unregistered =
    only === undefined && isInPlace(options)
      ? checkRegistration({
          source: program,
          declarations: declared,
          apis: declaredApis(kinds),
          project,
          read,
        })
      : [];
  const hasOperator = hasSources || declaresOperator(declared);
  return {
    files: [
      ...(only === undefined || only === 'crd' ? crdFiles(options, kinds) : []),
      ...(hasOperator && (only === undefined || only === 'rbac')
        ? permissionFiles(options, rules.rules, kinds, project)
        : []),
      ...webhookFiles(options, configurations),
    ],
    warnings: uniqueFindings([
      ...warnings,
      ...rules.warnings,
      ...rules.reasons,
      ...blockingWebhooks(configurations, operatorNamespace(read)),
      ...unregistered,
    ]),
    kinds: kinds.length,
    controllers: declared.controllers.length,
    webhooks: declared.webhooks.length,
  };
}

/** Returns true if manifests are generated for the whole project, into their default folders. */
function isInPlace({ apisDir, outputDir }: ManifestOptions): boolean {
  return apisDir === undefined && outputDir === undefined;
}

/** Returns true if sources declare a part of an operator. A folder that contains only types has no operator and therefore gets no role. */
function declaresOperator({ controllers, permissions, webhooks, conversions }: ProjectDeclarations): boolean {
  return [controllers, permissions, webhooks, conversions].some(({ length }) => length > 0);
}

/** Returns one file for each CRD, sorted by path. */
function crdFiles({ outputDir }: ManifestOptions, kinds: CollectedKinds['kinds']): readonly ManifestFile[] {
  return kinds
    .map((kind): ManifestFile => ({
      path: joined(outputDir ?? `${layout.crd}/bases`, crdFileName(kind)),
      template: 'crd',
      document: crdDocument(kind),
    }))
    .sort((a, b) => compareCodeUnits(a.path, b.path));
}

/** Returns the file with the roles of the operator, followed by the TypeScript file of the same rules if the manifests are in place. */
function permissionFiles(
  options: ManifestOptions,
  rules: readonly NeededRule[],
  kinds: CollectedKinds['kinds'],
  project: Project | undefined,
): readonly ManifestFile[] {
  const namespaced = isNamespaced(options, project);
  const roles = roleDocuments(rules, namespaced);
  const [document, ...others] = namespaced ? withClusterRoleBinding(roles) : roles;
  const converts = kinds.some(({ conversion }) => conversion?.isDeclared === true);
  const more =
    converts && project !== undefined ? [...others, ...conversionKeyRole(project.projectName)] : others;
  const role: ManifestFile = {
    path: joined(options.outputDir ?? layout.rbac, 'role.yaml'),
    template: 'role',
    document,
    ...(more.length === 0 ? {} : { more }),
  };
  if (!isInPlace(options)) return [role];
  return [role, { path: layout.permissions, template: 'permissions', document: permissionsDocument(rules) }];
}

/** Returns the file with the webhook configurations; no file if there are none. */
function webhookFiles(
  { outputDir }: ManifestOptions,
  configurations: ReturnType<typeof webhookConfigurations>,
): readonly ManifestFile[] {
  const [document, ...more] = configurations.map((configuration) => configuration.document);
  if (document === undefined) return [];
  return [
    {
      path: joined(outputDir ?? layout.webhookConfig, layout.webhookManifests),
      template: 'webhook',
      document,
      ...(more.length === 0 ? {} : { more }),
    },
  ];
}

/** Returns true if the operator works only in some namespaces. */
export function isNamespaced(options: ManifestOptions, project = projectOf(projectReader(options))): boolean {
  return options.namespaced ?? project?.namespaced ?? false;
}

/** Returns true if a file may declare a conversion, because its text contains `defineConversion`. */
function declaresConversion(file: string, { projectDir, texts, files = diskView }: ManifestOptions): boolean {
  const name = path.relative(projectDir, file).split(path.sep).join('/');
  return (texts?.get(name) ?? files.readFile(file) ?? '').includes('defineConversion');
}

/** Replaces the generated files in `texts`, so that writing them does not invalidate a cached or watched result. */
function withoutOwnOutput(texts: SourceTexts | undefined): SourceTexts {
  return new Map([
    ...(texts ?? []),
    [layout.permissions, 'export const permissions: readonly unknown[] = [];\n'],
  ]);
}

/** Creates a function that reads project files; planned texts replace the files on disk. */
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

/** @throws OpSdkError with the findings without duplicates, sorted by place */
export function throwUnique(findings: FindingList): void {
  const unique = new FindingList();
  unique.add(...uniqueFindings(findings.all));
  unique.throwIfAny();
}

/**
 * Returns the namespace that a project's own kustomization sets for the operator; if it sets none, that of the scaffold.
 * @param read returns the text of a file of the project
 * @returns undefined if PROJECT is missing
 */
function operatorNamespace(read: (file: string) => string | undefined): string | undefined {
  const said = /^namespace:[ \t]*["']?([a-z0-9-]+)/m.exec(
    read(layout.kustomization(layout.defaultConfig)) ?? '',
  );
  const project = projectOf(read);
  return said?.[1] ?? (project === undefined ? undefined : `${project.projectName}-system`);
}
