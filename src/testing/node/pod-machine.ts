import { randomUUID } from 'node:crypto';
import { isEqualJson } from '../../base/util/json-map.ts';
import type { Clock } from '../../sdk/net/index.ts';
import { seconds } from '../api/requests/write-parts.ts';
import type { Container, ContainerState, Pod, PodStatus } from '../../sdk/k8s/generated/core/v1.ts';
import type { ContainerExit, ContainerRun, ContainerRuntime } from './container-runtime.ts';
import { duration, readyTime, slotOf, startedTime, waiting, type Slot } from './container-slot.ts';
import { isOver, phaseOf, podStatus, type ContainerRecord, type ContainerRole } from './pod-status.ts';

/** Demands of tests on Pods. They are looked up at every step, so that a change takes effect with the next one. */
export interface PodScript {
  /** True to keep the containers in `ContainerCreating`. */
  isHeld(pod: Pod): boolean;
  /** Reason for which an image cannot be pulled; undefined if it can. */
  pullFailure(pod: Pod, container: Container): string | undefined;
  /** True if the readiness probe fails. */
  isNotReady(pod: Pod, container: Container): boolean;
  /** Returns the exit with which a container ends as soon as it starts; undefined if it runs. */
  endsAtStart(pod: Pod, container: Container): ContainerExit | undefined;
}

interface PodMachineOptions {
  readonly clock: Clock;
  /** Returns the time for statuses. */
  readonly now: () => Date;
  readonly runtime: ContainerRuntime;
  readonly script: PodScript;
  readonly hostIP: string;
  readonly podIP: string;
  /** Delay before a container is started the second time, in milliseconds; it doubles up to `longest`. */
  readonly backOff: { readonly first: number; readonly longest: number };
  /** Writes a status. Called with every change. */
  readonly publish: (status: PodStatus) => void;
  /** Called when all containers of a Pod that is being deleted have ended. */
  readonly ended: () => void;
}

/** A back-off is forgotten when a container has run for so long. Source: kubelet, `backOffPeriod` and `MaxContainerBackOff`. */
const forgetAfter = 600_000;

/**
 * One Pod on a node: starts its containers in order, starts again those that end, and says what a kubelet would write into its status. It
 * moves by the calls of its methods and by its clock, and never looks at the API server.
 * @see https://github.com/kubernetes/kubernetes/blob/master/pkg/kubelet/kuberuntime/kuberuntime_manager.go, `computePodActions`
 */
export class PodMachine {
  readonly #options: PodMachineOptions;
  readonly #slots: readonly Slot[];
  readonly #startTime: string;
  #pod: Pod;
  #published: PodStatus | undefined;
  #hasNetwork = false;
  #hasEnded = false;
  #isStepping = false;
  #isDue = false;
  #cancelTimer: () => void = () => undefined;

  constructor(pod: Pod, options: PodMachineOptions) {
    this.#pod = pod;
    this.#options = options;
    this.#startTime = seconds(options.now());
    const { initContainers = [], containers = [] } = pod.spec ?? {};
    const hasInits = initContainers.length > 0;
    this.#slots = [
      ...initContainers.map((container) =>
        slotOf(container, container.restartPolicy === 'Always' ? 'sidecar' : 'init', hasInits),
      ),
      ...containers.map((container) => slotOf(container, 'main', hasInits)),
    ];
  }

  get pod(): Pod {
    return this.#pod;
  }

  /** Takes a newer version of the Pod. */
  update(pod: Pod): void {
    this.#pod = pod;
    this.step();
  }

  /** Ends running containers as if they had failed by themselves. @param only names of containers; default: all main containers */
  end(exit: ContainerExit, only?: readonly string[]): void {
    for (const slot of this.#slots) {
      const isMeant = only === undefined ? slot.role === 'main' : only.includes(slot.container.name);
      if (isMeant && slot.run !== undefined) this.#exited(slot, slot.run, exit);
    }
    this.step();
  }

  /** Stops the machine and its containers at once, without a status: the node has gone down, or the Pod is gone. */
  dispose(): void {
    this.#hasEnded = true;
    this.#cancelTimer();
    for (const slot of this.#slots) {
      const { run } = slot;
      slot.run = undefined;
      run?.stop(0);
    }
  }

  /** Does everything that is due now, and publishes the status if it has changed. */
  step(): void {
    // A container that ends while a step runs makes it run again.
    this.#isDue = true;
    if (this.#isStepping) return;
    this.#isStepping = true;
    while (this.#isDue && !this.#hasEnded) {
      this.#isDue = false;
      this.#stepOnce();
    }
    this.#isStepping = false;
  }

  #stepOnce(): void {
    this.#cancelTimer();
    const isDeleted = this.#pod.metadata.deletionTimestamp !== undefined;
    const wakeAt = isDeleted ? this.#terminate() : this.#advance();
    this.#publish();
    if (isDeleted && this.#slots.every(({ run }) => run === undefined)) {
      this.#hasEnded = true;
      return this.#options.ended();
    }
    if (Number.isFinite(wakeAt)) {
      const { clock } = this.#options;
      this.#cancelTimer = clock.after(Math.max(wakeAt - clock.now(), 0), () => this.step());
    }
  }

  /** Asks the containers to end: sidecars after the others, in reverse order. @returns time of the next step */
  #terminate(): number {
    const grace = this.#pod.metadata.deletionGracePeriodSeconds ?? 30;
    const others = this.#slots.filter(({ role, run }) => role !== 'sidecar' && run !== undefined);
    const sidecars = this.#slots.filter(({ role, run }) => role === 'sidecar' && run !== undefined);
    for (const slot of others.length > 0 ? others : sidecars.slice(-1)) this.#stop(slot, grace);
    for (const slot of this.#slots) {
      if (
        slot.state.waiting !== undefined &&
        slot.run === undefined &&
        slot.lastState?.terminated !== undefined
      ) {
        slot.state = slot.lastState;
        slot.lastState = undefined;
      }
    }
    return Infinity;
  }

  #stop(slot: Slot, grace: number): void {
    if (slot.isStopping) return;
    slot.isStopping = true;
    slot.run?.stop(grace);
  }

  /** Starts what is due. @returns time of the next step */
  #advance(): number {
    if (isOver(phaseOf(this.#pod, this.#records()))) return this.#endSidecars();
    if (this.#options.script.isHeld(this.#pod)) return Infinity;
    // A Pod is seen in ContainerCreating before its containers run.
    if (!this.#hasNetwork) {
      this.#publish();
      this.#hasNetwork = true;
    }
    let wakeAt = Infinity;
    for (const slot of this.#slots.filter(({ role }) => role !== 'main')) {
      if (slot.role === 'init' && slot.state.terminated?.exitCode === 0) continue;
      wakeAt = Math.min(wakeAt, this.#keepRunning(slot));
      if (slot.role === 'init' || !this.#isStarted(slot)) return Math.min(wakeAt, this.#probeTime(slot));
    }
    for (const slot of this.#slots.filter(({ role }) => role === 'main')) {
      if (slot.state.waiting?.reason === 'PodInitializing') slot.state = waiting('ContainerCreating');
      wakeAt = Math.min(wakeAt, this.#keepRunning(slot));
    }
    return Math.min(wakeAt, this.#endSidecars(), ...this.#slots.map((slot) => this.#probeTime(slot)));
  }

  /** Sidecars end when the containers of a Pod that is not started again have ended. */
  #endSidecars(): number {
    const mains = this.#slots.filter(({ role }) => role === 'main');
    const areDone = mains.every(
      ({ state, container }) => state.terminated !== undefined && !this.#restarts(state, 'main', container),
    );
    if (areDone)
      for (const slot of this.#slots)
        if (slot.role === 'sidecar' && slot.run !== undefined) this.#stop(slot, 30);
    return Infinity;
  }

  /** Starts a container that is not running, if it is due. @returns time at which it will be due */
  #keepRunning(slot: Slot): number {
    if (slot.run !== undefined) return Infinity;
    const { clock, script, backOff } = this.#options;
    const { state, container } = slot;
    const hasEnded = state.terminated !== undefined || slot.lastState?.terminated !== undefined;
    if (state.terminated !== undefined && !this.#restarts(state, slot.role, container)) return Infinity;
    const dueAt = slot.endedAt + slot.delay;
    if (hasEnded && clock.now() < dueAt) {
      if (state.terminated !== undefined) slot.lastState = state;
      const { name, namespace, uid } = this.#pod.metadata;
      const delay = duration(Math.max(Math.round(slot.delay / 1000), 1));
      slot.state = waiting(
        'CrashLoopBackOff',
        `back-off ${delay} restarting failed container=${container.name} pod=${name}_${namespace}(${uid})`,
      );
      return dueAt;
    }
    const failure = script.pullFailure(this.#pod, container);
    if (failure !== undefined) {
      const isFirst =
        state.waiting?.reason !== 'ErrImagePull' && state.waiting?.reason !== 'ImagePullBackOff';
      slot.state = isFirst
        ? waiting('ErrImagePull', failure)
        : waiting(
            'ImagePullBackOff',
            `Back-off pulling image "${container.image}": ErrImagePull: ${failure}`,
          );
      return isFirst ? clock.now() + backOff.first / 10 : Infinity;
    }
    if (hasEnded) {
      if (state.terminated !== undefined) slot.lastState = state;
      const ranLong = slot.endedAt - slot.startedAt > forgetAfter;
      slot.delay = slot.delay === 0 || ranLong ? backOff.first : Math.min(slot.delay * 2, backOff.longest);
      slot.restartCount += 1;
    }
    this.#start(slot);
    return this.#probeTime(slot);
  }

  /** Returns true if a container that has ended is started again. */
  #restarts({ terminated }: ContainerState, role: ContainerRole, container: Container): boolean {
    const policy =
      role === 'sidecar' ? 'Always' : (container.restartPolicy ?? this.#pod.spec?.restartPolicy ?? 'Always');
    const hasFailed = terminated?.exitCode !== 0;
    if (role === 'init') return hasFailed && policy !== 'Never';
    return policy === 'Always' || (policy === 'OnFailure' && hasFailed);
  }

  #start(slot: Slot): void {
    const { clock, now, runtime, script } = this.#options;
    const { container } = slot;
    slot.state = { running: { startedAt: seconds(now()) } };
    slot.startedAt = clock.now();
    slot.isStopping = false;
    slot.containerID = `containerd://${randomUUID().replaceAll('-', '')}`;
    const run = runtime.start(this.#pod, container, (exit) => {
      if (this.#exited(slot, run, exit)) this.step();
    });
    slot.run = run;
    const early = script.endsAtStart(this.#pod, container);
    if (early !== undefined && this.#exited(slot, run, early)) this.step();
  }

  /** Notes that a container has ended. @returns false if that is known already */
  #exited(slot: Slot, run: ContainerRun, exit: ContainerExit): boolean {
    if (slot.run !== run || this.#hasEnded) return false;
    const { clock, now } = this.#options;
    slot.run = undefined;
    slot.endedAt = clock.now();
    slot.state = {
      terminated: {
        ...exit,
        reason: exit.reason ?? (exit.exitCode === 0 ? 'Completed' : 'Error'),
        startedAt: slot.state.running?.startedAt,
        finishedAt: seconds(now()),
        containerID: slot.containerID,
      },
    };
    run.stop(0);
    return true;
  }

  #isStarted(slot: Slot): boolean {
    return slot.run !== undefined && this.#options.clock.now() >= startedTime(slot);
  }

  #isReady(slot: Slot): boolean {
    const { clock, script } = this.#options;
    const isDue = this.#isStarted(slot) && clock.now() >= readyTime(slot);
    return isDue && !script.isNotReady(this.#pod, slot.container);
  }

  /** Returns the time at which a probe of a container will succeed; Infinity if none is waited for. */
  #probeTime(slot: Slot): number {
    if (slot.run === undefined) return Infinity;
    const now = this.#options.clock.now();
    return Math.min(...[startedTime(slot), readyTime(slot)].filter((time) => time > now), Infinity);
  }

  #records(): readonly ContainerRecord[] {
    return this.#slots.map((slot) => ({
      container: slot.container,
      role: slot.role,
      state: slot.state,
      lastState: slot.lastState,
      restartCount: slot.restartCount,
      started: this.#isStarted(slot),
      ready: this.#isReady(slot),
      containerID: slot.containerID,
    }));
  }

  #publish(): void {
    const { hostIP, podIP, now, publish } = this.#options;
    const place = { hostIP, podIP: this.#hasNetwork ? podIP : undefined, startTime: this.#startTime };
    // The last status that was published says when its conditions changed; the API server may not have it yet.
    const former = this.#published?.conditions ?? this.#pod.status?.conditions ?? [];
    const written = podStatus(this.#pod, this.#records(), place, former, seconds(now()));
    const status = JSON.parse(JSON.stringify(written)) as PodStatus;
    if (isEqualJson(this.#published, status)) return;
    this.#published = status;
    publish(status);
  }
}
