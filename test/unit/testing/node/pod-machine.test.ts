import { describe, expect, test } from 'vitest';
import type { Container, Pod, PodStatus } from '../../../../src/sdk/k8s/generated/core/v1.ts';
import type { EventRecorder } from '../../../../src/sdk/runtime/index.ts';
import { PodMachine } from '../../../../src/testing/node/pod-machine.ts';
import type { PodScript } from '../../../../src/testing/node/pod-script.ts';
import { pretendingRuntime } from '../../../../src/testing/node/pretending-runtime.ts';
import { ManualClock } from '../../sdk/runtime/manual-clock.ts';

interface Script {
  held?: boolean;
  unpulled?: string;
  notReady?: boolean;
  crashing?: number;
  volume?: string;
  environment?: string;
}

const app: Container = { name: 'app', image: 'example.com/app:v1' };

function podOf(spec: Partial<NonNullable<Pod['spec']>>, metadata: Partial<Pod['metadata']> = {}): Pod {
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: 'web', namespace: 'ns', uid: 'u1', generation: 1, ...metadata },
    spec: { containers: [app], restartPolicy: 'Always', ...spec },
  };
}

function setUp(pod: Pod, script: Script = {}) {
  const clock = new ManualClock();
  const published: PodStatus[] = [];
  let ended = 0;
  const asked: PodScript = {
    isHeld: () => script.held === true,
    pullFailure: () => script.unpulled,
    isNotReady: () => script.notReady === true,
    endsAtStart: () => (script.crashing === undefined ? undefined : { exitCode: script.crashing }),
  };
  const events: string[] = [];
  const recorder: EventRecorder = {
    normal: (reason, note) => events.push(`${reason}: ${note}`),
    warning: (reason, note) => events.push(`${reason}: ${note}`),
    about: () => recorder,
  };
  const machine = new PodMachine(pod, {
    clock,
    now: () => new Date(Date.UTC(2026, 0, 1) + clock.now()),
    runtime: pretendingRuntime(clock, () => new Date(0)),
    script: asked,
    needs: { volumeProblem: () => script.volume, environmentProblem: () => script.environment },
    record: () => recorder,
    hostIP: '10.199.0.1',
    podIP: '10.244.0.7',
    backOff: { first: 10_000, longest: 300_000 },
    publish: (status) => published.push(status),
    ended: () => (ended += 1),
  });
  machine.step();
  return { machine, clock, script, events, published, last: () => published.at(-1), ended: () => ended };
}

/** A status in a line: phase, ready, then each container. */
function shown(status: PodStatus | undefined): string {
  const ready = status?.conditions?.find(({ type }) => type === 'Ready')?.status === 'True' ? ' ready' : '';
  const containers = [...(status?.initContainerStatuses ?? []), ...(status?.containerStatuses ?? [])].map(
    ({ name, state, restartCount }) => {
      const at = state?.running
        ? 'running'
        : (state?.waiting?.reason ?? `${state?.terminated?.reason} ${state?.terminated?.exitCode}`);
      return `${name}: ${at}${restartCount > 0 ? ` (${restartCount})` : ''}`;
    },
  );
  return `${status?.phase}${ready}; ${containers.join(', ')}`;
}

/** Status of the condition that the Pod has a network. */
function sandbox({ conditions }: PodStatus): string | undefined {
  return conditions?.find(({ type }) => type === 'PodReadyToStartContainers')?.status;
}

describe('a Pod', () => {
  test('is created, runs, becomes ready after its readiness delay', () => {
    const { published, clock, last } = setUp(
      podOf({ containers: [{ ...app, readinessProbe: { initialDelaySeconds: 5 } }] }),
    );
    expect(published.map(shown)).toEqual([
      'Pending; app: ContainerCreating',
      // Now with a network.
      'Pending; app: ContainerCreating',
      'Running; app: running',
    ]);
    expect(published.map(sandbox)).toEqual(['False', 'True', 'True']);
    expect(published.map(({ podIP }) => podIP)).toEqual([undefined, undefined, '10.244.0.7']);
    expect(last()?.conditions?.find(({ type }) => type === 'Ready')).toMatchObject({
      reason: 'ContainersNotReady',
      message: 'containers with unready status: [app]',
    });
    clock.advance(5000);
    expect(shown(last())).toBe('Running ready; app: running');
    expect(last()).toMatchObject({ podIP: '10.244.0.7', hostIP: '10.199.0.1', observedGeneration: 1 });
  });

  test('that is not always restarted succeeds after a second', () => {
    const { clock, published } = setUp(podOf({ restartPolicy: 'Never' }));
    clock.advance(1000);
    expect(published.map(shown).slice(2)).toEqual([
      'Running ready; app: running',
      'Running; app: Completed 0',
      'Succeeded; app: Completed 0',
    ]);
    expect(published.map(sandbox).slice(2)).toEqual(['True', 'True', 'False']);
    expect(published.at(-1)?.conditions?.find(({ type }) => type === 'Ready')?.reason).toBe('PodCompleted');
  });

  test('fails with its container where nothing is restarted', () => {
    const { machine, last } = setUp(podOf({ restartPolicy: 'Never' }));
    machine.end({ exitCode: 3 });
    expect(shown(last())).toBe('Failed; app: Error 3');
  });
});

describe('init containers', () => {
  const first: Container = { name: 'first', image: 'example.com/first:v1' };
  const side: Container = { name: 'side', image: 'example.com/side:v1', restartPolicy: 'Always' };

  test('run one after the other, sidecars go on', () => {
    const { clock, published } = setUp(podOf({ initContainers: [side, first] }));
    expect(shown(published.at(-1))).toBe('Pending; side: running, first: running, app: PodInitializing');
    clock.advance(1000);
    expect(shown(published.at(-1))).toBe('Running ready; side: running, first: Completed 0, app: running');
  });

  test('that fail are tried again after a back-off, or fail the Pod', () => {
    const again = setUp(podOf({ initContainers: [first] }), { crashing: 2 });
    expect(shown(again.last())).toBe('Pending; first: CrashLoopBackOff (1), app: PodInitializing');
    const never = setUp(podOf({ initContainers: [first], restartPolicy: 'Never' }), { crashing: 2 });
    expect(shown(never.last())).toBe('Failed; first: Error 2, app: PodInitializing');
  });

  test('sidecars end when a Pod has done its work', () => {
    const { clock, published } = setUp(podOf({ initContainers: [side], restartPolicy: 'Never' }));
    clock.advance(1000);
    expect(published.map(shown).slice(2)).toEqual([
      'Pending; side: running, app: PodInitializing',
      'Running ready; side: running, app: running',
      'Running; side: running, app: Completed 0',
      'Succeeded; side: Completed 0, app: Completed 0',
    ]);
  });
});

describe('a container that ends', () => {
  test('is started at once, then after back-offs that double, with its last state', () => {
    const { machine, clock, last, script } = setUp(podOf({}));
    machine.end({ exitCode: 1, message: 'out of luck' });
    expect(shown(last())).toBe('Running ready; app: running (1)');
    expect(last()?.containerStatuses?.[0]?.lastState?.terminated).toMatchObject({
      exitCode: 1,
      reason: 'Error',
      message: 'out of luck',
    });
    script.crashing = 1;
    machine.end({ exitCode: 1 });
    expect(last()?.containerStatuses?.[0]?.state?.waiting).toEqual({
      reason: 'CrashLoopBackOff',
      message: 'back-off 10s restarting failed container=app pod=web_ns(u1)',
    });
    clock.advance(10_000);
    expect(last()?.containerStatuses?.[0]).toMatchObject({
      restartCount: 2,
      state: { waiting: { message: expect.stringContaining('back-off 20s') as string } },
    });
    for (let round = 0; round < 8; round++) clock.advance(300_000);
    expect(last()?.containerStatuses?.[0]?.state?.waiting?.message).toContain('back-off 5m0s');
    delete script.crashing;
    clock.advance(300_000);
    expect(shown(last())).toMatch(/^Running ready; app: running/);
  });

  test('with exit code 0 is started again only where that is the policy', () => {
    const { machine, last } = setUp(podOf({ restartPolicy: 'OnFailure' }));
    machine.end({ exitCode: 0 });
    expect(shown(last())).toBe('Succeeded; app: Completed 0');
  });
});

describe('tests', () => {
  test('hold a start, and let it go', () => {
    const { machine, last, script } = setUp(podOf({}), { held: true });
    expect(shown(last())).toBe('Pending; app: ContainerCreating');
    script.held = false;
    machine.step();
    expect(shown(last())).toBe('Running ready; app: running');
  });

  test('keep an image from being pulled', () => {
    const { clock, last, script, machine } = setUp(podOf({}), { unpulled: 'not found' });
    expect(last()?.containerStatuses?.[0]?.state?.waiting).toEqual({
      reason: 'ErrImagePull',
      message: 'not found',
    });
    clock.advance(10_000);
    expect(shown(last())).toBe('Pending; app: ImagePullBackOff');
    delete script.unpulled;
    machine.step();
    expect(shown(last())).toBe('Running ready; app: running');
  });

  test('make a container unready', () => {
    const { machine, last, script } = setUp(podOf({}));
    script.notReady = true;
    machine.step();
    expect(shown(last())).toBe('Running; app: running');
  });
});

describe('a node', () => {
  test('waits for what volumes need, and reports it once', () => {
    const { machine, last, script, events } = setUp(podOf({}), { volume: 'configmap "c" not found' });
    machine.step();
    expect(shown(last())).toBe('Pending; app: ContainerCreating');
    expect(events).toEqual(['FailedMount: configmap "c" not found']);
    delete script.volume;
    machine.needsChanged();
    expect(shown(last())).toBe('Running ready; app: running');
  });

  test('does not create a container without its environment', () => {
    const { machine, last, script, events } = setUp(podOf({}), { environment: 'secret "s" not found' });
    machine.step();
    expect(last()?.containerStatuses?.[0]?.state?.waiting).toEqual({
      reason: 'CreateContainerConfigError',
      message: 'secret "s" not found',
    });
    expect(events).toEqual(['Failed: Error: secret "s" not found']);
    delete script.environment;
    machine.needsChanged();
    expect(shown(last())).toBe('Running ready; app: running');
  });

  test('gives a Pod up, whatever its restart policy is', () => {
    const { machine, last, clock } = setUp(podOf({}));
    machine.fail({ reason: 'Evicted', message: 'no memory', isDisruption: true });
    expect(shown(last())).toBe('Failed; app: Error 137');
    expect(last()).toMatchObject({ reason: 'Evicted', message: 'no memory' });
    expect(last()?.conditions?.find(({ type }) => type === 'DisruptionTarget')).toMatchObject({
      status: 'True',
      reason: 'TerminationByKubelet',
    });
    clock.advance(600_000);
    expect(shown(last())).toBe('Failed; app: Error 137');
  });

  test('ends a Pod after its deadline', () => {
    const { clock, last } = setUp(podOf({ activeDeadlineSeconds: 60 }));
    clock.advance(59_000);
    expect(shown(last())).toBe('Running ready; app: running');
    clock.advance(1000);
    // Its containers are asked to end.
    expect(shown(last())).toBe('Failed; app: Completed 0');
    expect(last()).toMatchObject({ phase: 'Failed', reason: 'DeadlineExceeded' });
  });

  test('records what a kubelet records', () => {
    const pod = podOf({});
    const { machine, events } = setUp(pod, { crashing: 1 });
    expect(events).toEqual([
      'Pulled: Container image "example.com/app:v1" already present on machine',
      'Created: Container created',
      'Started: Container started',
      'Pulled: Container image "example.com/app:v1" already present on machine',
      'Created: Container created',
      'Started: Container started',
      'BackOff: Back-off restarting failed container app in pod web_ns(u1)',
    ]);
    expect(machine.slot('app')?.state.waiting?.reason).toBe('CrashLoopBackOff');
  });

  test('keeps the output of the run before', () => {
    const { machine } = setUp(podOf({}));
    machine.log('one\n');
    machine.end({ exitCode: 1 });
    machine.log('two\n');
    expect(machine.slot('app')?.log?.read()).toBe('two\n');
    expect(machine.slot('app')?.formerLog?.read()).toBe('one\n');
    expect(machine.slot('other')).toBeUndefined();
  });
});

describe('a Pod that is deleted', () => {
  const deleted = (pod: Pod): Pod => ({
    ...pod,
    metadata: { ...pod.metadata, deletionTimestamp: '2026-01-01T00:00:30Z', deletionGracePeriodSeconds: 30 },
  });

  test('ends its containers and succeeds, whatever its restart policy is, and is ended once', () => {
    const pod = podOf({});
    const { machine, last, ended } = setUp(pod);
    machine.update(deleted(pod));
    expect(shown(last())).toBe('Succeeded; app: Completed 0');
    expect(ended()).toBe(1);
    machine.step();
    expect(ended()).toBe(1);
  });

  test('before its container could start fails, since nobody knows how the container ended', () => {
    const pod = podOf({});
    const { machine, published } = setUp(pod, { unpulled: 'not found' });
    machine.update(deleted(pod));
    expect(published.map(shown).slice(2)).toEqual([
      'Pending; app: ErrImagePull',
      'Pending; app: ContainerCreating',
      'Pending; app: ContainerCreating',
      'Failed; app: ContainerStatusUnknown 137',
    ]);
    expect(published.map(sandbox).slice(2)).toEqual(['True', 'True', 'False', 'False']);
  });

  test('during a back-off fails as its container has', () => {
    const pod = podOf({});
    const { machine, last } = setUp(pod, { crashing: 3 });
    expect(shown(last())).toBe('Running; app: CrashLoopBackOff (1)');
    machine.update(deleted(pod));
    expect(shown(last())).toBe('Failed; app: Error 3 (1)');
  });
});

test('readiness gates are those of the Pod as it is now, and belong to others', () => {
  const pod = podOf({ readinessGates: [{ conditionType: 'example.com/warm' }] });
  const { machine, last } = setUp(pod);
  const ready = () => last()?.conditions?.find(({ type }) => type === 'Ready');
  expect(ready()).toMatchObject({
    status: 'False',
    reason: 'ReadinessGatesNotReady',
    message: 'corresponding condition of pod readiness gate "example.com/warm" does not exist.',
  });
  const warm = (status: 'True' | 'False') =>
    machine.update({ ...pod, status: { conditions: [{ type: 'example.com/warm', status }] } });
  warm('True');
  expect(ready()?.status).toBe('True');
  expect(last()?.conditions?.map(({ type }) => type)).not.toContain('example.com/warm');
  warm('False');
  expect(ready()?.status).toBe('False');
});

test('nothing is published twice', () => {
  const { machine, published } = setUp(podOf({}));
  const before = published.length;
  machine.step();
  machine.step();
  expect(published).toHaveLength(before);
});

test.each(['Always', 'OnFailure', 'Never'] as const)(
  'starts a container with its new image at once, with the restart policy %s',
  (restartPolicy) => {
    const pod = podOf({ restartPolicy });
    const { machine, events, last, published } = setUp(pod);
    const image = 'example.com/app:v2';
    machine.update({ ...pod, spec: { ...pod.spec, restartPolicy, containers: [{ ...app, image }] } });
    expect(shown(last())).toBe('Running ready; app: running (1)');
    expect(last()?.containerStatuses?.[0]?.image).toBe(image);
    expect(last()?.containerStatuses?.[0]?.lastState?.terminated).toMatchObject({ exitCode: 0 });
    expect(events).toContain('Killing: Container app definition changed, will be restarted');
    expect(published.map(({ phase }) => phase)).not.toContain('Succeeded');
  },
);

test('pulls a new image at once after one that could not be pulled', () => {
  const pod = podOf({});
  const { machine, script, last } = setUp(pod, { unpulled: 'not found' });
  expect(shown(last())).not.toContain('running');
  delete script.unpulled;
  machine.update({ ...pod, spec: { containers: [{ ...app, image: 'example.com/app:v2' }] } });
  expect(shown(last())).toBe('Running ready; app: running');
});
