import { resolve } from 'node:path';
import { OpSdkError } from '../../../base/errors/index.ts';
import type { KubeClient } from '../../../sdk/kube/index.ts';
import {
  bootControlPlane,
  installAllAssets,
  missingBinaries,
  readCrdFiles,
  resolveAssets,
  type ProcessFor,
  type TestNodes,
} from '../../../testing/index.ts';
import type { CliContext } from '../../command.ts';
import type { ClusterOptions } from '../../flags/cluster-flags.ts';
import { connect } from '../cluster/connect.ts';
import { readPodPrograms } from './pod-programs.ts';

/** The cluster in which the operator under development works. */
export interface DevTarget extends AsyncDisposable {
  readonly client: KubeClient;
  /** Absolute path of the operator's kubeconfig file. If undefined, the operator uses the kubeconfig of the environment. */
  readonly kubeconfig: string | undefined;
  readonly context: string | undefined;
  /** True if this command started the cluster and stops it at the end. */
  readonly isOwn: boolean;
  /** Nodes of the cluster, if this command started it with nodes. */
  readonly workloads: TestNodes | undefined;
  /** Programs of this machine that run containers, by image; undefined if all containers pretend to run. More can be added. */
  readonly programs: Record<string, ProcessFor> | undefined;
  /** Address of the API server, such as `https://host:port`. */
  readonly server: string;
  /** Resolves with the reason if a cluster that this command started stops unexpectedly. Never settles if that does not happen. */
  readonly ended: Promise<string>;
}

const never = new Promise<never>(() => undefined);

/** Opens a cluster that this command did not start and does not stop. */
export async function openCluster(context: CliContext, options: ClusterOptions): Promise<DevTarget> {
  const { report, cwd } = context;
  const client = await connect(context, options);
  const server = serverOf(client);
  report.info(`cluster: ${report.paint('strong', server)} (${client.connection.cluster.source})`);
  return {
    client,
    kubeconfig: options.kubeconfig === undefined ? undefined : resolve(cwd, options.kubeconfig),
    context: options.context,
    isOwn: false,
    workloads: undefined,
    programs: undefined,
    server,
    ended: never,
    [Symbol.asyncDispose]: () => client.close(),
  };
}

interface OwnCluster {
  /** Version of Kubernetes. Default: the one that op-sdk is tested with. */
  readonly version: string | undefined;
  /** Number of nodes on which Pods become ready; 0 leaves them pending. */
  readonly nodes: number;
  /** Absolute paths of files and folders with CustomResourceDefinitions to install. */
  readonly crds: readonly string[];
  /** File with the programs that containers run, relative to the project. Default: all containers pretend. */
  readonly programs: string | undefined;
}

/** Starts an empty control plane. When this command ends, the control plane is stopped and its data is deleted. */
export async function startCluster(
  context: CliContext,
  { version, nodes: count, crds, programs }: OwnCluster,
): Promise<DevTarget> {
  const { cwd, env, report, signal } = context;
  const wanted = version === undefined ? {} : { version };
  const names = (await readCrdFiles(crds)).map(({ crd }) => crd.metadata.name);
  const progress = (line: string): void => report.step(line);
  const { folder: assets, from } = await resolveAssets({ ...wanted, env, progress, signal });
  // kube-controller-manager is optional, because some machines can neither download nor build it.
  if (count > 0 && from === 'cache') await installAllAssets({ ...wanted, env, progress, signal });
  const controllerManager = (await missingBinaries(assets, ['kube-controller-manager'])).length === 0;
  const hasNode = count > 0 && controllerManager;
  const processes =
    hasNode && programs !== undefined
      ? await readPodPrograms(programs, { cwd, path: env['PATH'] ?? '', assets })
      : {};
  // A file without programs counts as no file.
  const runProcesses = Object.keys(processes).length === 0 ? undefined : processes;
  report.step(`starting a control plane (${assets})`);
  const nodes = hasNode ? { count, ...(runProcesses === undefined ? {} : { runProcesses }) } : 0;
  const controlPlane = await bootControlPlane({ ...wanted, assets, controllerManager, nodes, crds, signal });
  try {
    const { kubeconfig, url, ended } = controlPlane;
    report.info(
      `Kubernetes ${controlPlane.version} is ready at ${url}, and empty: what it stores is lost at the end`,
    );
    if (!controllerManager) {
      report.info(
        `kube-controller-manager is missing (${from === 'cache' ? 'op-sdk testenv install says why' : `${from} has none`}): no garbage collection, no Pods of Deployments`,
      );
    }
    if (runProcesses !== undefined)
      report.info(
        `containers of ${Object.keys(runProcesses).join(', ')} run as processes of this machine (${programs}); others pretend to run`,
      );
    else if (hasNode)
      report.info(
        count === 1
          ? 'Pods become ready on a node that only pretends to run them (--no-node leaves it out)'
          : `Pods become ready on ${count} nodes that only pretend to run them`,
      );
    if (names.length > 0) report.step(`installed ${names.join(', ')}`);
    report.info(`export KUBECONFIG=${kubeconfig}`);
    const client = await connect(context, { kubeconfig });
    return {
      client,
      kubeconfig,
      context: undefined,
      isOwn: true,
      workloads: hasNode ? controlPlane.workloads : undefined,
      programs: runProcesses,
      server: serverOf(client),
      ended,
      async [Symbol.asyncDispose]() {
        await client.close();
        await controlPlane.stop();
      },
    };
  } catch (error) {
    await controlPlane.stop();
    throw error;
  }
}

/** Creates the error for a control plane that ended without being stopped by this command. */
export function endedByItself(reason: string): OpSdkError {
  return new OpSdkError({
    code: 'testenv/not-running',
    message: `the control plane ended unexpectedly: ${reason}`,
    fix: ['run the command again'],
  });
}

function serverOf(client: KubeClient): string {
  return client.connection.cluster.server.href.replace(/\/$/, '');
}
