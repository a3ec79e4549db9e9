import type { KubeClient } from '../../sdk/kube/index.ts';
import type { Clock } from '../../sdk/net/index.ts';
import { Lease } from '../../sdk/k8s/generated/coordination/v1.ts';
import { Node, type NodeCondition } from '../../sdk/k8s/generated/core/v1.ts';
import { microTime } from '../../sdk/runtime/index.ts';
import { seconds } from '../api/requests/write-parts.ts';

/**
 * Interval at which a node renews its lease, in milliseconds. The controller manager of a test control plane regards a node as lost after
 * four seconds without renewal.
 */
const leaseInterval = 1000;

const defaultAllocatable = { cpu: '8', memory: '32Gi', 'ephemeral-storage': '100Gi', pods: '110' };

/** A node to register. */
interface NewNode {
  readonly name: string;
  readonly address: string;
  /** Version of Kubernetes that the node reports, such as `1.37.2`. */
  readonly version: string;
  /** Port on 127.0.0.1 on which the kubelet serves. */
  readonly port: number;
  /** Labels in addition to those of a kubelet. */
  readonly labels?: Readonly<Record<string, string>>;
  /** Resources in place of the default ones. */
  readonly allocatable?: Readonly<Record<string, string>>;
}

/** Creates a Node object and makes it ready, as a kubelet does when it starts. */
export async function registerNode(
  client: KubeClient,
  { name, address, version, port, labels = {}, allocatable = {} }: NewNode,
): Promise<void> {
  const resources = { ...defaultAllocatable, ...allocatable };
  await client.apply(Node, {
    metadata: {
      name,
      labels: {
        'kubernetes.io/hostname': name,
        'kubernetes.io/os': 'linux',
        'kubernetes.io/arch': 'amd64',
        ...labels,
      },
    },
  });
  const status = {
    capacity: resources,
    allocatable: resources,
    addresses: [
      { type: 'InternalIP', address },
      { type: 'Hostname', address: name },
      // The kubelets of all nodes serve on this machine.
      { type: 'InternalDNS', address: 'localhost' },
    ],
    ...(passesWebSockets(version) ? { declaredFeatures: ['ExtendWebSocketsToKubelet'] } : {}),
    daemonEndpoints: { kubeletEndpoint: { Port: port } },
    conditions: [
      condition(
        'MemoryPressure',
        'False',
        'KubeletHasSufficientMemory',
        'kubelet has sufficient memory available',
      ),
      condition('DiskPressure', 'False', 'KubeletHasNoDiskPressure', 'kubelet has no disk pressure'),
      condition('PIDPressure', 'False', 'KubeletHasSufficientPID', 'kubelet has sufficient PID available'),
      readyCondition(),
    ],
    nodeInfo: {
      architecture: 'amd64',
      operatingSystem: 'linux',
      kubeletVersion: `v${version}`,
      kubeProxyVersion: '',
      containerRuntimeVersion: 'op-sdk://pretended',
      osImage: 'op-sdk',
      kernelVersion: '',
      machineID: '',
      systemUUID: '',
      bootID: '',
    },
  };
  await client.patch(Node, { name }, { type: 'merge', body: { status } }, { subresource: 'status' });
}

/**
 * Returns true if the API server of this version can pass WebSockets for commands on to nodes that declare support for it. Older API
 * servers always use SPDY, and do not know the field of the declaration.
 */
function passesWebSockets(version: string): boolean {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  return major > 1 || minor >= 36;
}

function condition(type: string, status: string, reason: string, message: string): NodeCondition {
  const now = seconds(new Date());
  return { type, status, reason, message, lastHeartbeatTime: now, lastTransitionTime: now };
}

function readyCondition(): NodeCondition {
  return condition('Ready', 'True', 'KubeletReady', 'kubelet is posting ready status');
}

/** Makes a node ready again after it was down. */
export async function setReady(client: KubeClient, name: string): Promise<void> {
  await client.patch(
    Node,
    { name },
    { type: 'strategic', body: { status: { conditions: [readyCondition()] } } },
    { subresource: 'status' },
  );
}

/** Cordons a node, or lets new Pods onto it again. */
export async function setUnschedulable(
  client: KubeClient,
  name: string,
  unschedulable: boolean,
): Promise<void> {
  await client.patch(Node, { name }, { type: 'merge', body: { spec: { unschedulable } } });
}

function isGivenUp(node: Node | undefined): boolean {
  return node?.status?.conditions?.some(({ type, status }) => type === 'Ready' && status !== 'True') === true;
}

interface Leases {
  readonly client: KubeClient;
  /** Names of the nodes that are running. */
  readonly alive: ReadonlySet<string>;
  /** Returns the last known state of a node. */
  readonly find: (name: string) => Node | undefined;
  readonly clock: Clock;
  readonly onError: (error: unknown) => void;
}

/**
 * Renews the leases of nodes that are up, until the returned function is called. If the controller manager has marked a node as lost
 * meanwhile, for example because the API server was down for longer than a lease lasts, the node reports again that it is ready, as a
 * kubelet does with each status.
 */
export function renewLeases({ client, alive, find, clock, onError }: Leases): () => void {
  let cancel = (): void => undefined;
  let isStopped = false;
  const renew = async (): Promise<void> => {
    for (const name of alive) {
      await client.apply(Lease, {
        metadata: { name, namespace: 'kube-node-lease' },
        spec: {
          holderIdentity: name,
          leaseDurationSeconds: 40,
          renewTime: microTime(new Date()),
        },
      });
      if (isGivenUp(find(name))) await setReady(client, name);
    }
  };
  const loop = (): void => {
    void renew()
      .catch(onError)
      .finally(() => {
        if (!isStopped) cancel = clock.after(leaseInterval, loop);
      });
  };
  loop();
  return () => {
    isStopped = true;
    cancel();
  };
}
