import { OpSdkError } from '../../base/errors/index.ts';
import type { Pod } from '../../sdk/k8s/generated/core/v1.ts';
import type { KubeClient } from '../../sdk/kube/index.ts';
import { drainNode, type DrainOptions } from './drain-node.ts';
import type { Kubelet } from './kubelet.ts';
import type { Mirror } from './mirror.ts';
import { setReady, setUnschedulable } from './node-object.ts';
import type { PodSelector, TestPods } from './pod-control.ts';
import type { ProgramSettings } from './processes/name-server.ts';
import type { Processes } from './processes/run-processes.ts';

/** Settings of the nodes of a test control plane. */
export interface NodeOptions {
  /** Number of nodes, which are called `node-1`, `node-2` and so on. Default: 1. */
  readonly count?: number;
  /** Labels of every node, in addition to those of a kubelet. Default: none. */
  readonly labels?: Readonly<Record<string, string>>;
  /** Resources that Pods may request on each node. Default: 8 CPUs, 32Gi of memory, 110 Pods. */
  readonly allocatable?: Readonly<Record<string, string>>;
  /** Milliseconds before a container that has ended again is restarted; doubles up to 5 minutes. Default: 10,000, as a kubelet waits. */
  readonly restartBackOff?: number;
  /**
   * Processes of this machine that run containers, by image. All other containers only pretend to run. Pods have addresses of 127.0.0.0/8,
   * and their names resolve to them in this process and in the processes of containers; Services have no endpoints. Needs Linux, or macOS
   * with such addresses. Default: all containers pretend.
   */
  readonly runProcesses?: Processes;
}

/** A node of a test control plane. */
export interface TestNode {
  /** Name of the Node object. */
  readonly name: string;
  /**
   * Stops the node as a loss of power does: it writes no status and renews no lease. The controller manager notices it after some seconds.
   */
  down(): void;
  /** Starts the node again. */
  up(): void;
  /** Keeps new Pods from the node. */
  cordon(): Promise<void>;
  /** Lets new Pods onto the node again. */
  uncordon(): Promise<void>;
  /**
   * Cordons the node and evicts its Pods, as `kubectl drain --ignore-daemonsets --force` does, and resolves when they have ended.
   * PodDisruptionBudgets are respected.
   * @throws OpSdkError testenv/not-drained
   */
  drain(options?: DrainOptions): Promise<void>;
}

/** The nodes of a test control plane. */
export interface TestNodes {
  /** All nodes, in the order of their numbers. */
  readonly nodes: readonly TestNode[];
  /** Controls the Pods that a selector selects, on all nodes. Default: all Pods. */
  pods(selector?: PodSelector): TestPods;
  /**
   * Returns the address of a Pod or Service with {@link NodeOptions.runProcesses}, by its name: `POD.SUBDOMAIN.NAMESPACE.svc` or
   * `SERVICE.NAMESPACE.svc`. A Pod has it before it is created, and keeps it when it is replaced.
   * @throws OpSdkError testenv/unknown-name for other names, and without processes
   */
  resolve(name: string): string;
  /**
   * Settings of a Node program that runs beside the test, such as an operator in a process of its own: with these flags and variables it
   * finds the names of Pods and Services, also of Pods that are not created yet. `OPSDK_PROGRAMS` is `true` there. None without
   * {@link NodeOptions.runProcesses}.
   */
  readonly programSettings: ProgramSettings;
}

interface TestNodeParts {
  readonly client: KubeClient;
  readonly signal: AbortSignal;
  /** Names of the nodes that renew their leases. */
  readonly alive: Set<string>;
  readonly kubelet: Kubelet | undefined;
  readonly pods: Mirror<Pod>;
  readonly onError: (error: unknown) => void;
}

/** Returns the controls of a node. */
export function testNode(
  name: string,
  { client, signal, alive, kubelet, pods, onError }: TestNodeParts,
): TestNode {
  return {
    name,
    down() {
      alive.delete(name);
      kubelet?.goDown();
    },
    up() {
      alive.add(name);
      kubelet?.comeUp(pods.all().filter(({ spec }) => spec?.nodeName === name));
      void setReady(client, name).catch(onError);
    },
    cordon: () => setUnschedulable(client, name, true),
    uncordon: () => setUnschedulable(client, name, false),
    async drain(settings = {}) {
      await setUnschedulable(client, name, true);
      await drainNode(client, name, settings, signal);
    },
  };
}

/** @throws OpSdkError testenv/unknown-name, because Pods that pretend to run have no address at which something answers */
export function refuseName(name: string): never {
  throw new OpSdkError({
    code: 'testenv/unknown-name',
    message: `${JSON.stringify(name)} has no address: the Pods only pretend to run`,
    fix: ['startControlPlane({ nodes: { runProcesses } })'],
  });
}
