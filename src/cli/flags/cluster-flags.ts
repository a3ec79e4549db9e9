import { serverDryRunFlag, type GlobalOptions } from './common.ts';
import { flag, type Flag, type OptionsOf } from './flag.ts';

/** Flags that select the cluster. */
export const clusterFlags = {
  kubeconfig: flag.text('file', 'the kubeconfig file (default: KUBECONFIG, else ~/.kube/config)'),
  context: flag.text('name', 'a context of the kubeconfig (default: its current-context)'),
};
export type ClusterOptions = Partial<OptionsOf<typeof clusterFlags>>;

/** `-f, --filename`: objects from files or from standard input instead of a kustomization. */
export const manifestFlag = {
  filename: flag.list(
    'file',
    'read the objects from a file, a folder, or standard input (-); may be repeated',
    { short: 'f' },
  ),
};
export type ManifestOptions = Partial<OptionsOf<typeof manifestFlag>>;

/** `-n, --namespace` with the meaning that it has for `kubectl apply`. */
export const namespaceFlag = {
  namespace: flag.text(
    'name',
    'the namespace of objects that name none; another one is an error (default: that of the context, and any)',
    { short: 'n' },
  ),
};
export type NamespaceOptions = Partial<OptionsOf<typeof namespaceFlag>>;

/** Returns the flag `--prune` or `--no-prune`, which decides if objects that were removed from the manifests are deleted. */
export const pruneFlag = (help: string): Flag<boolean | undefined> => flag.boolean(help, { unset: true });

/** Option that {@link pruneFlag} sets. */
export interface PruneOptions {
  readonly prune: boolean | undefined;
}

/** Flags of commands that delete objects. */
export const removeFlags = {
  wait: flag.negated('return without waiting until everything is gone'),
  timeout: flag.text('duration', 'how long to wait (default: 2m)'),
  'ignore-not-found': flag.negated('fail if an object is not on the cluster'),
  yes: flag.boolean('delete the contents of definitions and namespaces without asking'),
  force: flag.boolean('continue although custom resources have finalizers'),
  ...serverDryRunFlag,
};
export type RemoveManifestOptions = OptionsOf<typeof removeFlags> &
  ClusterOptions &
  NamespaceOptions &
  GlobalOptions;

/** Help text about custom resources, for commands that delete objects. */
export const removeHelp = `Deleting a definition deletes its custom resources, and deleting a namespace deletes everything in it. If this would
delete objects that are not in the manifest, op-sdk lists them and asks on a terminal; without a terminal it needs --yes. It refuses to start while custom resources have finalizers, which only the running operator removes.`;

/** Positional argument of storage commands that selects CustomResourceDefinitions. */
export const storageArgument = [
  '[crds...]',
  "names of CustomResourceDefinitions, or kinds of the project (default: all of the project's)",
] as const;
