import type { CommandModule } from './command.ts';

/** A command of the tree: loaded only when it is called, so that `version` and `--help` cost no more than Node itself. */
export interface CommandEntry {
  /** The words that select it: `['create', 'api']`. A command may itself be the group of others: `['run']` and `['run', 'bundle']`. */
  readonly path: readonly string[];
  readonly summary: string;
  load(): Promise<CommandModule>;
}

/** The descriptions of the groups: the words before a command. */
export const groups: Readonly<Record<string, string>> = {
  bundle: 'check and preview bundles for OLM, build, push and publish them',
  catalog: 'check file-based catalogues for OLM, create and push them',
  crd: 'compare CustomResourceDefinitions',
  create: 'add an API or webhooks to a project',
  delete: 'remove an API from a project',
  generate: 'generate manifests from the TypeScript sources, and bundles from manifests',
  'generate kustomize': 'create the kustomization that bundles are built from',
  image: "build and push the operator's image",
  import: 'generate types from existing CustomResourceDefinitions',
  kustomize: 'build and edit kustomizations, without kustomize',
  'kustomize edit': 'edit the kustomization of a folder; keeps comments',
  'kustomize edit add': 'add to a list of the kustomization',
  'kustomize edit set': 'set a field of the kustomization',
  olm: 'install and remove OLM itself, and show how it is',
  rbac: "compare, explain and audit the operator's permissions",
  registry: 'log in to registries of images, and log out',
  storage: 'show, check and migrate the versions in which custom resources are stored',
  testenv: 'install and run a real kube-apiserver and etcd for tests and development',
};

/** Every command of op-sdk, in the order of `--help`. */
export const commands: readonly CommandEntry[] = [
  {
    path: ['init'],
    summary: 'create an operator project in this folder',
    load: async () => (await import('./commands/init.ts')).command,
  },
  {
    path: ['edit'],
    summary: 'change settings of the project: its scope, the header of its sources',
    load: async () => (await import('./commands/edit.ts')).command,
  },
  {
    path: ['create', 'api'],
    summary: 'add a kind: its types, controller, test, sample and manifests',
    load: async () => (await import('./commands/create-api.ts')).command,
  },
  {
    path: ['create', 'webhook'],
    summary: 'add webhooks to a kind: defaulting, validation, conversion, and their manifests',
    load: async () => (await import('./commands/create-webhook.ts')).command,
  },
  {
    path: ['delete', 'api'],
    summary: 'remove a kind, or a version of it, from the project',
    load: async () => (await import('./commands/delete-api.ts')).command,
  },
  {
    path: ['generate', 'manifests'],
    summary: 'write the CRDs and the RBAC role from the TypeScript sources',
    load: async () => (await import('./commands/generate-manifests.ts')).command,
  },
  {
    path: ['import', 'crd'],
    summary: 'generate types from existing CustomResourceDefinitions',
    load: async () => (await import('./commands/import-crd.ts')).command,
  },
  {
    path: ['generate', 'kustomize', 'manifests'],
    summary: 'create the base ClusterServiceVersion and the kustomization for bundles',
    load: async () => (await import('./commands/generate-kustomize-manifests.ts')).command,
  },
  {
    path: ['generate', 'bundle'],
    summary: 'create the bundle that OLM installs, from the manifests',
    load: async () => (await import('./commands/generate-bundle.ts')).command,
  },
  {
    path: ['crd', 'diff'],
    summary: 'show which changes of CustomResourceDefinitions are breaking, and for whom',
    load: async () => (await import('./commands/crd-diff.ts')).command,
  },
  {
    path: ['rbac', 'diff'],
    summary: 'show which permissions were added and removed',
    load: async () => (await import('./commands/rbac-diff.ts')).command,
  },
  {
    path: ['rbac', 'explain'],
    summary: 'show which lines of the sources need which permissions',
    load: async () => (await import('./commands/rbac-explain.ts')).command,
  },
  {
    path: ['rbac', 'audit'],
    summary: "run the operator's tests with its own rights, and report missing and unused permissions",
    load: async () => (await import('./commands/rbac-audit.ts')).command,
  },
  {
    path: ['storage', 'status'],
    summary: 'show in which versions objects are stored, and whether that needs a migration',
    load: async () => (await import('./commands/storage-status.ts')).command,
  },
  {
    path: ['storage', 'check'],
    summary: 'check whether versions may be removed from the CustomResourceDefinitions',
    load: async () => (await import('./commands/storage-check.ts')).command,
  },
  {
    path: ['storage', 'migrate'],
    summary: 'rewrite all objects in the storage version',
    load: async () => (await import('./commands/storage-migrate.ts')).command,
  },
  {
    path: ['build'],
    summary: 'bundle the operator and its operand manifests into one file',
    load: async () => (await import('./commands/build.ts')).command,
  },
  {
    path: ['dev'],
    summary: 'run the operator against a control plane of its own, and again after each change',
    load: async () => (await import('./commands/dev.ts')).command,
  },
  {
    path: ['run'],
    summary: 'run the operator on this machine, against the cluster of your kubeconfig',
    load: async () => (await import('./commands/run.ts')).command,
  },
  {
    path: ['olm', 'install'],
    summary: 'install OLM on a cluster, v0 or v1, and wait until it runs',
    load: async () => (await import('./commands/olm-install.ts')).command,
  },
  {
    path: ['olm', 'status'],
    summary: 'show which OLM a cluster has, the state of its objects, and its catalogues',
    load: async () => (await import('./commands/olm-status.ts')).command,
  },
  {
    path: ['olm', 'uninstall'],
    summary: 'delete OLM from a cluster, with all that it has made for itself',
    load: async () => (await import('./commands/olm-uninstall.ts')).command,
  },
  {
    path: ['run', 'bundle'],
    summary: 'install a bundle by OLM, and wait until the operator runs',
    load: async () => (await import('./commands/run-bundle.ts')).command,
  },
  {
    path: ['run', 'bundle-upgrade'],
    summary: 'upgrade an operator that was installed by run bundle',
    load: async () => (await import('./commands/run-bundle-upgrade.ts')).command,
  },
  {
    path: ['cleanup'],
    summary: 'delete an operator that was installed by run bundle',
    load: async () => (await import('./commands/cleanup.ts')).command,
  },
  {
    path: ['bundle', 'validate'],
    summary: 'check whether OLM and the API server would accept a bundle',
    load: async () => (await import('./commands/bundle-validate.ts')).command,
  },
  {
    path: ['bundle', 'preview'],
    summary: 'show bundles in the browser as OperatorHub does',
    load: async () => (await import('./commands/bundle-preview.ts')).command,
  },
  {
    path: ['bundle', 'build'],
    summary: 'build the image of a bundle, without docker',
    load: async () => (await import('./commands/bundle-build.ts')).command,
  },
  {
    path: ['bundle', 'push'],
    summary: 'push the image of a bundle to a registry',
    load: async () => (await import('./commands/bundle-push.ts')).command,
  },
  {
    path: ['bundle', 'publish'],
    summary: 'add a bundle to a checkout of the catalogue of OperatorHub.io',
    load: async () => (await import('./commands/bundle-publish.ts')).command,
  },
  {
    path: ['catalog', 'add'],
    summary: 'add a bundle to a catalogue, and to the updates of its channels',
    load: async () => (await import('./commands/catalog-add.ts')).command,
  },
  {
    path: ['catalog', 'validate'],
    summary: 'check whether OLM would read a catalogue, and where its updates lead',
    load: async () => (await import('./commands/catalog-validate.ts')).command,
  },
  {
    path: ['catalog', 'render'],
    summary: 'print bundles, catalogues and templates as one file-based catalogue',
    load: async () => (await import('./commands/catalog-render.ts')).command,
  },
  {
    path: ['catalog', 'build'],
    summary: 'build the image of a catalogue, without docker',
    load: async () => (await import('./commands/catalog-build.ts')).command,
  },
  {
    path: ['catalog', 'push'],
    summary: 'push the image of a catalogue to a registry',
    load: async () => (await import('./commands/catalog-push.ts')).command,
  },
  {
    path: ['catalog', 'list'],
    summary: 'list the packages and versions of a catalogue, and what is updated to what',
    load: async () => (await import('./commands/catalog-list.ts')).command,
  },
  {
    path: ['catalog', 'diff'],
    summary: 'show what differs between two catalogues',
    load: async () => (await import('./commands/catalog-diff.ts')).command,
  },
  {
    path: ['scorecard'],
    summary: "run scorecard's tests of a bundle, custom ones in Pods",
    load: async () => (await import('./commands/scorecard.ts')).command,
  },
  {
    path: ['image', 'build'],
    summary: 'build the image of the operator, without docker',
    load: async () => (await import('./commands/image-build.ts')).command,
  },
  {
    path: ['image', 'push'],
    summary: 'push the image of the operator to a registry',
    load: async () => (await import('./commands/image-push.ts')).command,
  },
  {
    path: ['registry', 'login'],
    summary: 'check and store credentials for a registry, where docker does',
    load: async () => (await import('./commands/registry-login.ts')).command,
  },
  {
    path: ['registry', 'logout'],
    summary: 'remove the credentials for a registry',
    load: async () => (await import('./commands/registry-logout.ts')).command,
  },
  {
    path: ['install'],
    summary: 'apply the CRDs of the project to a cluster',
    load: async () => (await import('./commands/install.ts')).command,
  },
  {
    path: ['uninstall'],
    summary: 'delete the CRDs of the project from a cluster',
    load: async () => (await import('./commands/uninstall.ts')).command,
  },
  {
    path: ['diff'],
    summary: 'show what deploy would change on a cluster',
    load: async () => (await import('./commands/diff.ts')).command,
  },
  {
    path: ['deploy'],
    summary: 'apply the operator to a cluster, and wait until it runs',
    load: async () => (await import('./commands/deploy.ts')).command,
  },
  {
    path: ['undeploy'],
    summary: 'delete the operator from a cluster',
    load: async () => (await import('./commands/undeploy.ts')).command,
  },
  {
    path: ['kustomize', 'build'],
    summary: 'print the objects of a kustomization',
    load: async () => (await import('./commands/kustomize-build.ts')).command,
  },
  {
    path: ['kustomize', 'edit', 'set', 'image'],
    summary: 'set the name, tag or digest of an image',
    load: async () => (await import('./commands/kustomize-edit-set-image.ts')).command,
  },
  {
    path: ['kustomize', 'edit', 'set', 'namespace'],
    summary: 'set the namespace',
    load: async () => (await import('./commands/kustomize-edit-set-namespace.ts')).command,
  },
  {
    path: ['kustomize', 'edit', 'set', 'nameprefix'],
    summary: 'set the prefix of all names',
    load: async () => (await import('./commands/kustomize-edit-set-nameprefix.ts')).command,
  },
  {
    path: ['kustomize', 'edit', 'add', 'resource'],
    summary: 'add files or folders to the resources',
    load: async () => (await import('./commands/kustomize-edit-add-resource.ts')).command,
  },
  {
    path: ['doctor'],
    summary: 'check this machine, the project and the cluster for problems',
    load: async () => (await import('./commands/doctor.ts')).command,
  },
  {
    path: ['build-installer'],
    summary: 'write everything that deploy applies into one manifest',
    load: async () => (await import('./commands/build-installer.ts')).command,
  },
  {
    path: ['testenv', 'install'],
    summary: 'install the binaries of the test control plane',
    load: async () => (await import('./commands/testenv-install.ts')).command,
  },
  {
    path: ['testenv', 'list'],
    summary: 'list the installed versions',
    load: async () => (await import('./commands/testenv-list.ts')).command,
  },
  {
    path: ['testenv', 'path'],
    summary: 'print the folder of the binaries, for KUBEBUILDER_ASSETS',
    load: async () => (await import('./commands/testenv-path.ts')).command,
  },
  {
    path: ['testenv', 'run'],
    summary: 'run a control plane until Ctrl-C',
    load: async () => (await import('./commands/testenv-run.ts')).command,
  },
  {
    path: ['testenv', 'remove'],
    summary: 'remove installed versions',
    load: async () => (await import('./commands/testenv-remove.ts')).command,
  },
  {
    path: ['explain'],
    summary: 'explain the code of an error or warning, or list all codes',
    load: async () => (await import('./commands/explain.ts')).command,
  },
  {
    path: ['completion'],
    summary: 'print the script that lets a shell complete op-sdk on TAB',
    load: async () => (await import('./commands/completion.ts')).command,
  },
  {
    path: ['version'],
    summary: 'print the version',
    load: async () => (await import('./commands/version.ts')).command,
  },
];
