import { labelsMatch, parseLabelSelector } from '../../base/util/label-selector.ts';
import type { Container, Pod } from '../../sdk/k8s/generated/core/v1.ts';
import type { ContainerExit } from './container-runtime.ts';
import type { PodMachine } from './pod-machine.ts';
import type { PodScript } from './pod-script.ts';

/** Selects Pods of the nodes, now and later. */
export interface PodSelector {
  /** Default: all namespaces. */
  readonly namespace?: string;
  /** Name of the Pod. Default: any. */
  readonly name?: string;
  /** Label selector with the syntax of `kubectl -l`, such as `app=web`. Default: any labels. */
  readonly labels?: string;
  /** Name of a container. Default: all main containers. */
  readonly container?: string;
}

/** A demand on Pods that holds until it is released. */
export interface PodDemand extends Disposable {
  /** Ends the demand. The Pods then continue as on any node. */
  release(): void;
}

/** Controls for the Pods that a selector selects. Demands hold for Pods that come later, too. */
export interface TestPods {
  /** Ends the containers that run, as if the program had ended. They are started again by the Pod's restart policy. */
  crash(exit?: Partial<ContainerExit>): void;
  /** Ends containers as soon as they start, so that they end in CrashLoopBackOff. */
  crashLoop(exit?: Partial<ContainerExit>): PodDemand;
  /** Ends the containers that run with exit code 137 and the reason `OOMKilled`. */
  oomKill(): void;
  /** Ends the containers that run with exit code 0. */
  succeed(): void;
  /**
   * Fails the Pods, as a node that runs out of memory does: kills their containers and sets their phase to Failed, regardless of the
   * restart policy.
   * @param failure default: reason `Evicted`, with the message of a lack of memory
   */
  fail(failure?: { readonly reason?: string; readonly message?: string }): void;
  /** Adds a text to the logs of the containers that run, for `kubectl logs`. A line break is added to its end unless it has one. */
  log(text: string): void;
  /** Makes the pull of images fail. @param message default: that the image was not found */
  failImagePull(message?: string): PodDemand;
  /** Keeps Pods in ContainerCreating. */
  holdStart(): PodDemand;
  /** Makes readiness probes fail. */
  notReady(): PodDemand;
}

interface Demand {
  readonly selector: PodSelector;
  readonly kind: 'hold' | 'pull' | 'not-ready' | 'crash';
  readonly message?: string | undefined;
  readonly exit?: ContainerExit;
}

/** The demands of tests on all Pods of a control plane. */
export class PodDemands implements PodScript {
  readonly #demands = new Set<Demand>();
  readonly #machines: () => readonly PodMachine[];

  /** @param machines returns the Pods of all nodes */
  constructor(machines: () => readonly PodMachine[]) {
    this.#machines = machines;
  }

  isHeld(pod: Pod): boolean {
    return this.#find('hold', pod) !== undefined;
  }

  pullFailure(pod: Pod, container: Container): string | undefined {
    const demand = this.#find('pull', pod, container);
    if (demand === undefined) return undefined;
    const image = container.image ?? '';
    return (
      demand.message ??
      `failed to pull and unpack image "${image}": failed to resolve reference "${image}": ${image}: not found`
    );
  }

  isNotReady(pod: Pod, container: Container): boolean {
    return this.#find('not-ready', pod, container) !== undefined;
  }

  endsAtStart(pod: Pod, container: Container): ContainerExit | undefined {
    return this.#find('crash', pod, container)?.exit;
  }

  /** Returns the controls of the Pods that a selector selects. @throws LabelSelectorError */
  pods(selector: PodSelector = {}): TestPods {
    // The selector is read now, so that a mistake in it fails where it is written.
    parseLabelSelector(selector.labels ?? '');
    const demand = (rest: Omit<Demand, 'selector'>): PodDemand => this.#add({ selector, ...rest });
    return {
      crash: (exit = {}) => this.#end(selector, { exitCode: 1, ...exit }),
      crashLoop: (exit = {}) => {
        const end = { exitCode: 1, ...exit };
        const added = demand({ kind: 'crash', exit: end });
        this.#end(selector, end);
        return added;
      },
      oomKill: () => this.#end(selector, { exitCode: 137, reason: 'OOMKilled' }),
      succeed: () => this.#end(selector, { exitCode: 0 }),
      fail: ({ reason = 'Evicted', message = 'The node was low on resource: memory. ' } = {}) => {
        for (const machine of this.#selected(selector)) machine.fail({ reason, message, isDisruption: true });
      },
      log: (text) => {
        const lines = text.endsWith('\n') ? text : `${text}\n`;
        for (const machine of this.#selected(selector)) machine.log(lines, selector.container);
      },
      failImagePull: (message) => demand({ kind: 'pull', message }),
      holdStart: () => demand({ kind: 'hold' }),
      notReady: () => demand({ kind: 'not-ready' }),
    };
  }

  #add(demand: Demand): PodDemand {
    this.#demands.add(demand);
    this.#stepAll();
    const release = (): void => {
      if (this.#demands.delete(demand)) this.#stepAll();
    };
    return { release, [Symbol.dispose]: release };
  }

  #stepAll(): void {
    for (const machine of this.#machines()) machine.step();
  }

  #end(selector: PodSelector, exit: ContainerExit): void {
    const only = selector.container === undefined ? undefined : [selector.container];
    for (const machine of this.#selected(selector)) machine.end(exit, only);
  }

  #selected(selector: PodSelector): readonly PodMachine[] {
    return this.#machines().filter(({ pod }) => selects(selector, pod));
  }

  #find(kind: Demand['kind'], pod: Pod, container?: Container): Demand | undefined {
    return [...this.#demands].find(
      (demand) =>
        demand.kind === kind &&
        selects(demand.selector, pod) &&
        (demand.selector.container === undefined || demand.selector.container === container?.name),
    );
  }
}

function selects({ namespace, name, labels }: PodSelector, { metadata }: Pod): boolean {
  return (
    (namespace === undefined || namespace === metadata.namespace) &&
    (name === undefined || name === metadata.name) &&
    (labels === undefined || labelsMatch(parseLabelSelector(labels), metadata.labels))
  );
}
