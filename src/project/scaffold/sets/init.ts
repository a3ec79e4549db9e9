import { layout, newProjectFile, type PackageManager } from '../../project/index.ts';
import { fnv1a } from '../fnv.ts';
import { boilerplate, spdxOf, type License } from '../boilerplate.ts';
import type { TemplateModel } from '../engine.ts';
import { contentHash, renderSet, type RenderedFile } from '../template-tree.ts';
import { baseImage, imageNode, nodeEngine, toolVersions } from '../versions.ts';

/** The input of a new project; every value has been checked. */
export interface InitInput {
  readonly domain: string;
  readonly projectName: string;
  readonly repo?: string | undefined;
  readonly owner?: string | undefined;
  readonly license: License;
  /** The operator works in the namespaces that it is given, its own by default. */
  readonly namespaced?: boolean | undefined;
  /** The project's dependency on op-sdk, as package.json has it. */
  readonly opsdk: string;
  readonly cliVersion: string;
  readonly packageManager: PackageManager;
}

/** The memory of the operator's container in MiB, and how long it may finish its work. */
const MEMORY_LIMIT_MB = 512;
const DRAIN_SECONDS = 30;

/** The most that V8 keeps for new objects, twice, in MiB: `npm run bench:operator` measures with the same. */
const SEMI_SPACE_MB = 4;

/** The files of a new project, PROJECT among them. */
export async function initFiles(input: InitInput): Promise<readonly RenderedFile[]> {
  const files = await renderSet('init', initModel(input), {});
  const templates = Object.fromEntries(files.map(({ path, content }) => [path, contentHash(content)]));
  const { domain, repo, projectName, cliVersion, namespaced = false } = input;
  const project = newProjectFile({ domain, repo, projectName, cliVersion, namespaced, templates });
  return [...files, { path: layout.projectFile, content: project }];
}

/** The model for the templates of `init`. */
export function initModel(input: InitInput): TemplateModel {
  const { packageManager: manager } = input;
  const header = boilerplate(input.license, input.owner);
  return {
    projectName: input.projectName,
    namespaced: input.namespaced === true,
    leaseId: leaseId(input),
    imageTagBase: `${input.domain}/${input.projectName}`,
    license: spdxOf[input.license],
    boilerplate: header,
    hasHeader: header !== '',
    header,
    opsdk: input.opsdk,
    packed: input.opsdk.startsWith('file:.op-sdk/'),
    nodeEngine,
    versions: {
      typesNode: toolVersions['@types/node'],
      eslint: toolVersions.eslint,
      prettier: toolVersions.prettier,
      typescript: toolVersions.typescript,
      typescriptEslint: toolVersions['typescript-eslint'],
      vitest: toolVersions.vitest,
    },
    packageManager: manager.name,
    lockFile: manager.lockFile,
    setUp: manager.setUp === undefined ? [] : [manager.setUp],
    frozenInstall: manager.frozenInstall,
    run: `${manager.name} run`,
    install: `${manager.name} install`,
    exec: manager.exec,
    images: { build: `node:${imageNode}`, base: baseImage, node: imageNode },
    memory: {
      limit: `${MEMORY_LIMIT_MB}Mi`,
      oldSpaceMb: (MEMORY_LIMIT_MB * 3) / 4,
      semiSpaceMb: SEMI_SPACE_MB,
    },
    drainSeconds: DRAIN_SECONDS,
    graceSeconds: DRAIN_SECONDS + 10,
  };
}

/** The name of the operator's Lease: eight hexadecimal digits of the repository, or of the project's name, and the domain. Source: kubebuilder. */
function leaseId({ repo, projectName, domain }: InitInput): string {
  return `${fnv1a(repo ?? projectName)}.${domain}`;
}
