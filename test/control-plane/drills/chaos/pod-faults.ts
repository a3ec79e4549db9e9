import { Pod } from '../../../../src/sdk/k8s/generated/core/v1.ts';
import { eventually } from '../../../../src/testing/index.ts';
import type { DrillCluster } from '../start-drill.ts';
import { HealthGate } from './health-gate.ts';
import type { Inflict } from './run-chaos.ts';

interface PodFaultsOptions {
  readonly namespace: string;
  /** Selects the Pods to hit. */
  readonly labelSelector: string;
  /** Group of a Pod. Default: there are none, and all may be hit at the same time. */
  readonly groupOf?: (pod: Pod) => string;
  /** Rejects as long as a group is not in order: none of its Pods is hit before. */
  readonly expectHealthy?: (group: string) => Promise<unknown>;
}

/** An API server that was killed is back before this time is over, in milliseconds. */
const patience = { timeout: 60_000 };

/** Faults of Pods and nodes. */
export class PodFaults {
  readonly #cluster: DrillCluster;
  readonly #options: PodFaultsOptions;
  readonly #gate: HealthGate | undefined;

  constructor(cluster: DrillCluster, options: PodFaultsOptions) {
    this.#cluster = cluster;
    this.#options = options;
    const { expectHealthy, groupOf } = options;
    if (expectHealthy === undefined || groupOf === undefined) return;
    this.#gate = new HealthGate({
      running: async (group) => (await this.#list()).filter((pod) => groupOf(pod) === group).flatMap(idsOf),
      expectHealthy,
    });
  }

  /** Kills the process of a Pod, as the kernel does without memory. The kubelet starts it again. */
  readonly killProcess: Inflict = (draw, signal) =>
    this.#hit(
      (pods) => pickOne(pods, draw),
      signal,
      async ([name = '']) => {
        this.#cluster.plane.workloads.pods({ name, namespace: this.#options.namespace }).crash({
          exitCode: 137,
        });
        return { victim: name };
      },
    );

  /** Deletes a Pod, whose process is asked to end. */
  readonly deletePod: Inflict = (draw, signal) =>
    this.#hit(
      (pods) => pickOne(pods, draw),
      signal,
      ([name = '']) => this.#delete(name, undefined),
    );

  /** Deletes a Pod at once: its process is killed. */
  readonly forceDeletePod: Inflict = (draw, signal) =>
    this.#hit(
      (pods) => pickOne(pods, draw),
      signal,
      ([name = '']) => this.#delete(name, 0),
    );

  /** Ends a node with all its Pods, as a loss of power does. Mended by its return. */
  readonly stopNode: Inflict = (draw, signal) => {
    const { nodes } = this.#cluster.plane.workloads;
    const node = nodes[Math.floor(draw * nodes.length)];
    return this.#hit(
      (pods) => pods.filter(({ spec }) => spec?.nodeName === node?.name),
      signal,
      async (names) => {
        node?.down();
        return { victim: `${node?.name} with ${names.join(', ')}`, mend: () => node?.up() };
      },
    );
  };

  async #hit(
    choose: (pods: readonly Pod[]) => readonly Pod[],
    signal: AbortSignal,
    inflict: (names: readonly string[]) => ReturnType<Inflict>,
  ): ReturnType<Inflict> {
    const groupsOf = (pods: readonly Pod[]): readonly string[] =>
      pods.map((pod) => this.#options.groupOf?.(pod) ?? '');
    const groups = new Set(groupsOf(choose(await this.#listPatiently())));
    const leave = await this.#gate?.enter([...groups], signal);
    if (signal.aborted) {
      leave?.([]);
      return undefined;
    }
    const victims = choose(await this.#listPatiently());
    // Others may have come while it waited.
    const isKnown = groupsOf(victims).every((group) => groups.has(group));
    const inflicted =
      victims.length > 0 && isKnown
        ? await inflict(victims.map(({ metadata: { name = '' } }) => name))
        : undefined;
    const end = (): void => leave?.(inflicted === undefined ? [] : victims.flatMap(idsOf));
    if (inflicted?.mend === undefined) {
      end();
      return inflicted;
    }
    const { victim, mend } = inflicted;
    return { victim, mend: async () => (await mend(), end()) };
  }

  async #delete(name: string, gracePeriodSeconds: number | undefined): ReturnType<Inflict> {
    const { namespace } = this.#options;
    await eventually(
      () =>
        this.#cluster.client.delete(
          Pod,
          { name, namespace },
          { ignoreNotFound: true, ...(gracePeriodSeconds === undefined ? {} : { gracePeriodSeconds }) },
        ),
      patience,
    );
    return { victim: name };
  }

  async #list(): Promise<readonly Pod[]> {
    const { namespace, labelSelector } = this.#options;
    const { items } = await this.#cluster.client.list(Pod, { namespace, labelSelector });
    return [...items].sort((a, b) => a.metadata.name.localeCompare(b.metadata.name));
  }

  #listPatiently(): Promise<readonly Pod[]> {
    return eventually(() => this.#list(), patience);
  }
}

function pickOne(pods: readonly Pod[], draw: number): readonly Pod[] {
  const pod = pods[Math.floor(draw * pods.length)];
  return pod === undefined ? [] : [pod];
}

/** Returns the IDs of the containers of a Pod that run. */
function idsOf({ status }: Pod): readonly string[] {
  return (status?.containerStatuses ?? []).flatMap(({ containerID, state }) =>
    containerID !== undefined && state?.running !== undefined ? [containerID] : [],
  );
}
