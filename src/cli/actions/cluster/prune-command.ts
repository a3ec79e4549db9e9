import type { ClusterOptions } from '../../flags/cluster-flags.ts';
import type { ManifestOptions } from '../../flags/manifest-flag.ts';

/** The command that deletes what has left the manifests, of the same manifests and the same cluster. */
export function pruneCommand(
  command: 'deploy' | 'undeploy',
  options: ClusterOptions & ManifestOptions & { readonly dir?: string },
): string {
  const flags = [
    ...(options.filename ?? []).map((file) => `-f ${file}`),
    ...(options.dir === undefined ? [] : [`--dir ${options.dir}`]),
    ...(options.kubeconfig === undefined ? [] : [`--kubeconfig ${options.kubeconfig}`]),
    ...(options.context === undefined ? [] : [`--context ${options.context}`]),
  ];
  return ['delete them: op-sdk', command, ...flags, '--prune'].join(' ');
}
