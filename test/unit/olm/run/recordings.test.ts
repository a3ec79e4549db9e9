import { describe, expect, test } from 'vitest';
import type { ExpectedV0, ExpectedV1 } from '../../../../src/olm/run/observed.ts';
import { judgeV0 } from '../../../../src/olm/run/judge-installation.ts';
import { judgeV1 } from '../../../../src/olm/run/judge-v1.ts';
import type { Cause } from '../../../../src/olm/run/judgement.ts';
import {
  expectedV0,
  expectedV1,
  failuresV0,
  failuresV1,
  successesV0,
  successesV1,
  type Case,
} from './recorded-cases.ts';
import { hasRecordings, skipReason } from './recording.ts';
import { verdictOf, type RecordedVerdict } from './replay.ts';

const ofV0 = (recording: string, expected: Case<ExpectedV0>): RecordedVerdict =>
  verdictOf(recording, ({ observed, now }) => judgeV0(observed, expectedV0(expected), now), expected);

const ofV1 = (recording: string, expected: Case<ExpectedV1>): RecordedVerdict =>
  verdictOf(recording, ({ observed }) => judgeV1(observed, expectedV1(expected)), expected);

/** What is expected of a recording that has one case. */
const caseOf = <T>(cases: readonly (readonly [string, ...unknown[], T])[], recording: string): T =>
  cases.find(([name]) => name === recording)?.at(-1) as T;

/** The cause that a replay ended with. */
const causeOf = ({ judgement }: RecordedVerdict): Cause => {
  if (judgement.state !== 'failed') throw new Error(`expected a failure, got ${JSON.stringify(judgement)}`);
  return judgement.finding;
};

describe.skipIf(!hasRecordings)(`what OLM v0 did${skipReason}`, () => {
  test.each(successesV0)('%s is done, and fails at no time', (recording, expected) => {
    expect(ofV0(recording, expected)).toMatchObject({ judgement: { state: 'done' }, passing: [] });
  });

  // The moment is that of the event that shows the cause; a bundle that cannot be read shows by 15 s of silence only.
  test.each(failuresV0)('%s: %s at %s', (recording, code, object, revealed, expected) => {
    const verdict = ofV0(recording, expected);
    expect(causeOf(verdict)).toMatchObject({ code, where: { object } });
    expect(causeOf(verdict).fix.length).toBeGreaterThan(1);
    expect(verdict.since).toBeGreaterThanOrEqual(revealed);
    expect(verdict.t).toBeLessThan(revealed + 10);
    expect(verdict.passing).toEqual([]);
  });

  test('a kind that another operator owns: by its name', () => {
    const recording = 'v0-fail-crd-owned-by-other';
    const verdict = ofV0(recording, caseOf(failuresV0, recording));
    expect(causeOf(verdict).message).toMatch(
      /; operator owner-a-operator in namespace g-owner-a provides shareds\.demo\.example\.com$/,
    );
  });

  test('the lines of progress of an installation', () => {
    const { lines } = ofV0('v0-catalog-install', caseOf(successesV0, 'v0-catalog-install'));
    expect(lines).toMatchInlineSnapshot(`
      [
        "waiting for Subscription nginx-operator: it does not exist yet",
        "waiting for CatalogSource nginx-catalog: its Pod does not exist yet",
        "waiting for CatalogSource nginx-catalog: Pod nginx-catalog-whg7h is starting",
        "waiting for CatalogSource nginx-catalog: connection IDLE; Pod nginx-catalog-whg7h is starting",
        "waiting for CatalogSource nginx-catalog: connection IDLE; Pod nginx-catalog-whg7h runs its init container extract-utilities",
        "waiting for CatalogSource nginx-catalog: connection TRANSIENT_FAILURE; Pod nginx-catalog-whg7h runs its init container extract-utilities",
        "waiting for CatalogSource nginx-catalog: connection TRANSIENT_FAILURE; Pod nginx-catalog-whg7h is starting",
        "waiting for CatalogSource nginx-catalog: connection TRANSIENT_FAILURE; Pod nginx-catalog-whg7h runs its init container extract-content",
        "waiting for CatalogSource nginx-catalog: connection TRANSIENT_FAILURE; Pod nginx-catalog-whg7h is starting",
        "waiting for CatalogSource nginx-catalog: connection TRANSIENT_FAILURE; Pod nginx-catalog-whg7h runs, but is not ready yet",
        "waiting for CatalogSource nginx-catalog: connection TRANSIENT_FAILURE; its Pod runs",
        "waiting for Subscription nginx-operator: OLM has not found nginx-operator.v0.0.1 yet",
        "waiting for the bundle: Pod 824bbe08ffaec7edfa1f8ce1b6efa7075e31b4055168e6dd7dc6f7c0b0hggwk is starting",
        "waiting for the bundle: Pod 824bbe08ffaec7edfa1f8ce1b6efa7075e31b4055168e6dd7dc6f7c0b0hggwk runs its init container util",
        "waiting for the bundle: Pod 824bbe08ffaec7edfa1f8ce1b6efa7075e31b4055168e6dd7dc6f7c0b0hggwk is starting",
        "waiting for the bundle: Pod 824bbe08ffaec7edfa1f8ce1b6efa7075e31b4055168e6dd7dc6f7c0b0hggwk runs its init container pull",
        "waiting for the bundle: Pod 824bbe08ffaec7edfa1f8ce1b6efa7075e31b4055168e6dd7dc6f7c0b0hggwk is starting",
        "waiting for the bundle: Job 824bbe08ffaec7edfa1f8ce1b6efa7075e31b4055168e6dd7dc6f7c0b05659b unpacks it",
        "waiting for the InstallPlan of nginx-operator.v0.0.1: its bundle is unpacked",
        "waiting for InstallPlan install-f2jvq: new",
        "waiting for InstallPlan install-f2jvq: Installing, 0 of 8 objects exist",
        "waiting for ClusterServiceVersion nginx-operator.v0.0.1: new",
        "waiting for ClusterServiceVersion nginx-operator.v0.0.1: Pending, requirements not yet checked",
        "waiting for the requirements of ClusterServiceVersion nginx-operator.v0.0.1: ServiceAccount nginx-operator-controller-manager: Service account does not exist",
        "waiting for ClusterServiceVersion nginx-operator.v0.0.1: InstallReady, all requirements found, attempting install",
        "waiting for Deployment nginx-operator-controller-manager: its controller has not seen the change yet; Pod nginx-operator-controller-manager-5f475dbb7b-c7sn8 is starting",
        "waiting for Deployment nginx-operator-controller-manager: 0 of 1 new replicas exist; Pod nginx-operator-controller-manager-5f475dbb7b-c7sn8 is starting",
        "waiting for Deployment nginx-operator-controller-manager: 0 of 1 new replicas are available; Pod nginx-operator-controller-manager-5f475dbb7b-c7sn8 is starting",
        "waiting for Deployment nginx-operator-controller-manager: 0 of 1 new replicas are available; Pod nginx-operator-controller-manager-5f475dbb7b-c7sn8 runs, but is not ready yet",
        "waiting for Deployment nginx-operator-controller-manager: 0 of 1 new replicas are available",
        "waiting for ClusterServiceVersion nginx-operator.v0.0.1: Installing",
      ]
    `);
  });
});

describe.skipIf(!hasRecordings)(`what OLM v1 did${skipReason}`, () => {
  test.each(successesV1)('%s is done, and fails at no time', (recording, expected) => {
    expect(ofV1(recording, expected)).toMatchObject({ judgement: { state: 'done' }, passing: [] });
  });

  test.each(failuresV1)('%s: %s at %s', (recording, code, object, revealed, expected) => {
    const verdict = ofV1(recording, expected);
    expect(causeOf(verdict)).toMatchObject({ code, where: { object } });
    expect(causeOf(verdict).fix.length).toBeGreaterThan(1);
    expect(verdict.since).toBeGreaterThanOrEqual(revealed);
    expect(verdict.t).toBeLessThan(revealed + 10);
    expect(verdict.passing).toEqual([]);
  });

  test('a kind that another operator owns: by its name', () => {
    const recording = 'v1-fail-crd-owned-by-other';
    const verdict = ofV1(recording, caseOf(failuresV1, recording));
    expect(causeOf(verdict).message).toMatch(
      /^ClusterExtension ownera owns CustomResourceDefinition shareds\.demo\.example\.com: /,
    );
  });

  test('an operator is done once nothing blocks its installation', () => {
    const recording = 'v1-fail-other-catalog-not-serving';
    const expected = { ...caseOf(failuresV1, recording), from: 9 };
    expect(ofV1(recording, expected).judgement).toEqual({ state: 'done' });
  });

  test('the lines of progress of an installation', () => {
    expect(ofV1('v1-install', caseOf(successesV1, 'v1-install')).lines).toMatchInlineSnapshot(`
      [
        "waiting for ClusterCatalog nginx-catalog: it does not exist yet",
        "waiting for ClusterCatalog nginx-catalog: its image is unpacked",
        "waiting for ClusterExtension nginx: version 0.0.1 is being installed",
        "waiting for Deployment nginx-operator-controller-manager: 0 of 1 new replicas are available; Pod nginx-operator-controller-manager-99f657477-j5bj4 is starting",
        "waiting for Deployment nginx-operator-controller-manager: 0 of 1 new replicas are available; Pod nginx-operator-controller-manager-99f657477-j5bj4 runs, but is not ready yet",
      ]
    `);
  });
});
