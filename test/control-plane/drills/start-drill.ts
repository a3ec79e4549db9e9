import { cpSync } from 'node:fs';
import { join } from 'node:path';
import type { Controller } from '../../../src/index.ts';
import { createClient, loadCluster, type KubeClient } from '../../../src/sdk/kube/index.ts';
import {
  startControlPlane,
  type ControlPlane,
  type NodeOptions,
  type TestNodes,
} from '../../../src/testing/index.ts';
import { runCli } from '../../helpers/run-cli.ts';
import { projectFolder, type ProjectFolder } from '../../unit/compiler/manifests/project-folder.ts';
import { runManager, type RunningManager } from '../sdk/runtime/running-manager.ts';

interface DrillOptions {
  /** Name of the drill's folder. The kinds of its operator are in `api/`. */
  readonly folder: string;
  readonly runProcesses: NonNullable<NodeOptions['runProcesses']>;
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
export async function startDrill({ folder, runProcesses, controllers }: DrillOptions): Promise<Drill> {
  const project = projectFolder();
  let plane: ControlPlane;
  try {
    plane = await startControlPlane({
      crds: [await generateCrds(project, folder)],
      nodes: { restartBackOff: 300, runProcesses },
    });
  } finally {
    project.remove();
  }
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

/** Generates the CRDs of a drill's kinds, as its user would. @returns their folder */
async function generateCrds(project: ProjectFolder, folder: string): Promise<string> {
  cpSync(join(import.meta.dirname, folder, 'api'), join(project.dir, 'src/api'), { recursive: true });
  const run = await runCli(['generate', 'manifests', '--only', 'crd'], { cwd: project.dir });
  if (run.code !== 0) throw new Error(run.stderr);
  return join(project.dir, 'config/crd/bases');
}
