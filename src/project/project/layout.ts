import { defaultControllerName, fullGroup, type ProjectResource } from './read-file.ts';
import { kebabCase } from './names.ts';

/** Names from which the file paths of a kind are built. */
type Gvk = Pick<ProjectResource, 'group' | 'version' | 'kind'>;

/** Names from which the file paths of a controller are built. The controller's name defaults to the kind in lower case. */
export type ControllerId = Pick<ProjectResource, 'group' | 'kind'> & {
  readonly controllerName?: string | undefined;
};

/** Returns the name of a controller's files, without folder and file extension. */
export function controllerFile({ kind, controllerName }: ControllerId): string {
  return controllerName === undefined || controllerName === defaultControllerName(kind)
    ? kebabCase(kind)
    : controllerName;
}

/** The key under which PROJECT lists op-sdk's layout and stores the data that op-sdk records. */
export const LAYOUT_KEY = 'typescript.opsdk.dev/v1';

/** Returns the plugin keys in the field `layout` of PROJECT. kubebuilder 3 wrote them as one string, separated by commas. */
export function pluginKeys(texts: readonly string[]): string[] {
  return texts.flatMap((text) => text.split(','));
}

/**
 * Paths of all files in a project, relative to its folder, with forward slashes. Templates, generators and commands must take paths from
 * this object.
 */
export const layout = {
  projectFile: 'PROJECT',
  packageJson: 'package.json',
  pnpmWorkspace: 'pnpm-workspace.yaml',
  main: 'src/main.ts',
  apis: 'src/api',
  /** Header of new source files, as plain text without comment markers. */
  boilerplate: 'hack/boilerplate.txt',
  /** Folder of the operand manifests that `op-sdk build` inlines. */
  assets: 'assets',
  templateOverrides: '.op-sdk/templates',
  /** Folder of the lock and the journal that commands use when they change files. */
  state: '.op-sdk/.state',
  packedSdk: (version: string): string => `.op-sdk/opsdk-${version}.tgz`,
  types: ({ group, version, kind }: Gvk): string => `src/api/${group}/${version}/${kebabCase(kind)}.ts`,
  controller: (of: ControllerId): string => `src/controllers/${of.group}/${controllerFile(of)}.ts`,
  controllerTest: (of: ControllerId): string => `test/controllers/${of.group}/${controllerFile(of)}.test.ts`,
  controllerIntegrationTest: (of: ControllerId): string =>
    `test/controllers/${of.group}/${controllerFile(of)}.integration.test.ts`,
  webhook: ({ group, version, kind }: Gvk): string =>
    `src/webhooks/${group}/${version}/${kebabCase(kind)}.ts`,
  webhookTest: ({ group, version, kind }: Gvk): string =>
    `test/webhooks/${group}/${version}/${kebabCase(kind)}.test.ts`,
  /** File with the conversions between all versions of a kind. */
  conversion: ({ group, kind }: Omit<Gvk, 'version'>): string =>
    `src/conversions/${group}/${kebabCase(kind)}.ts`,
  conversionTest: ({ group, kind }: Omit<Gvk, 'version'>): string =>
    `test/conversions/${group}/${kebabCase(kind)}.test.ts`,
  /** File with the types of a kind that the project does not define; `group` is the full group. */
  externalTypes: ({ group, version, kind }: Gvk): string =>
    `src/external/${group}/${version}/${kebabCase(kind)}.ts`,
  /** Folder with the CustomResourceDefinitions of external kinds. Tests and `op-sdk dev` install them. */
  externalCrds: 'test/crds',
  /** File with the CustomResourceDefinition of an external kind, in {@link layout.externalCrds}. */
  externalCrd: (group: string, plural: string): string => `test/crds/${group}_${plural}.yaml`,
  /** File with the programs that `op-sdk dev` runs in place of containers, by image. */
  podPrograms: 'test/programs.yaml',
  /** File with cases for the CustomResourceDefinition of a kind, for `op-sdk crd test`. */
  crdCases: ({ group, kind }: Omit<Gvk, 'version'>): string => `test/crds/${group}/${kebabCase(kind)}.yaml`,
  sampleFile: ({ group, version, kind }: Gvk): string => `${group}_${version}_${kind.toLowerCase()}.yaml`,
  samples: 'config/samples',
  crd: 'config/crd',
  /** File of the generated CRD, relative to {@link layout.crd}. */
  crdFile: (resource: Pick<ProjectResource, 'group' | 'domain' | 'plural'>): string =>
    `bases/${fullGroup(resource)}_${resource.plural}.yaml`,
  rbac: 'config/rbac',
  role: 'config/rbac/role.yaml',
  /** Source file with the rules of the operator's role. When the operator starts, it checks that it has these permissions. */
  permissions: 'src/generated/rbac.ts',
  /** File of a role that cluster administrators may grant to users, relative to {@link layout.rbac}. */
  userRoleFile: ({ group, kind }: Omit<Gvk, 'version'>, access: UserAccess): string =>
    `${group}_${kind.toLowerCase()}_${access}_role.yaml`,
  kustomization: (folder: string): string => `${folder}/kustomization.yaml`,
  defaultConfig: 'config/default',
  webhookConfig: 'config/webhook',
  /** File of the generated webhook configurations, relative to {@link layout.webhookConfig}. */
  webhookManifests: 'manifests.yaml',
  certManager: 'config/certmanager',
  networkPolicy: 'config/network-policy',
  metrics: 'config/metrics',
  prometheus: 'config/prometheus',
  grafana: 'config/grafana',
} as const;

/** The kinds of access to a kind's objects. For each, the project has a role that cluster administrators may grant to users. */
export const userAccesses = ['admin', 'editor', 'viewer'] as const;
type UserAccess = (typeof userAccesses)[number];

/** Returns the module specifier by which the file `from` imports the file `to`: `../../api/cache/v1/memcached.ts`. */
export function relativeImport(from: string, to: string): string {
  const source = from.split('/').slice(0, -1);
  const target = to.split('/');
  while (source.length > 0 && source[0] === target[0]) {
    source.shift();
    target.shift();
  }
  return `${source.length === 0 ? './' : '../'.repeat(source.length)}${target.join('/')}`;
}
