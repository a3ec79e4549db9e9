import { join } from 'node:path';
import type { Controller } from '../../../src/index.ts';
import { createClient, loadCluster, type KubeClient } from '../../../src/sdk/kube/index.ts';
import {
  startControlPlane,
  type ControlPlane,
  type NodeOptions,
  type TestNodes,
} from '../../../src/testing/index.ts';
import { withOperatorCrds } from '../../helpers/operator-crds.ts';
import { runManager, type RunningManager } from '../sdk/runtime/running-manager.ts';

interface DrillOptions {
  /** Name of the operator's folder in `test/operators`, or the path of a project's folder. */
  readonly operator: string | { readonly project: string };
  readonly runProcesses: NonNullable<NodeOptions['runProcesses']>;
  /** Number of nodes. Default: 1. */
  readonly nodes?: number;
  /** Returns the operator's controllers. */
  readonly controllers: (workloads: TestNodes) => readonly Controller[];
}

/** An operator in this process, and a cluster whose Pods are processes of this machine. */
export interface Drill {
  readonly plane: ControlPlane;
  readonly client: KubeClient;
  readonly operator: RunningManager;
  /** Returns the log of a container. */
  log(pod: { readonly name: string; readonly namespace: string }, container: string): Promise<string>;
  end(): Promise<void>;
}

/** Starts a control plane with the CRDs of an operator, and the operator. */
export async function startDrill({
  operator: of,
  runProcesses,
  nodes: count = 1,
  controllers,
}: DrillOptions): Promise<Drill> {
  const start = (crds: string): Promise<ControlPlane> =>
    startControlPlane({ crds: [crds], nodes: { count, restartBackOff: 300, runProcesses } });
  const plane = await (typeof of === 'string'
    ? withOperatorCrds(of, start)
    : start(join(of.project, 'config/crd/bases')));
  const client = createClient({
    cluster: await loadCluster({ kubeconfig: plane.kubeconfig }),
    fieldManager: 'test',
  });
  const operator = await runManager(
    { kubeconfig: plane.operatorKubeconfig },
    ...controllers(plane.workloads),
  );
  return {
    plane,
    client,
    operator,
    async log({ name, namespace }, container) {
      const path = `/api/v1/namespaces/${namespace}/pods/${name}/log?container=${container}`;
      return (await client.raw.request({ method: 'GET', path })).text();
    },
    async end() {
      await operator.stop();
      await client.close();
      await plane.stop();
    },
  };
}
