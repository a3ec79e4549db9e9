// What recordings end in when they are read back from a real API server with the definitions of OLM's releases, state by state.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createClient, loadCluster, type KubeClient } from '../../../../src/sdk/kube/index.ts';
import {
  type ObservedObjects,
  type ExpectedV0,
  type ExpectedV1,
  observeDefinitions,
  observeInstallation,
} from '../../../../src/olm/run/observed.ts';
import { judgeV0 } from '../../../../src/olm/run/judge-installation.ts';
import { judgeV1 } from '../../../../src/olm/run/judge-v1.ts';
import type { Judgement } from '../../../../src/olm/run/judgement.ts';
import { startControlPlane, type ControlPlane } from '../../../../src/testing/index.ts';
import {
  expectedV0,
  expectedV1,
  failuresV0,
  failuresV1,
  successesV0,
  successesV1,
  type Case,
} from '../../../unit/olm/run/recorded-cases.ts';
import { clockAtStart, hasRecordings, recordedEvents, skipReason } from '../../../unit/olm/run/recording.ts';
import { VerdictKeeper, type RecordedVerdict } from '../../../unit/olm/run/replay.ts';
import { ReplayedCluster } from './replayed-cluster.ts';
import { writeDefinitions } from './site.ts';

interface Replay {
  readonly olm: 'v0' | 'v1';
  readonly namespace: string;
  readonly from: number;
  readonly judge: (observed: ObservedObjects, now: Date) => Judgement;
}

/** The definition that two operators own. */
const shared = 'shareds.demo.example.com';

describe.skipIf(!hasRecordings)(`on an API server${skipReason}`, () => {
  let plane: ControlPlane;
  let client: KubeClient;
  let definitions: ReturnType<typeof writeDefinitions>;
  beforeAll(async () => {
    definitions = writeDefinitions('v0', 'v1');
    // The controllers of Kubernetes are those of the recording.
    plane = await startControlPlane({ crds: definitions.files });
    client = createClient({
      cluster: await loadCluster({ kubeconfig: plane.kubeconfig }),
      fieldManager: 'recording',
      onWarning: () => undefined,
    });
  }, 180_000);
  afterAll(async () => {
    await client?.close();
    await plane?.stop();
    definitions?.[Symbol.dispose]();
  });

  const verdictOf = async (recording: string, replay: Replay): Promise<RecordedVerdict> => {
    const { olm, namespace, from, judge } = replay;
    const keeper = new VerdictKeeper();
    await using cluster = new ReplayedCluster(client);
    const events = recordedEvents(recording);
    const start = clockAtStart(events);
    const isFinal = async (t: number): Promise<boolean> => {
      const { signal } = new AbortController();
      const installed = await observeInstallation(cluster.reader, { olm, namespace }, signal);
      const definitions = await observeDefinitions(client, { definitions: [shared] }, signal);
      return keeper.isFinal(t, judge(installed.with(definitions), new Date(start + t * 1000)));
    };
    for (const [index, event] of events.entries()) {
      await cluster.play(event);
      const until = events[index + 1]?.t ?? event.t + 1;
      // A state counts that lasts as long as there is between two looks, and each second of one that lasts longer.
      if (until - event.t < 0.25) continue;
      for (let t = event.t; t < until; t += 1)
        if (t >= from && (await isFinal(t))) return keeper.verdict(recording);
    }
    return keeper.verdict(recording);
  };
  const ofV0 = (recording: string, given: Case<ExpectedV0>): Promise<RecordedVerdict> => {
    const expected = expectedV0(given);
    const judge = (observed: ObservedObjects, now: Date) => judgeV0(observed, expected, now);
    return verdictOf(recording, { olm: 'v0', namespace: expected.namespace, from: given.from ?? 0, judge });
  };
  const ofV1 = (recording: string, given: Case<ExpectedV1>): Promise<RecordedVerdict> => {
    const expected = expectedV1(given);
    const judge = (observed: ObservedObjects) => judgeV1(observed, expected);
    return verdictOf(recording, { olm: 'v1', namespace: expected.namespace, from: given.from ?? 0, judge });
  };

  test.each(successesV0)('AS9.4, AS9.6, AS10.6: %s is done', async (recording, expected) => {
    expect(await ofV0(recording, expected)).toMatchObject({ judgement: { state: 'done' }, passing: [] });
  });

  test.each(successesV1)('%s is done', async (recording, expected) => {
    expect(await ofV1(recording, expected)).toMatchObject({ judgement: { state: 'done' }, passing: [] });
  });

  const expectCause = (verdict: RecordedVerdict, code: string, object: string, revealed: number): void => {
    const { judgement, since, t } = verdict;
    expect(judgement).toMatchObject({ state: 'failed', finding: { code, where: { object } } });
    if (judgement.state !== 'failed') return;
    expect(judgement.finding.fix.length).toBeGreaterThan(1);
    if (code === 'olm/api-conflict')
      expect(judgement.finding.message).toMatch(
        /operator owner-a-operator in namespace g-owner-a provides|^ClusterExtension ownera owns/,
      );
    expect(since).toBeGreaterThanOrEqual(revealed);
    expect(t).toBeLessThan(revealed + 10);
  };

  test.each(failuresV0)('%s: %s at %s', async (recording, code, object, revealed, expected) => {
    expectCause(await ofV0(recording, expected), code, object, revealed);
  });

  test.each(failuresV1)('%s: %s at %s', async (recording, code, object, revealed, expected) => {
    expectCause(await ofV1(recording, expected), code, object, revealed);
  });
});
