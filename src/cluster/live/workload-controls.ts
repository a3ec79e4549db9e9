import type { KubeObject } from '../../sdk/api/index.ts';
import type { PodDemand, TestNodes, TestPods } from '../../testing/index.ts';
import type { ObjectControls } from './objects/live-objects.ts';
import type { RowAction } from './objects/object-row.ts';

interface PodAction extends Pick<RowAction, 'name' | 'label' | 'title'> {
  readonly run: (pods: TestPods) => PodDemand | void;
  /** True if the action lasts until it is requested again. */
  readonly lasts: boolean;
}

const podActions: readonly PodAction[] = [
  {
    ...{ name: 'crash', label: 'Crash', lasts: false },
    title: 'Ends the containers with exit code 1; they are restarted as the Pod says',
    run: (pods) => pods.crash(),
  },
  {
    ...{ name: 'crash-loop', label: 'Crash loop', lasts: true },
    title: 'Ends the containers whenever they start, up to CrashLoopBackOff',
    run: (pods) => pods.crashLoop(),
  },
  {
    ...{ name: 'not-ready', label: 'Not ready', lasts: true },
    title: 'Lets the readiness probes fail',
    run: (pods) => pods.notReady(),
  },
  {
    ...{ name: 'fail-image', label: 'Fail image pull', lasts: true },
    title: 'Ends the containers and lets no image be pulled for them, up to ImagePullBackOff',
    run: (pods) => {
      const demand = pods.failImagePull();
      // A running container does not pull its image, so it is ended, and restarted.
      pods.crash();
      return demand;
    },
  },
  {
    ...{ name: 'evict', label: 'Evict', lasts: false },
    title: 'Gives the Pod up, as a node without memory does: its phase becomes Failed',
    run: (pods) => pods.fail(),
  },
];

const stopNode: RowAction = {
  ...{ name: 'stop', label: 'Stop' },
  title: 'Ends the node as a loss of power does; after some seconds it is no longer ready',
};
const startNode: RowAction = { name: 'start', label: 'Start', title: 'Starts the node again' };

/** Simulates failures of Pods and nodes, on request of the page. Only for a control plane that this process has started. */
export class WorkloadControls implements ObjectControls {
  readonly #workloads: TestNodes;
  /** Lasting demands on Pods, by uid and by the name of the action. */
  readonly #demands = new Map<string, Map<string, PodDemand>>();
  readonly #stopped = new Set<string>();

  constructor(workloads: TestNodes) {
    this.#workloads = workloads;
  }

  actionsOf(object: KubeObject): readonly RowAction[] {
    if (isNode(object)) return [this.#stopped.has(object.metadata.name) ? startNode : stopNode];
    if (!isLivingPod(object)) return [];
    const demands = this.#demands.get(uidOf(object));
    return podActions.map(({ name, label, title, lasts }) => ({
      ...{ name, label, title },
      ...(lasts ? { pressed: demands?.has(name) === true } : {}),
    }));
  }

  /**
   * Runs an action, or begins or ends a lasting one.
   * @param pressed true to begin a lasting action, false to end it; ignored for other actions
   * @returns false if the object has no such action
   */
  run(object: KubeObject, name: string, pressed: boolean): boolean {
    if (isNode(object)) return this.#runNode(object.metadata.name, name);
    const action = isLivingPod(object) ? podActions.find((each) => each.name === name) : undefined;
    if (action === undefined) return false;
    const demands = this.#demands.get(uidOf(object)) ?? new Map<string, PodDemand>();
    if (action.lasts && !pressed) {
      demands.get(name)?.release();
      demands.delete(name);
      return true;
    }
    if (demands.has(name)) return true;
    const { namespace, name: pod } = object.metadata;
    const demand = action.run(
      this.#workloads.pods({ ...(namespace === undefined ? {} : { namespace }), name: pod }),
    );
    if (demand === undefined) return true;
    demands.set(name, demand);
    this.#demands.set(uidOf(object), demands);
    return true;
  }

  /** Ends the demands on a deleted Pod, because another Pod may get its name. */
  forget(object: KubeObject): void {
    const uid = uidOf(object);
    for (const demand of this.#demands.get(uid)?.values() ?? []) demand.release();
    this.#demands.delete(uid);
  }

  #runNode(name: string, action: string): boolean {
    const node = this.#workloads.nodes.find((each) => each.name === name);
    if (node === undefined) return false;
    if (action === stopNode.name) {
      this.#stopped.add(name);
      node.down();
    } else if (action === startNode.name) {
      this.#stopped.delete(name);
      node.up();
    } else return false;
    return true;
  }
}

function isNode({ apiVersion, kind }: KubeObject): boolean {
  return apiVersion === 'v1' && kind === 'Node';
}

/** Returns true for a Pod that has not ended. */
function isLivingPod(object: KubeObject): boolean {
  const { apiVersion, kind, status } = object as KubeObject & {
    readonly status?: { readonly phase?: string };
  };
  return apiVersion === 'v1' && kind === 'Pod' && status?.phase !== 'Failed' && status?.phase !== 'Succeeded';
}

function uidOf({ metadata }: KubeObject): string {
  return metadata.uid ?? '';
}
