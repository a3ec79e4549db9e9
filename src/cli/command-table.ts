import { entry, type CommandEntry } from './command.ts';

/** Descriptions of the command groups. The key consists of the words before a command, such as `kustomize edit`. */
export const groups: Readonly<Record<string, string>> = {
  bundle: 'check and preview bundles for OLM, build, push and publish them',
  catalog: 'check file-based catalogues for OLM, create and push them',
  crd: 'compare and test CustomResourceDefinitions',
  create: 'add an API, webhooks or monitoring to a project',
  delete: 'remove an API from a project',
  generate: 'generate manifests from the TypeScript sources, and bundles and charts from manifests',
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

/** All commands of op-sdk, in the order in which `--help` lists them. */
export const commands: readonly CommandEntry[] = [
  entry('init', 'create an operator project in this folder', () => import('./commands/init.ts')),
  entry(
    'edit',
    'change settings of the project: its scope, the header of its sources',
    () => import('./commands/edit.ts'),
  ),
  entry(
    'create api',
    'add a kind: its types, controller, test, sample and manifests',
    () => import('./commands/create-api.ts'),
  ),
  entry(
    'create webhook',
    'add webhooks to a kind: defaulting, validation, conversion, and their manifests',
    () => import('./commands/create-webhook.ts'),
  ),
  entry(
    'create monitoring',
    'write a ServiceMonitor, alerts and a dashboard from the metrics of the operator',
    () => import('./commands/create-monitoring.ts'),
  ),
  entry(
    'delete api',
    'remove a kind, or a version of it, from the project',
    () => import('./commands/delete-api.ts'),
  ),
  entry(
    'upgrade',
    'bring the scaffolded files of the project to another version of op-sdk',
    () => import('./commands/upgrade.ts'),
  ),
  entry(
    'generate manifests',
    'write the CRDs and the RBAC role from the TypeScript sources',
    () => import('./commands/generate-manifests.ts'),
  ),
  entry(
    'import crd',
    'generate types from existing CustomResourceDefinitions',
    () => import('./commands/import-crd.ts'),
  ),
  entry(
    'generate kustomize manifests',
    'create the base ClusterServiceVersion and the kustomization for bundles',
    () => import('./commands/generate-kustomize-manifests.ts'),
  ),
  entry(
    'generate helm',
    'write a Helm chart from the manifests that deploy applies',
    () => import('./commands/generate-helm.ts'),
  ),
  entry(
    'generate bundle',
    'create the bundle that OLM installs, from the manifests',
    () => import('./commands/generate-bundle.ts'),
  ),
  entry(
    'crd diff',
    'show which changes of CustomResourceDefinitions are breaking, and for whom',
    () => import('./commands/crd-diff.ts'),
  ),
  entry(
    'crd test',
    'check which objects the CRDs accept, refuse and complete, by cases in files',
    () => import('./commands/crd-test.ts'),
  ),
  entry(
    'rbac diff',
    'show which permissions were added and removed',
    () => import('./commands/rbac-diff.ts'),
  ),
  entry(
    'rbac explain',
    'show which lines of the sources need which permissions',
    () => import('./commands/rbac-explain.ts'),
  ),
  entry(
    'rbac audit',
    "run the operator's tests with its own rights, and report missing and unused permissions",
    () => import('./commands/rbac-audit.ts'),
  ),
  entry(
    'storage status',
    'show in which versions objects are stored, and whether that needs a migration',
    () => import('./commands/storage-status.ts'),
  ),
  entry(
    'storage check',
    'check whether versions may be removed from the CustomResourceDefinitions',
    () => import('./commands/storage-check.ts'),
  ),
  entry(
    'storage migrate',
    'rewrite all objects in the storage version',
    () => import('./commands/storage-migrate.ts'),
  ),
  entry(
    'migrate-ownership',
    'move the fields of a former operator to the field manager of the new one',
    () => import('./commands/migrate-ownership.ts'),
  ),
  entry(
    'build',
    'bundle the operator and its operand manifests into one file',
    () => import('./commands/build.ts'),
  ),
  entry(
    'dev',
    'run the operator against a control plane of its own, and again after each change',
    () => import('./commands/dev.ts'),
  ),
  entry(
    'run',
    'run the operator on this machine, against the cluster of your kubeconfig',
    () => import('./commands/run.ts'),
  ),
  entry(
    'olm install',
    'install OLM on a cluster, v0 or v1, and wait until it runs',
    () => import('./commands/olm-install.ts'),
  ),
  entry(
    'olm status',
    'show which OLM a cluster has, the state of its objects, and its catalogues',
    () => import('./commands/olm-status.ts'),
  ),
  entry(
    'olm uninstall',
    'delete OLM from a cluster, with all that it has made for itself',
    () => import('./commands/olm-uninstall.ts'),
  ),
  entry(
    'run bundle',
    'install a bundle by OLM, and wait until the operator runs',
    () => import('./commands/run-bundle.ts'),
  ),
  entry(
    'run bundle-upgrade',
    'upgrade an operator that was installed by run bundle',
    () => import('./commands/run-bundle-upgrade.ts'),
  ),
  entry(
    'cleanup',
    'delete an operator that was installed by run bundle',
    () => import('./commands/cleanup.ts'),
  ),
  entry(
    'bundle validate',
    'check whether OLM and the API server would accept a bundle',
    () => import('./commands/bundle-validate.ts'),
  ),
  entry(
    'bundle preview',
    'show bundles in the browser as OperatorHub does',
    () => import('./commands/bundle-preview.ts'),
  ),
  entry(
    'bundle build',
    'build the image of a bundle, without docker',
    () => import('./commands/bundle-build.ts'),
  ),
  entry('bundle push', 'push the image of a bundle to a registry', () => import('./commands/bundle-push.ts')),
  entry(
    'bundle publish',
    'add a bundle to a checkout of the catalogue of OperatorHub.io',
    () => import('./commands/bundle-publish.ts'),
  ),
  entry(
    'catalog add',
    'add a bundle to a catalogue, and to the updates of its channels',
    () => import('./commands/catalog-add.ts'),
  ),
  entry(
    'catalog validate',
    'check whether OLM would read a catalogue, and where its updates lead',
    () => import('./commands/catalog-validate.ts'),
  ),
  entry(
    'catalog render',
    'print bundles, catalogues and templates as one file-based catalogue',
    () => import('./commands/catalog-render.ts'),
  ),
  entry(
    'catalog build',
    'build the image of a catalogue, without docker',
    () => import('./commands/catalog-build.ts'),
  ),
  entry(
    'catalog push',
    'push the image of a catalogue to a registry',
    () => import('./commands/catalog-push.ts'),
  ),
  entry(
    'catalog list',
    'list the packages and versions of a catalogue, and what is updated to what',
    () => import('./commands/catalog-list.ts'),
  ),
  entry(
    'catalog diff',
    'show what differs between two catalogues',
    () => import('./commands/catalog-diff.ts'),
  ),
  entry(
    'scorecard',
    "run scorecard's tests of a bundle, custom ones in Pods",
    () => import('./commands/scorecard.ts'),
  ),
  entry(
    'image build',
    'build the image of the operator, without docker',
    () => import('./commands/image-build.ts'),
  ),
  entry(
    'image push',
    'push the image of the operator to a registry',
    () => import('./commands/image-push.ts'),
  ),
  entry(
    'registry login',
    'check and store credentials for a registry, where docker does',
    () => import('./commands/registry-login.ts'),
  ),
  entry(
    'registry logout',
    'remove the credentials for a registry',
    () => import('./commands/registry-logout.ts'),
  ),
  entry('install', 'apply the CRDs of the project to a cluster', () => import('./commands/install.ts')),
  entry(
    'uninstall',
    'delete the CRDs of the project from a cluster',
    () => import('./commands/uninstall.ts'),
  ),
  entry('diff', 'show what deploy would change on a cluster', () => import('./commands/diff.ts')),
  entry(
    'deploy',
    'apply the operator to a cluster, and wait until it runs',
    () => import('./commands/deploy.ts'),
  ),
  entry('undeploy', 'delete the operator from a cluster', () => import('./commands/undeploy.ts')),
  entry(
    'kustomize build',
    'print the objects of a kustomization',
    () => import('./commands/kustomize-build.ts'),
  ),
  entry(
    'kustomize edit set image',
    'set the name, tag or digest of an image',
    () => import('./commands/kustomize-edit-set-image.ts'),
  ),
  entry(
    'kustomize edit set namespace',
    'set the namespace',
    () => import('./commands/kustomize-edit-set-namespace.ts'),
  ),
  entry(
    'kustomize edit set nameprefix',
    'set the prefix of all names',
    () => import('./commands/kustomize-edit-set-nameprefix.ts'),
  ),
  entry(
    'kustomize edit add resource',
    'add files or folders to the resources',
    () => import('./commands/kustomize-edit-add-resource.ts'),
  ),
  entry(
    'doctor',
    'check this machine, the project and the cluster for problems',
    () => import('./commands/doctor.ts'),
  ),
  entry(
    'build-installer',
    'write everything that deploy applies into one manifest',
    () => import('./commands/build-installer.ts'),
  ),
  entry(
    'testenv install',
    'install the binaries of the test control plane',
    () => import('./commands/testenv-install.ts'),
  ),
  entry('testenv list', 'list the installed versions', () => import('./commands/testenv-list.ts')),
  entry(
    'testenv path',
    'print the folder of the binaries, for KUBEBUILDER_ASSETS',
    () => import('./commands/testenv-path.ts'),
  ),
  entry('testenv run', 'run a control plane until Ctrl-C', () => import('./commands/testenv-run.ts')),
  entry('testenv remove', 'remove installed versions', () => import('./commands/testenv-remove.ts')),
  entry(
    'explain',
    'explain the code of an error or warning, or list all codes',
    () => import('./commands/explain.ts'),
  ),
  entry(
    'completion',
    'print the script that lets a shell complete op-sdk on TAB',
    () => import('./commands/completion.ts'),
  ),
  entry('version', 'print the version', () => import('./commands/version.ts')),
];
