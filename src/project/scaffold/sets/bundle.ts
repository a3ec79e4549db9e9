import type { TemplateModel } from '../engine.ts';
import { renderSet, type RenderedFile } from '../template-tree.ts';
import { contentHash } from '../plan-files.ts';
import { boilerplate, spdxOf, type License } from './license.ts';
import { commandRecord, layout, newProjectFile, type PackageManager } from '../../project/index.ts';
import { nodeChoice } from '../node-choice.ts';

/** Image of the tests that `config/scorecard` runs. They are operator-sdk's tests, which every scorecard implementation can run. */
const scorecardImage = 'quay.io/operator-framework/scorecard-test:v1.42.3';

/** Values from which the files in `config/manifests` and `config/scorecard` are rendered. */
interface ManifestsInput {
  readonly packageName: string;
  /** True if `config/samples` has a kustomization. */
  readonly hasSamples: boolean;
  /** Path of `config` relative to the folder of the kustomization: `..` */
  readonly config: string;
  /** True if `node_modules` has the JSON schemas of op-sdk, so that files may name them for editors. */
  readonly hasSchemas: boolean;
}

/** Renders `config/manifests/kustomization.yaml` and the files of `config/scorecard`. */
export async function manifestsFiles(
  input: ManifestsInput,
  projectRoot?: string,
): Promise<readonly RenderedFile[]> {
  return renderSet('manifests', manifestsModel(input), {}, projectRoot);
}

/** Returns the variables for the templates of the set `manifests`. */
export function manifestsModel({
  packageName,
  hasSamples,
  config,
  hasSchemas,
}: ManifestsInput): TemplateModel {
  const folders = ['default', ...(hasSamples ? ['samples'] : []), 'scorecard'];
  return {
    resources: [
      `bases/${packageName}.clusterserviceversion.yaml`,
      ...folders.map((name) => `${config}/${name}`),
    ],
    scorecardImage,
    hasSchemas,
  };
}

/** A label of the bundle's image. */
interface BundleLabel {
  readonly key: string;
  readonly value: string;
  readonly section: 'core' | 'test' | 'own';
}

/**
 * Renders `bundle.Dockerfile`.
 * @param folder the folder of the bundle, relative to the project, with forward slashes
 */
export async function bundleDockerfileText(
  labels: readonly BundleLabel[],
  folder: string,
  projectRoot?: string,
): Promise<string> {
  const [file] = await renderSet('bundle', bundleModel(labels, folder), {}, projectRoot);
  if (file === undefined) throw new TypeError('the set of templates for bundles is empty');
  return file.content;
}

/** Returns the variables for the templates of the set `bundle`. */
export function bundleModel(labels: readonly BundleLabel[], folder: string): TemplateModel {
  const section = (wanted: BundleLabel['section']): readonly { key: string; value: string }[] =>
    labels.filter((label) => label.section === wanted).map(({ key, value }) => ({ key, value }));
  const [core, test, own] = [section('core'), section('test'), section('own')];
  return { core, test, own, hasTest: test.length > 0, hasOwn: own.length > 0, folder };
}

/** Values from which a new project is scaffolded; every value has been checked. */
interface InitInput {
  readonly domain: string;
  readonly projectName: string;
  readonly repo?: string | undefined;
  readonly owner?: string | undefined;
  readonly license: License;
  /** True if the operator watches only the namespaces that it is configured for, by default its own. */
  readonly namespaced?: boolean | undefined;
  /** True for a workflow on GitHub that upgrades the project to new versions of op-sdk. */
  readonly upgradeWorkflow?: boolean | undefined;
  /** The project's dependency on op-sdk, as written in package.json. */
  readonly opsdk: string;
  readonly cliVersion: string;
  readonly packageManager: PackageManager;
  /** The Node version that creates the project; the versions of its tools and images follow from it. */
  readonly nodeVersion: string;
}

/**
 * `MEMORY_LIMIT_MB` is the memory limit of the operator's container in MiB. `DRAIN_SECONDS` is the time in seconds that the operator may
 * take to finish its work at shutdown.
 */
const MEMORY_LIMIT_MB = 512;
const DRAIN_SECONDS = 30;

/** Maximum size of a V8 semi-space in MiB (V8 keeps two); `npm run bench:operator` uses the same value. */
const SEMI_SPACE_MB = 4;

/** Renders the files of a new project, including PROJECT. */
export async function initFiles(input: InitInput): Promise<readonly RenderedFile[]> {
  const model = initModel(input);
  const common = [
    ...(await renderSet('init', model, {})),
    ...(await renderSet('service-monitor', { projectName: input.projectName }, {})),
  ];
  const files = [
    ...common,
    ...(input.packageManager.name === 'pnpm' ? await renderSet('init-pnpm', model, {}) : []),
    ...(input.upgradeWorkflow === true ? await renderSet('init-upgrade', model, {}) : []),
  ];
  const templates = Object.fromEntries(files.map(({ path, content }) => [path, contentHash(content)]));
  const { domain, repo, projectName, cliVersion, namespaced = false, owner, license, packageManager } = input;
  const run = commandRecord(
    'init',
    {
      ...{ domain, repo, 'project-name': projectName, owner, license },
      ...(namespaced ? { namespaced } : {}),
      ...(input.upgradeWorkflow === true ? { 'upgrade-workflow': true } : {}),
    },
    packageManager.id,
  );
  const project = newProjectFile({ domain, repo, projectName, cliVersion, namespaced, run, templates });
  return [...files, { path: layout.projectFile, content: project }];
}

/** Returns the variables for the templates of the set `init`. */
export function initModel(input: InitInput): TemplateModel {
  const { packageManager: manager } = input;
  const header = boilerplate(input.license, input.owner);
  const { tools, engine, line } = nodeChoice(input.nodeVersion);
  return {
    projectName: input.projectName,
    namespaced: input.namespaced === true,
    upgradeWorkflow: input.upgradeWorkflow === true,
    leaseId: leaseId(input),
    imageTagBase: `${input.domain}/${input.projectName}`,
    license: spdxOf[input.license],
    boilerplate: header,
    hasHeader: header !== '',
    header,
    opsdk: input.opsdk,
    packed: input.opsdk.startsWith('file:.op-sdk/'),
    nodeEngine: engine,
    versions: {
      typesNode: tools['@types/node'],
      eslint: tools.eslint,
      prettier: tools.prettier,
      typescript: tools.typescript,
      typescriptEslint: tools['typescript-eslint'],
      vitest: tools.vitest,
    },
    packageManager: manager.name,
    // Dependabot's name of the package manager: `npm` serves pnpm and Yarn too.
    ecosystem: manager.name === 'bun' ? 'bun' : 'npm',
    lockFile: manager.lockFile,
    plugAndPlay: manager.plugAndPlay === true,
    // No dependency needs its install script. These entries give that answer to the package managers that ask about install scripts.
    allowScripts: manager.name === 'npm',
    allowBuilds: manager.name === 'pnpm',
    dependenciesMeta: manager.plugAndPlay === true,
    setUp: manager.setUp === undefined ? [] : [manager.setUp],
    frozenInstall: manager.frozenInstall,
    run: `${manager.name} run`,
    install: `${manager.name} install`,
    exec: manager.exec,
    images: { build: `node:${line}`, base: `node:${line}-slim`, node: line },
    memory: {
      limit: `${MEMORY_LIMIT_MB}Mi`,
      oldSpaceMb: (MEMORY_LIMIT_MB * 3) / 4,
      semiSpaceMb: SEMI_SPACE_MB,
    },
    drainSeconds: DRAIN_SECONDS,
    graceSeconds: DRAIN_SECONDS + 10,
  };
}

/**
 * Returns the name of the operator's Lease: a hash of the repository (if unset, of the project's name) as eight hexadecimal digits, a dot,
 * and the domain. Source: kubebuilder.
 */
function leaseId({ repo, projectName, domain }: InitInput): string {
  return `${fnv1a(repo ?? projectName)}.${domain}`;
}

/** Returns the 32-bit FNV-1a hash of a text's UTF-8 bytes, as 8 hexadecimal digits. Source: http://www.isthe.com/chongo/tech/comp/fnv/ */
export function fnv1a(text: string): string {
  let hash = 0x811c9dc5;
  for (const byte of Buffer.from(text, 'utf8')) hash = Math.imul(hash ^ byte, 0x01000193);
  return (hash >>> 0).toString(16).padStart(8, '0');
}
