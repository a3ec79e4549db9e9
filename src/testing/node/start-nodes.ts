import { setMaxListeners } from 'node:events';
import type { KubeClient } from '../../sdk/kube/index.ts';
import { systemClock, type Clock } from '../../sdk/net/index.ts';
import { Pod, type Node } from '../../sdk/k8s/generated/core/v1.ts';
import type { CertificateAuthority } from '../../sdk/x509/certificate-authority.ts';
import { Kubelet } from './kubelet.ts';
import { KubeletServer } from './kubelet-server.ts';
import { LoadBalancers } from './load-balancers.ts';
import { startMirror } from './mirror.ts';
import { startMirrors } from './mirrors.ts';
import { registerNode, renewLeases } from './node-object.ts';
import { PodDemands } from './pod-control.ts';
import { PodEvents } from './pod-events.ts';
import type { PodMachine } from './pod-machine.ts';
import { environmentProblem, volumeProblem, type ConfigSources } from './pod-references.ts';
import { PretendedAddresses } from './pretended-addresses.ts';
import { pretendingRuntime } from './pretending-runtime.ts';
import { AddressBlock } from './processes/address-block.ts';
import { PodProcesses, type ProcessHost } from './processes/pod-processes.ts';
import { Scheduler } from './scheduler.ts';
import { createDefaultClass, pretendedDriver, Storage } from './storage.ts';
import { refuseName, testNode, type NodeOptions, type TestNodes } from './test-nodes.ts';

interface StartNodesOptions extends NodeOptions {
  /** Client of an administrator. */
  readonly client: KubeClient;
  /** Parts of the control plane that processes of Pods need. */
  readonly host: ProcessHost;
  /** Authority of the control plane. */
  readonly authority: CertificateAuthority;
  /** Version of Kubernetes that the nodes report, such as `1.37.2`. */
  readonly version: string;
  readonly signal: AbortSignal;
  readonly clock?: Clock;
  /** Called with errors of the API server that the nodes survive, and with defects, which end them. */
  readonly onError: (error: unknown) => void;
}

/** Running nodes. */
export interface StartedNodes {
  readonly workloads: TestNodes;
  /** Releases the resources of the nodes. Call it after the signal has aborted. */
  close(): Promise<void>;
}

/**
 * Creates nodes for a control plane. A scheduler binds Pods to them, and the kubelet of each node pretends to run the containers and writes
 * the statuses that a real kubelet would write. Resolves when the nodes are ready. They end with the signal.
 */
export async function startNodes(options: StartNodesOptions): Promise<StartedNodes> {
  setMaxListeners(0, options.signal);
  const kubelets = new Map<string, Kubelet>();
  const block = options.runProcesses && (await AddressBlock.take());
  const server = await KubeletServer.open({
    authority: options.authority,
    find: (namespace, name) =>
      machinesOf(kubelets).find(
        ({ pod: { metadata } }) => metadata.name === name && metadata.namespace === namespace,
      ),
  });
  const close = async (): Promise<void> => {
    await server.close();
    await block?.close();
  };
  try {
    const { workloads, end } = await runNodes(options, kubelets, server, block);
    return {
      workloads,
      async close() {
        await end();
        await close();
      },
    };
  } catch (error) {
    await close();
    throw error;
  }
}

function machinesOf(kubelets: ReadonlyMap<string, Kubelet>): readonly PodMachine[] {
  return [...kubelets.values()].flatMap((kubelet) => kubelet.machines);
}

async function runNodes(
  options: StartNodesOptions,
  kubelets: Map<string, Kubelet>,
  server: KubeletServer,
  block: AddressBlock | undefined,
): Promise<{ readonly workloads: TestNodes; readonly end: () => Promise<void> }> {
  const { client, signal, onError, clock = systemClock, count = 1 } = options;
  const now = (): Date => new Date();
  const names = Array.from({ length: count }, (_, index) => `node-${index + 1}`);
  const machines = (): readonly PodMachine[] => machinesOf(kubelets);
  const addresses = block ?? new PretendedAddresses();
  await createDefaultClass(client, pretendedDriver);
  await Promise.all(
    names.map((name, index) =>
      registerNode(client, { ...options, name, address: addresses.nodeAddress(index), port: server.port }),
    ),
  );

  const balancers = new LoadBalancers(client, onError);
  // Changes that arrive before all parts exist are handled when they do.
  let placed = (): void => undefined;
  let schedule = (): void => undefined;
  let settle = (): void => undefined;
  let processes: PodProcesses | undefined;
  const common = { connection: client.connection, signal, onDefect: onError };
  const mirrors = await startMirrors(common, {
    placement: () => {
      placed();
      schedule();
    },
    storage: () => {
      settle();
      schedule();
    },
    config: () => {
      processes?.update();
      for (const machine of machines()) machine.needsChanged();
    },
    service: ({ before, after }) => {
      processes?.takeService(before, after);
      if (after !== undefined) balancers.takeService(after);
    },
    ingress: (ingress) => balancers.takeIngress(ingress),
  });
  const sources: ConfigSources = {
    configMap: (namespace, name) => mirrors.configMaps.find(namespace, name),
    secret: (namespace, name) => mirrors.secrets.find(namespace, name),
  };
  const demands = new PodDemands(machines);
  const events = new PodEvents({ client, clock });
  const first = options.restartBackOff ?? 10_000;
  const pretending = pretendingRuntime(clock, now);
  if (options.runProcesses !== undefined && block !== undefined)
    processes = new PodProcesses({
      ...{ block, client, clock, now, sources, mirrors, onError },
      host: options.host,
      processes: options.runProcesses,
      otherwise: pretending,
    });
  for (const [index, name] of names.entries())
    kubelets.set(
      name,
      new Kubelet({
        ...{ client, clock, now, onError },
        addressOf: (pod) => addresses.addressOf(pod),
        hostIP: addresses.nodeAddress(index),
        runtime: processes?.runtime ?? pretending,
        script: demands,
        needs: {
          volumeProblem: (pod) => volumeProblem(pod, sources),
          environmentProblem: (pod, container) => environmentProblem(pod, container, sources),
        },
        record: events.recorder('kubelet', name),
        backOff: { first, longest: Math.max(first, 300_000) },
      }),
    );
  // Pods come last, so that the objects they refer to are known.
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
  processes?.follow(pods);
  const storage = new Storage({ client, clock, signal, driver: pretendedDriver, ...mirrors, onError });
  const scheduler = new Scheduler({
    ...{ client, clock, now, onError, signal },
    nodes: () => mirrors.nodes.all(),
    pods: () => pods.all(),
    namespaceLabels: (name) => mirrors.namespaces.find(undefined, name)?.metadata.labels ?? {},
    volumeReason: (pod) => storage.waitReason(pod),
    bindVolumes: (pod, node) => storage.bindOn(pod, node),
    record: events.recorder('default-scheduler', 'default-scheduler'),
  });
  schedule = () => scheduler.schedule();
  settle = () => storage.settle();
  settle();
  schedule();
  const alive = new Set(names);
  const stopLeases = renewLeases({
    ...{ client, alive, clock, onError },
    find: (name) => mirrors.nodes.find(undefined, name),
  });
  signal.addEventListener('abort', () => {
    stopLeases();
    for (const kubelet of kubelets.values()) kubelet.goDown();
  });
  await new Promise<void>((resolve) => {
    placed = () => {
      if (mirrors.nodes.all().every(isSchedulable)) resolve();
    };
    placed();
    signal.addEventListener('abort', () => resolve(), { once: true });
  });
  return {
    workloads: {
      nodes: names.map((name) =>
        testNode(name, { client, signal, alive, pods, onError, kubelet: kubelets.get(name) }),
      ),
      pods: (selector) => demands.pods(selector),
      resolve: (name) => block?.resolve(name) ?? refuseName(name),
      programSettings: processes?.programSettings ?? { nodeFlags: [], env: {} },
    },
    async end() {
      await events.close();
      await processes?.close();
    },
  };
}

/** Returns true once the controller manager has removed the taint of a new node, because the node is ready. */
function isSchedulable({ spec }: Node): boolean {
  return !(spec?.taints ?? []).some(({ key }) => key === 'node.kubernetes.io/not-ready');
}
