import { join } from 'node:path';
import type { Controller } from '../../../src/index.ts';
import { createClient, loadCluster, type KubeClient } from '../../../src/sdk/kube/index.ts';
import {
  startControlPlane,
  type ControlPlane,
  type ControlPlaneOptions,
  type NodeOptions,
  type TestNodes,
} from '../../../src/testing/index.ts';
import { withOperatorCrds } from '../../helpers/operator-crds.ts';
import { runManager, type RunningManager } from '../sdk/runtime/running-manager.ts';
import { takeRights, type OperatorRights } from './operator-rights.ts';

interface DrillClusterOptions {
  /** Name of the operator's folder in `test/operators`, or the path of a project's folder. */
  readonly operator: string | { readonly project: string };
  readonly runProcesses: NonNullable<NodeOptions['runProcesses']>;
  /** Number of nodes. Default: 1. */
  readonly nodes?: number;
  /** Requests to write into the audit log. Default: none. */
  readonly audit?: ControlPlaneOptions['audit'];
}

interface DrillOptions extends DrillClusterOptions {
  /** Returns the operator's controllers. */
  readonly controllers: (workloads: TestNodes) => readonly Controller[];
}

/** A cluster whose Pods are processes of this machine. */
export interface DrillCluster extends AsyncDisposable {
  readonly plane: ControlPlane;
  readonly client: KubeClient;
  /** Returns the log of a container. */
  log(pod: { readonly name: string; readonly namespace: string }, container: string): Promise<string>;
  end(): Promise<void>;
}

/** A cluster, and an operator in this process. */
export interface Drill extends DrillCluster {
  readonly operator: RunningManager;
  /** The rights with which an operator of a project runs; undefined for one of `test/operators`, which has those of the administrator. */
  readonly rights: OperatorRights | undefined;
}

/** Audit policy for {@link OperatorRights}: every request, without its content. */
export const drillAudit = {
  omitStages: ['RequestReceived' as const],
  rules: [{ level: 'Metadata' as const }],
};

/**
 * Starts a control plane with the CRDs of an operator, and the operator. An operator of a project has the rights of its own role, and
 * `end` throws if it was forbidden anything.
 */
export async function startDrill({ controllers, operator: of, ...options }: DrillOptions): Promise<Drill> {
  const cluster = await startDrillCluster({ audit: drillAudit, ...options, operator: of });
  const { plane, client } = cluster;
  const rights = typeof of === 'string' ? undefined : await takeRights(plane, client, of.project);
  const kubeconfig = rights?.kubeconfig ?? plane.operatorKubeconfig;
  const operator = await runManager({ kubeconfig }, ...controllers(plane.workloads));
  const end = async (): Promise<void> => {
    await operator.stop();
    const forbidden = (await rights?.judge())?.forbidden ?? [];
    await rights?.[Symbol.asyncDispose]();
    await cluster.end();
    if (forbidden.length > 0) throw new Error(`the operator was forbidden: ${JSON.stringify(forbidden)}`);
  };
  return { ...cluster, operator, rights, end, [Symbol.asyncDispose]: end };
}

/** Starts a control plane with the CRDs of an operator that runs elsewhere. */
export async function startDrillCluster({
  operator: of,
  runProcesses,
  nodes: count = 1,
  audit = false,
}: DrillClusterOptions): Promise<DrillCluster> {
  const start = (crds: string): Promise<ControlPlane> =>
    startControlPlane({ crds: [crds], audit, nodes: { count, restartBackOff: 300, runProcesses } });
  const plane = await (typeof of === 'string'
    ? withOperatorCrds(of, start)
    : start(join(of.project, 'config/crd/bases')));
  const client = createClient({
    cluster: await loadCluster({ kubeconfig: plane.kubeconfig }),
    fieldManager: 'test',
  });
  const end = async (): Promise<void> => {
    await client.close();
    await plane.stop();
  };
  return {
    plane,
    client,
    async log({ name, namespace }, container) {
      const path = `/api/v1/namespaces/${namespace}/pods/${name}/log?container=${container}`;
      return (await client.raw.request({ method: 'GET', path })).text();
    },
    end,
    [Symbol.asyncDispose]: end,
  };
}
