import type { Command } from 'commander';

/** Options that {@link clusterFlags} parses. */
export interface ClusterOptions {
  readonly kubeconfig?: string;
  readonly context?: string;
}

/** Declares the flags that say which cluster: `--kubeconfig` and `--context`. */
export function clusterFlags(command: Command): Command {
  return command
    .option('--kubeconfig <file>', 'the kubeconfig file (default: KUBECONFIG, else ~/.kube/config)')
    .option('--context <name>', 'a context of the kubeconfig (default: its current-context)');
}
