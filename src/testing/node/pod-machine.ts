import { randomUUID } from 'node:crypto';
import { isEqualJson } from '../../base/util/json-map.ts';
import type { Clock } from '../../sdk/net/index.ts';
import type { EventRecorder } from '../../sdk/runtime/index.ts';
import { seconds } from '../api/requests/write-parts.ts';
import type { Pod, PodStatus } from '../../sdk/k8s/generated/core/v1.ts';
import type { ContainerExit, ContainerRun, ContainerRuntime } from './container-runtime.ts';
import {
  countRestart,
  forgetWaits,
  haveEnded,
  isRestarted,
  isStarted,
  keepLastState,
  nextToStop,
  probeTime,
  readyTime,
  slotsOf,
  takeImage,
  type Slot,
} from './container-slot.ts';
import { backOff, refuseEnvironment, refuseImage } from './container-waits.ts';
import type { PodRecorder } from './pod-events.ts';
import type { PodNeeds, PodScript } from './pod-script.ts';
import {
  isOver,
  phaseOf,
  podStatus,
  terminatedStatus,
  type ContainerRecord,
  type PodFailure,
} from './pod-status.ts';

interface PodMachineOptions {
  readonly clock: Clock;
  /** Returns the time for statuses. */
  readonly now: () => Date;
  readonly runtime: ContainerRuntime;
  readonly script: PodScript;
  readonly needs: PodNeeds;
  /** Records Events, as the kubelet. */
  readonly record: PodRecorder;
  readonly hostIP: string;
  readonly podIP: string;
  /** Delay before a container is started the second time, in milliseconds; it doubles up to `longest`. */
  readonly backOff: { readonly first: number; readonly longest: number };
  /** Writes a status. Called with every change. */
  readonly publish: (status: PodStatus) => void;
  /** Called when all containers of a Pod that is being deleted have ended. */
  readonly ended: () => void;
}

/**
 * One Pod on a node: starts its containers in order, restarts those that end, and publishes the status that a kubelet would write. Its
 * state changes only through its methods and its clock; it never reads from the API server.
 * @see https://github.com/kubernetes/kubernetes/blob/master/pkg/kubelet/kuberuntime/kuberuntime_manager.go, `computePodActions`
 */
export class PodMachine {
  readonly #options: PodMachineOptions;
  readonly #slots: readonly Slot[];
  readonly #startTime: string;
  /** Time of the clock at which the node accepted the Pod. */
  readonly #acceptedAt: number;
  #pod: Pod;
  #published: PodStatus | undefined;
  #failure: PodFailure | undefined;
  /** Problem with a volume that was last reported. */
  #volumeProblem: string | undefined;
  /** True while the Pod waits for a ConfigMap or a Secret. */
  #isBlocked = false;
  #hasSandbox = false;
  #hasAddress = false;
  /** True once the containers are being stopped and are not started again. */
  #isTerminating = false;
  /** True once all containers have ended, and the last status is written. */
  #isOver = false;
  #hasEnded = false;
  #isStepping = false;
  #isDue = false;
  #cancelTimer: () => void = () => undefined;

  constructor(pod: Pod, options: PodMachineOptions) {
    this.#pod = pod;
    this.#options = options;
    this.#startTime = seconds(options.now());
    this.#acceptedAt = options.clock.now();
    this.#slots = slotsOf(pod);
  }

  get pod(): Pod {
    return this.#pod;
  }

  /** Accepts a newer version of the Pod. @param isOverruled true if its status is not the one that was published last */
  update(pod: Pod, isOverruled = false): void {
    this.#pod = pod;
    if (isOverruled) this.#published = undefined;
    for (const slot of this.#slots)
      if (takeImage(slot, pod))
        this.#stop(slot, `Container ${slot.container.name} definition changed, will be restarted`);
    this.step();
  }

  /** Checks again for ConfigMaps and Secrets that the Pod waits for. Call it after each change of one. */
  needsChanged(): void {
    if (this.#isBlocked) this.step();
  }

  /** Ends running containers as if they had failed by themselves. @param only names of containers; default: all main containers */
  end(exit: ContainerExit, only?: readonly string[]): void {
    for (const slot of this.#slots) {
      const isMeant = only === undefined ? slot.role === 'main' : only.includes(slot.container.name);
      if (isMeant && slot.run !== undefined) this.#exited(slot, slot.run, exit);
    }
    this.step();
  }

  /** Fails the Pod: kills its containers and sets its phase to Failed, regardless of its restart policy. */
  fail(failure: PodFailure): void {
    if (this.#failure !== undefined || isOver(this.#phase())) return;
    this.#failure = failure;
    for (const slot of this.#slots)
      if (slot.run !== undefined) this.#exited(slot, slot.run, { exitCode: 137 });
    this.step();
  }

  /** Adds output to the running containers. @param only name of a container; default: all main containers */
  log(text: string, only?: string): void {
    for (const { run, role, container } of this.#slots)
      if (only === undefined ? role === 'main' : only === container.name) run?.log.append(text);
  }

  /** Address of the Pod. */
  get podIP(): string {
    return this.#options.podIP;
  }

  /** True if a container runs as a process. */
  get hasProcess(): boolean {
    return this.#slots.some(({ run }) => run?.exec !== undefined);
  }

  /** Returns the state of a container; undefined if the Pod has no such container. */
  slot(container: string): Readonly<Slot> | undefined {
    return this.#slots.find((each) => each.container.name === container);
  }

  /** Stops the machine and its containers at once, without a status. Call it if the node has gone down, or the Pod was deleted. */
  dispose(): void {
    this.#hasEnded = true;
    this.#cancelTimer();
    for (const slot of this.#slots) {
      const { run } = slot;
      slot.run = undefined;
      run?.stop(0);
      run?.log.end();
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
    this.#isBlocked = false;
    const { clock, ended } = this.#options;
    const isDeleted = this.#pod.metadata.deletionTimestamp !== undefined;
    // A kubelet writes what it sees before it acts on it.
    if (!this.#isTerminating) this.#publish();
    if (!this.#isTerminating && !isDeleted && !this.#isDone()) {
      const wakeAt = this.#advance();
      this.#publish();
      if (Number.isFinite(wakeAt))
        this.#cancelTimer = clock.after(Math.max(wakeAt - clock.now(), 0), () => this.step());
      return;
    }
    this.#terminate();
    if (!this.#isOver || !isDeleted) return;
    this.#hasEnded = true;
    ended();
  }

  /** Returns true once no main container of the Pod will be started again. Then the sidecars end, and after them the Pod. */
  #isDone(): boolean {
    if (this.#isPastDeadline() || isOver(this.#phase())) return true;
    return haveEnded(this.#pod, this.#slots);
  }

  /** Asks the containers to end: sidecars after the others, in reverse order. Writes the last status when all have ended. */
  #terminate(): void {
    if (!this.#isTerminating) {
      forgetWaits(this.#slots);
      this.#publish();
      this.#isTerminating = true;
    }
    for (const slot of nextToStop(this.#slots)) this.#stop(slot);
    if (this.#isOver || this.#slots.some(({ run }) => run !== undefined)) return;
    this.#isOver = true;
    this.#hasSandbox = false;
    this.#publish();
    if (this.#published !== undefined) this.#publish(terminatedStatus(this.#published));
  }

  #stop(slot: Slot, note = `Stopping container ${slot.container.name}`): void {
    if (slot.isStopping) return;
    slot.isStopping = true;
    this.#events.normal('Killing', note);
    const { metadata, spec } = this.#pod;
    slot.run?.stop(metadata.deletionGracePeriodSeconds ?? spec?.terminationGracePeriodSeconds ?? 30);
  }

  /** Starts all containers that are due. @returns time of the next step */
  #advance(): number {
    if (this.#options.script.isHeld(this.#pod) || !this.#hasVolumes()) return this.#deadline;
    // A kubelet reports the network of a Pod before it reports its address and containers.
    if (!this.#hasSandbox) {
      this.#hasSandbox = true;
      this.#publish();
      this.#hasAddress = true;
    }
    let wakeAt = this.#deadline;
    for (const slot of this.#slots.filter(({ role }) => role !== 'main')) {
      if (slot.role === 'init' && slot.state.terminated?.exitCode === 0) continue;
      const { run } = slot;
      wakeAt = Math.min(wakeAt, this.#keepRunning(slot));
      if (slot.role === 'init' || !isStarted(slot, this.#options.clock.now()))
        return Math.min(wakeAt, probeTime(slot, this.#options.clock.now()));
      // The kubelet looks at the Pod again before it starts the next container.
      if (slot.run !== run) {
        this.#isDue = true;
        return wakeAt;
      }
    }
    for (const slot of this.#slots)
      if (slot.role === 'main') wakeAt = Math.min(wakeAt, this.#keepRunning(slot));
    return Math.min(wakeAt, ...this.#slots.map((slot) => probeTime(slot, this.#options.clock.now())));
  }

  #phase(): NonNullable<PodStatus['phase']> {
    return phaseOf(this.#pod, this.#records(), this.#failure, this.#isTerminating);
  }

  get #events(): EventRecorder {
    return this.#options.record(this.#pod);
  }

  /** Time of `activeDeadlineSeconds`. */
  get #deadline(): number {
    const seconds = this.#pod.spec?.activeDeadlineSeconds;
    return seconds === undefined ? Infinity : this.#acceptedAt + seconds * 1000;
  }

  #isPastDeadline(): boolean {
    if (this.#options.clock.now() < this.#deadline) return false;
    const message = 'Pod was active on the node longer than the specified deadline';
    this.#failure ??= { reason: 'DeadlineExceeded', message, isDisruption: false };
    return true;
  }

  /** Returns true once all volumes can be mounted. Afterwards, they are not checked again. */
  #hasVolumes(): boolean {
    if (this.#hasSandbox) return true;
    const problem = this.#options.needs.volumeProblem(this.#pod);
    if (problem !== undefined && problem !== this.#volumeProblem)
      this.#events.warning('FailedMount', problem);
    this.#volumeProblem = problem;
    this.#isBlocked = problem !== undefined;
    return problem === undefined;
  }

  /** Starts a container that is not running, if it is due. @returns time at which it will be due */
  #keepRunning(slot: Slot): number {
    if (slot.run !== undefined) return Infinity;
    const { clock, script, needs } = this.#options;
    const { state, container } = slot;
    const hasEnded = state.terminated !== undefined || slot.lastState?.terminated !== undefined;
    if (state.terminated !== undefined && !isRestarted(this.#pod, slot)) return Infinity;
    const dueAt = slot.endedAt + slot.delay;
    if (hasEnded && !slot.isReplaced && clock.now() < dueAt) {
      keepLastState(slot);
      backOff(this.#pod, slot, this.#events);
      return dueAt;
    }
    const failure = script.pullFailure(this.#pod, container);
    if (failure !== undefined)
      return refuseImage(slot, failure, this.#events)
        ? clock.now() + this.#options.backOff.first / 10
        : Infinity;
    const problem = needs.environmentProblem(this.#pod, container);
    if (problem !== undefined) {
      refuseEnvironment(slot, problem, this.#events);
      this.#isBlocked = true;
      return Infinity;
    }
    if (hasEnded) {
      keepLastState(slot);
      countRestart(slot, this.#options.backOff);
    }
    this.#start(slot);
    return probeTime(slot, this.#options.clock.now());
  }

  #start(slot: Slot): void {
    const { clock, now, runtime, script, podIP, hostIP } = this.#options;
    const { container } = slot;
    const events = this.#events;
    events.normal('Pulled', `Container image "${container.image}" already present on machine`);
    events.normal('Created', 'Container created');
    events.normal('Started', 'Container started');
    slot.state = { running: { startedAt: seconds(now()) } };
    slot.startedAt = clock.now();
    slot.isStopping = false;
    slot.isReplaced = false;
    slot.containerID = `containerd://${randomUUID().replaceAll('-', '')}`;
    const run = runtime.start({ pod: this.#pod, podIP, hostIP }, container, {
      exited: (exit) => {
        if (this.#exited(slot, run, exit)) this.step();
      },
      probed: () => {
        if (slot.run === run) this.step();
      },
      warning: (reason, note) => this.#events.warning(reason, note),
    });
    slot.run = run;
    slot.formerLog = slot.log;
    slot.log = run.log;
    const early = script.endsAtStart(this.#pod, container);
    if (early !== undefined && this.#exited(slot, run, early)) this.step();
  }

  /** Records that a container has ended. @returns false if this was recorded before */
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
    run.log.end();
    return true;
  }

  #isReady(slot: Slot): boolean {
    const { clock, script } = this.#options;
    const isDue = slot.run?.probes?.isReady ?? clock.now() >= readyTime(slot);
    return isDue && isStarted(slot, clock.now()) && !script.isNotReady(this.#pod, slot.container);
  }

  #records(): readonly ContainerRecord[] {
    return this.#slots.map((slot) => ({
      container: slot.container,
      role: slot.role,
      state: slot.state,
      lastState: slot.lastState,
      restartCount: slot.restartCount,
      started: isStarted(slot, this.#options.clock.now()),
      ready: this.#isReady(slot),
      isReplaced: slot.isReplaced,
      containerID: slot.containerID,
    }));
  }

  /** @param status default: that of the containers now */
  #publish(status = this.#status()): void {
    if (isEqualJson(this.#published, status)) return;
    this.#published = status;
    this.#options.publish(status);
  }

  #status(): PodStatus {
    const { hostIP, now } = this.#options;
    const before = this.#published ?? this.#pod.status;
    const podIP = this.#hasAddress ? this.#options.podIP : undefined;
    const place = { hostIP, podIP, hasSandbox: this.#hasSandbox, startTime: this.#startTime };
    const [failure, isTerminating] = [this.#failure, this.#isTerminating];
    const end = { failure, isTerminating, phaseBefore: before?.phase };
    // The times of unchanged conditions come from the last published status, which the API server may not have stored yet.
    const former = before?.conditions ?? [];
    const written = podStatus(this.#pod, this.#records(), place, former, seconds(now()), end);
    return JSON.parse(JSON.stringify(written)) as PodStatus;
  }
}
