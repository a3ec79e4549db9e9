// What a leader does while the API server is away, with times of a few seconds, and in thorough runs with those of operators.
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { loadCluster, type Cluster, type Connection } from '../../../../../src/sdk/kube/index.ts';
import { eventually } from '../../../../../src/testing/index.ts';
import { sharedControlPlane, uniqueName, uniqueNamespace } from '../../../../helpers/control-plane.ts';
import { isThorough } from '../../../../helpers/thorough.ts';
import { tcpProxy, type TcpProxy } from '../../kube/support/tcp-proxy.ts';
import { campaign, connectTo, methodsOf, short } from './candidate.ts';

const slow = { timeout: 60_000, interval: 50 };

let cluster: Cluster;
let namespace: string;
beforeAll(async () => {
  const plane = await sharedControlPlane();
  cluster = await loadCluster({ kubeconfig: plane.kubeconfig });
  namespace = await uniqueNamespace(plane);
});

describe('the API server is away', () => {
  let proxy: TcpProxy;
  let behind: Connection;
  beforeAll(async () => {
    proxy = await tcpProxy(cluster);
    behind = connectTo(proxy.cluster);
  });
  afterAll(async () => {
    await behind.close();
    await proxy.close();
  });

  /** From right after a renewal. @param times how long each of the settings is */
  async function outage(milliseconds: number, silently: boolean, times: typeof short) {
    const settings = { ...times, id: uniqueName('lease'), namespace };
    /** When the last renewal was sent that was answered: from then on the deadline and the lease count. */
    let renewed = 0;
    const candidate = campaign({
      connection: behind,
      settings,
      wrap: (inner) => ({
        ...methodsOf(inner),
        update: async (...args) => {
          const sent = performance.now();
          const lease = await inner.update(...args);
          renewed = sent;
          return lease;
        },
      }),
    });
    expect(await candidate.elected).toBe(true);
    const version = (): string | undefined => candidate.elector.lease?.metadata.resourceVersion;
    const before = version();
    await eventually(() => version() !== before, { timeout: 30_000, interval: 5 });
    // A busy machine may have failed a try before it was elected.
    const linesBefore = candidate.lines.length;
    if (silently) proxy.freeze();
    else proxy.cut();
    proxy.refuse(true);
    const back = sleep(milliseconds).then(() => proxy.refuse(false));
    const lostAfter = candidate.lost.then(() => performance.now() - renewed);
    return { candidate, back, lostAfter, linesBefore };
  }

  async function keeps(milliseconds: number, silently: boolean, times: typeof short) {
    const { candidate, back } = await outage(milliseconds, silently, times);
    await using _ = candidate;
    await back;
    await eventually(() => candidate.lines.some(({ msg }) => msg === 'Lease renewed again'), slow);
    await sleep(times.renewDeadline);
    expect(() => candidate.fence.check()).not.toThrow();
    expect(candidate.lines.filter(({ msg }) => msg === 'Lease not renewed').length).toBeGreaterThan(0);
  }

  async function loses(milliseconds: number, times: typeof short) {
    const { candidate, back, lostAfter, linesBefore } = await outage(milliseconds, false, times);
    await using _ = candidate;
    expect(await candidate.lost).toMatchObject({ code: 'runtime/leadership-lost' });
    // Before anybody else can take over.
    expect(await lostAfter).toBeGreaterThan(times.renewDeadline * 0.8);
    expect(await lostAfter).toBeLessThan(times.leaseDuration);
    await back;
    await sleep(500);
    expect(() => candidate.fence.check()).toThrow(/runtime\/not-leader/);
    const lines = candidate.lines.slice(linesBefore);
    expect(lines.filter(({ level }) => level === 'error')).toMatchObject([{ msg: 'Lost the lead' }]);
  }

  // A busy machine must not make it longer than the deadline.
  test('L12: less than the renew deadline: the lead is kept', () =>
    keeps(2500, false, { ...short, renewDeadline: 5000, leaseDuration: 7000 }));
  test('L12: a little less than the renew deadline, without a word: the lead is kept', () =>
    keeps(1400, true, { ...short, renewDeadline: 4000, leaseDuration: 6000, retryPeriod: 500 }));
  test('L5, L12: longer than the renew deadline: the leader gives up before the lease has ended', () =>
    loses(3000, short));

  // Unscaled: the constants of operators.
  const constants = { leaseDuration: 15_000, renewDeadline: 10_000, retryPeriod: 2000, releaseOnStop: true };
  test.runIf(isThorough)('L12: 6 s: the lead is kept', () => keeps(6000, false, constants));
  test.runIf(isThorough)('L5, L12: 11 s: the leader gives up', () => loses(11_000, constants));
});
