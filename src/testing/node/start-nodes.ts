import { setMaxListeners } from 'node:events';
import type { KubeClient } from '../../sdk/kube/index.ts';
import { systemClock, type Clock } from '../../sdk/net/index.ts';
import {
  Namespace,
  Node,
  PersistentVolume,
  PersistentVolumeClaim,
  Pod,
  Service,
} from '../../sdk/k8s/generated/core/v1.ts';
import { Ingress } from '../../sdk/k8s/generated/networking/v1.ts';
import { StorageClass } from '../../sdk/k8s/generated/storage/v1.ts';
import { Kubelet } from './kubelet.ts';
import { LoadBalancers } from './load-balancers.ts';
import { startMirror } from './mirror.ts';
import { registerNode, renewLeases, setReady, setUnschedulable } from './node-object.ts';
import { PodDemands, type PodSelector, type TestPods } from './pod-control.ts';
import { pretendingRuntime } from './pretending-runtime.ts';
import { Scheduler } from './scheduler.ts';
import { createDefaultClass, Storage } from './storage.ts';

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
}

/** A node of a test control plane. */
export interface TestNode {
  /** Name of the Node object. */
  readonly name: string;
  /** Ends the node as a loss of power does: no status, no lease. The controller manager notices it after some seconds. */
  down(): void;
  /** Starts the node again. */
  up(): void;
  /** Keeps new Pods from the node. */
  cordon(): Promise<void>;
  /** Lets new Pods onto the node again. */
  uncordon(): Promise<void>;
}

/** The nodes of a test control plane. */
export interface TestNodes {
  /** All nodes, in the order of their numbers. */
  readonly nodes: readonly TestNode[];
  /** Controls the Pods that a selector selects, on all nodes. Default: all Pods. */
  pods(selector?: PodSelector): TestPods;
}

interface StartNodesOptions extends NodeOptions {
  /** Client of an administrator. */
  readonly client: KubeClient;
  /** Version of Kubernetes that the nodes report, such as `1.37.2`. */
  readonly version: string;
  readonly signal: AbortSignal;
  readonly clock?: Clock;
  /** Called with errors of the API server that the nodes survive, and with defects, which end them. */
  readonly onError: (error: unknown) => void;
}

/**
 * Makes nodes for a control plane: a scheduler binds Pods to them, and a kubelet each pretends to run their containers and writes the
 * statuses that a real kubelet would write. Resolves when the nodes are ready. They end with the signal.
 */
export async function startNodes(options: StartNodesOptions): Promise<TestNodes> {
  const { client, signal, onError, clock = systemClock, count = 1 } = options;
  setMaxListeners(0, signal);
  const now = (): Date => new Date();
  const kubelets = new Map<string, Kubelet>();
  const demands = new PodDemands(() => [...kubelets.values()].flatMap(({ machines }) => machines));
  const runtime = pretendingRuntime(clock);
  const addresses = podAddresses();
  const names = Array.from({ length: count }, (_, index) => `node-${index + 1}`);
  const first = options.restartBackOff ?? 10_000;
  for (const [index, node] of names.entries()) {
    const kubelet = new Kubelet({
      client,
      hostIP: hostIP(index),
      clock,
      now,
      runtime,
      script: demands,
      backOff: { first, longest: Math.max(first, 300_000) },
      addressOf: addresses,
      onError,
    });
    kubelets.set(node, kubelet);
    await registerNode(client, { ...options, name: node, address: hostIP(index) });
  }
  const common = { connection: client.connection, signal, onDefect: onError };
  let schedule = (): void => undefined;
  let settle = (): void => undefined;
  const storageChanged = (): void => {
    settle();
    schedule();
  };
  await createDefaultClass(client);
  const classes = await startMirror({ ...common, resource: StorageClass, onChange: storageChanged });
  const volumes = await startMirror({ ...common, resource: PersistentVolume, onChange: storageChanged });
  const claims = await startMirror({ ...common, resource: PersistentVolumeClaim, onChange: storageChanged });
  const storage = new Storage({ client, claims, volumes, classes, onError });
  const balancers = new LoadBalancers(client, onError);
  await startMirror({
    ...common,
    resource: Service,
    onChange: ({ after }) => after && balancers.takeService(after),
  });
  await startMirror({
    ...common,
    resource: Ingress,
    onChange: ({ after }) => after && balancers.takeIngress(after),
  });
  const namespaces = await startMirror({ ...common, resource: Namespace, onChange: () => schedule() });
  const nodes = await startMirror({ ...common, resource: Node, onChange: () => schedule() });
  const pods = await startMirror({
    ...common,
    resource: Pod,
    onChange: ({ before, after }) => {
      const kubelet = kubelets.get((after ?? before)?.spec?.nodeName ?? '');
      if (after !== undefined) kubelet?.take(after);
      else if (before !== undefined) kubelet?.forget(before);
      schedule();
    },
  });
  const scheduler = new Scheduler({
    client,
    nodes: () => nodes.all(),
    pods: () => pods.all(),
    namespaceLabels: (name) => namespaces.find(undefined, name)?.metadata.labels ?? {},
    volumeReason: (pod) => storage.waitReason(pod),
    bindVolumes: (pod, node) => storage.bindOn(pod, node),
    clock,
    now,
    onError,
  });
  schedule = () => scheduler.schedule();
  settle = () => storage.settle();
  storageChanged();
  const alive = new Set(names);
  const stopLeases = renewLeases(client, alive, clock, onError);
  signal.addEventListener('abort', () => {
    stopLeases();
    for (const kubelet of kubelets.values()) kubelet.goDown();
  });
  const testNode = (name: string): TestNode => ({
    name,
    down() {
      alive.delete(name);
      kubelets.get(name)?.goDown();
    },
    up() {
      alive.add(name);
      const own = pods.all().filter(({ spec }) => spec?.nodeName === name);
      kubelets.get(name)?.comeUp(own);
      void setReady(client, name).catch(onError);
    },
    cordon: () => setUnschedulable(client, name, true),
    uncordon: () => setUnschedulable(client, name, false),
  });
  return { nodes: names.map(testNode), pods: (selector) => demands.pods(selector) };
}

/** Nodes have addresses of their own, outside of the range of Pods. */
function hostIP(index: number): string {
  return `10.199.${Math.floor(index / 250)}.${(index % 250) + 1}`;
}

/** Returns a function that gives each Pod an address of 10.244.0.0/16 that no other has. */
function podAddresses(): (pod: Pod) => string {
  const given = new Map<string, string>();
  let next = 1;
  return ({ metadata }) => {
    const uid = metadata.uid ?? '';
    const known = given.get(uid);
    if (known !== undefined) return known;
    next = (next % 65_000) + 1;
    const address = `10.244.${Math.floor(next / 250)}.${(next % 250) + 1}`;
    given.set(uid, address);
    return address;
  };
}
