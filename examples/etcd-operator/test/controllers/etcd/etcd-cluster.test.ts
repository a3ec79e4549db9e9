// The controller on an API server in memory, with an etcd of the test.
import { Pod, Service } from 'opsdk/k8s/core/v1';
import { PodDisruptionBudget } from 'opsdk/k8s/policy/v1';
import { kubernetesMatchers } from 'opsdk/testing/vitest';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { EtcdCluster } from '../../../src/api/etcd/v1beta2/etcd-cluster.ts';
import { EtcdRefusalError } from '../../../src/etcd/etcd-api.ts';
import { ClusterFixture, key, urlOf } from '../../cluster/cluster-fixture.ts';

expect.extend(kubernetesMatchers);

describe('EtcdCluster', () => {
  let cluster: ClusterFixture;
  beforeEach(async () => {
    cluster = await ClusterFixture.start();
  });
  afterEach(() => cluster[Symbol.asyncDispose]());

  const commandOf = async (name: string): Promise<readonly string[]> =>
    (await cluster.api.client.get(Pod, { ...key, name })).spec?.containers[0]?.command ?? [];
  const onlyName = async (): Promise<string> => {
    const [name = '', ...others] = await cluster.podNames();
    expect(others).toEqual([]);
    return name;
  };

  test('starts one member with a token of its own, and reports every field of its status', async () => {
    await cluster.create();
    const seed = await onlyName();
    expect(seed).toMatch(/^example-[a-z0-9]{5}$/);
    const { metadata } = await cluster.api.client.get(EtcdCluster, key);
    const command = await commandOf(seed);
    expect(command).toContain('--initial-cluster-state=new');
    expect(command).toContain(`--initial-cluster-token=${metadata.uid}`);
    expect(command).toContain(`--initial-cluster=${seed}=${urlOf(seed)}`);
    expect(await cluster.status()).toMatchObject({
      phase: 'Creating',
      reason: 'WaitingForSeed',
      controlPaused: false,
      size: 0,
      serviceName: 'example-client',
      clientPort: 2379,
      members: { ready: [], unready: [seed] },
      currentVersion: '',
      targetVersion: '',
    });
    expect(await cluster.condition('Available')).toMatchObject({ status: 'False', reason: 'NotFormed' });
  });

  test('adds the other members one at a time, as learners that are promoted', async () => {
    await cluster.create();
    const seed = await onlyName();
    await cluster.run();
    await cluster.api.advance('1s');
    const second = (await cluster.podNames()).find((name) => name !== seed) ?? '';
    expect(await commandOf(second)).toContain('--initial-cluster-state=existing');
    expect(cluster.etcd.known).toMatchObject([
      { name: seed },
      { peerURLs: [urlOf(second)], isLearner: true },
    ]);
    await cluster.api.advance('10s');
    expect(await cluster.podNames()).toHaveLength(2);

    await cluster.settle();
    expect(await cluster.podNames()).toHaveLength(3);
    expect(cluster.etcd.promoted).toHaveLength(2);
    const status = await cluster.status();
    expect(status).toMatchObject({ phase: 'Running', reason: 'Ready', size: 3, currentVersion: '3.6.8' });
    expect(status?.members).toEqual({ ready: await cluster.podNames(), unready: [] });
    expect(await cluster.api.client.get(EtcdCluster, key)).toHaveCondition('Available', 'True');
  });

  test('sends clients to members that vote only', async () => {
    await cluster.create();
    const service = () => cluster.api.client.get(Service, { ...key, name: 'example-client' });
    expect((await service()).metadata.annotations?.['etcd.database.coreos.com/formed']).toBeUndefined();
    expect((await service()).spec?.selector).toMatchObject({ 'etcd.database.coreos.com/voting': 'true' });
    await cluster.run();
    await cluster.api.advance('1s');
    expect((await service()).metadata.annotations?.['etcd.database.coreos.com/formed']).toBe('true');
    const voting = (await cluster.pods()).map(
      ({ metadata }) => metadata.labels?.['etcd.database.coreos.com/voting'],
    );
    expect(voting.filter((each) => each === 'true')).toHaveLength(1);
    await cluster.settle();
    expect((await cluster.pods())[2]?.metadata.labels?.['etcd.database.coreos.com/voting']).toBe('true');
  });

  test('keeps a quorum while nodes are drained', async () => {
    await cluster.form({ size: 5 });
    const budget = await cluster.api.client.get(PodDisruptionBudget, key);
    expect(budget.spec?.minAvailable).toBe(3);
  });

  test('grows to five and shrinks to one, with the leader as the last', async () => {
    await cluster.form();
    await cluster.change({ size: 5 });
    await cluster.settle();
    expect(await cluster.podNames()).toHaveLength(5);
    const leader = cluster.etcd.known[0]?.name;
    await cluster.change({ size: 1 });
    await cluster.settle();
    expect(await cluster.podNames()).toEqual([leader]);
    expect(cluster.etcd.removed).toHaveLength(4);
  });

  test.each(['Failed', 'Succeeded'] as const)('replaces a member whose Pod has %s', async (phase) => {
    await cluster.form();
    const [lost = ''] = await cluster.podNames();
    cluster.etcd.silent.add(lost);
    await cluster.setPhase(lost, phase);
    await cluster.settle();
    expect(cluster.etcd.removed).toEqual([lost]);
    expect(await cluster.podNames()).toHaveLength(3);
    expect(await cluster.podNames()).not.toContain(lost);
  });

  test('replaces a member whose Pod was deleted, and changes nothing else', async () => {
    await cluster.form();
    const [lost = '', ...others] = await cluster.podNames();
    await cluster.losePod(lost);
    await cluster.api.advance('1s');
    await cluster.settle();
    expect(cluster.etcd.removed).toEqual([lost]);
    expect(cluster.api.events).toMatchObject([{ reason: 'RemovingLostMember', note: lost }]);
    expect(await cluster.podNames()).toEqual(expect.arrayContaining(others));
    expect(await cluster.condition('Recovering')).toMatchObject({ status: 'False' });
  });

  test('starts a member again beside its claim', async () => {
    await cluster.form({ storage: { size: '1Gi' } });
    const names = await cluster.podNames();
    expect(await cluster.claimNames()).toEqual(names.map((name) => `data-${name}`));
    await cluster.losePod(names[0] ?? '');
    await cluster.settle();
    expect(await cluster.podNames()).toEqual(names);
    expect(cluster.etcd.removed).toEqual([]);
  });

  test('starts all members again beside their claims', async () => {
    await cluster.form({ storage: { size: '1Gi' } });
    const names = await cluster.podNames();
    for (const name of names) await cluster.losePod(name);
    for (let second = 0; second < 4; second++) await cluster.api.advance('1s');
    expect(await cluster.podNames()).toEqual(names);
    expect(await commandOf(names[0] ?? '')).toContain('--initial-cluster-state=existing');
  });

  test('replaces a member that does not become ready again, and no sooner than after five minutes', async () => {
    await cluster.form();
    const [stuck = ''] = await cluster.podNames();
    await cluster.setUnready(stuck);
    await cluster.api.advance('4m');
    expect(await cluster.status()).toMatchObject({ reason: 'WaitingForMember' });
    expect(cluster.etcd.removed).toEqual([]);
    await cluster.api.advance('2m');
    expect(cluster.etcd.removed).toEqual([stuck]);
    await cluster.settle();
    expect(await cluster.podNames()).toHaveLength(3);
  });

  test('recognizes the loss of a quorum, changes nothing, and says so', async () => {
    await cluster.form();
    const [one = '', two = '', left = ''] = await cluster.podNames();
    await cluster.losePod(one);
    await cluster.losePod(two);
    await cluster.api.advance('1m');
    expect(await cluster.status()).toMatchObject({ phase: 'Failed', reason: 'QuorumLost', size: 3 });
    expect(await cluster.condition('Available')).toMatchObject({
      status: 'False',
      reason: 'NoQuorum',
      message: '2 of 3 members are lost with their data',
    });
    expect(await cluster.podNames()).toEqual([left]);
    expect(cluster.etcd.removed).toEqual([]);
  });

  test('takes a cluster without Pods for lost, not for new', async () => {
    await cluster.form();
    for (const name of await cluster.podNames()) await cluster.losePod(name);
    await cluster.api.advance('1m');
    expect(await cluster.podNames()).toEqual([]);
    expect(await cluster.status()).toMatchObject({ phase: 'Failed', reason: 'QuorumLost', size: 3 });
  });

  test('waits for members that may come back', async () => {
    await cluster.form();
    for (const name of (await cluster.podNames()).slice(1)) await cluster.setUnready(name);
    // Longer than it takes until a member is replaced where the others have a quorum.
    await cluster.api.advance('11m');
    expect(await cluster.status()).toMatchObject({ phase: 'Running', reason: 'WaitingForQuorum' });
    expect(await cluster.podNames()).toHaveLength(3);
  });

  test('removes members that others have added', async () => {
    await cluster.form();
    cluster.etcd.known.push({ ID: 'late', peerURLs: ['http://late:2380'], isLearner: true });
    await cluster.api.advance('1m');
    expect(cluster.etcd.removed).toEqual(['http://late:2380']);
  });

  test('deletes Pods that are no members', async () => {
    await cluster.form();
    const [stranger = ''] = await cluster.podNames();
    cluster.etcd.known = cluster.etcd.known.filter(({ name }) => name !== stranger);
    await cluster.api.advance('1m');
    await cluster.settle();
    expect(await cluster.podNames()).not.toContain(stranger);
    expect(await cluster.podNames()).toHaveLength(3);
  });

  test('deletes nothing by the list of a member that is behind the others', async () => {
    await cluster.form();
    const names = await cluster.podNames();
    cluster.etcd.local = cluster.etcd.known.slice(0, 2);
    await cluster.api.advance('1m');
    expect(await cluster.podNames()).toEqual(names);
    expect(await cluster.status()).toMatchObject({ phase: 'Running', reason: 'WaitingForQuorum' });
    cluster.etcd.local = undefined;
    await cluster.settle();
    expect([await cluster.podNames(), cluster.etcd.removed]).toEqual([names, []]);
  });

  test('waits while etcd will not change its members yet', async () => {
    await cluster.form();
    cluster.etcd.refusal = new EtcdRefusalError('etcdserver: unhealthy cluster', 14);
    await cluster.change({ size: 5 });
    expect(await cluster.status()).toMatchObject({ reason: 'AddingMember', size: 3 });
    expect(await cluster.condition('Scaling')).toMatchObject({
      status: 'True',
      message: 'etcdserver: unhealthy cluster',
    });
    cluster.etcd.refusal = undefined;
    await cluster.settle();
    expect(await cluster.podNames()).toHaveLength(5);
  });

  test('shows an error in its status until it is over', async () => {
    await cluster.form();
    cluster.etcd.listError = new Error('corrupt');
    await expect(cluster.api.advance('1m')).rejects.toThrow('corrupt');
    expect(await cluster.condition('Degraded')).toMatchObject({ status: 'True', message: 'corrupt' });
    cluster.etcd.listError = undefined;
    await cluster.api.advance('1m');
    expect(await cluster.condition('Degraded')).toMatchObject({ status: 'False' });
  });

  test('shows alarms and a database that is half empty', async () => {
    await cluster.form();
    const [name = ''] = await cluster.podNames();
    const id = cluster.etcd.known.find((each) => each.name === name)?.ID ?? '';
    cluster.etcd.raised = [{ memberID: id, alarm: 'NOSPACE' }];
    cluster.etcd.reports.set(name, { version: '3.6.8', dbSize: 400e6, dbSizeInUse: 100e6 });
    await cluster.api.advance('1m');
    const object = await cluster.api.client.get(EtcdCluster, key);
    expect(object).toHaveCondition('SpaceExhausted', 'True', { reason: 'AlarmRaised' });
    expect(object).toHaveCondition('Corrupted', 'False');
    expect(object).toHaveCondition('DefragmentationNeeded', 'True', { reason: 'SpaceFree' });
    expect((await cluster.condition('SpaceExhausted'))?.message).toContain(name);
  });

  test('is left alone while it is paused', async () => {
    await cluster.form();
    await cluster.change({ paused: true, size: 5 });
    expect(await cluster.status()).toMatchObject({ controlPaused: true, size: 3, phase: 'Running' });
    expect(cluster.etcd.known).toHaveLength(3);
    await cluster.change({ paused: false });
    await cluster.settle();
    expect(await cluster.status()).toMatchObject({ controlPaused: false, size: 5 });
  });

  test('adopts the members of a cluster that was deleted without them', async () => {
    await cluster.form();
    const names = await cluster.podNames();
    await cluster.api.client.delete(EtcdCluster, key, { propagationPolicy: 'Orphan' });
    await cluster.api.advance('1s');
    await cluster.create();
    await cluster.settle();
    expect(await cluster.podNames()).toEqual(names);
    const { metadata } = await cluster.api.client.get(EtcdCluster, key);
    const [pod] = await cluster.pods();
    expect(pod?.metadata.ownerReferences).toMatchObject([{ uid: metadata.uid, controller: true }]);
  });

  test('deletes everything with the cluster', async () => {
    await cluster.form({ storage: { size: '1Gi' } });
    await cluster.api.client.delete(EtcdCluster, key);
    await cluster.api.advance('1m');
    expect([await cluster.podNames(), await cluster.claimNames()]).toEqual([[], []]);
  });
});

test('members that cannot look up names are known by addresses, and at rest no more are taken', async () => {
  const asked: string[] = [];
  const addressOf = async (host: string): Promise<string> => {
    if (!asked.includes(host)) asked.push(host);
    return Promise.resolve(`127.64.0.${asked.indexOf(host) + 1}`);
  };
  await using cluster = await ClusterFixture.start({ addressOf });
  await cluster.form();
  const urls = cluster.etcd.known.map(({ peerURLs: [url = ''] }) => url);
  expect(new Set(urls).size).toBe(3);
  for (const url of urls) expect(url).toMatch(/^http:\/\/127\.64\.0\.\d+:2380$/);
  for (const { metadata, spec } of await cluster.pods()) {
    const host = `${metadata.name}.example.default.svc`;
    const url = `http://${await addressOf(host)}:2380`;
    expect(spec?.containers[0]?.command).toContain(`--initial-advertise-peer-urls=${url}`);
  }
  // At rest, each look asks for the same hosts.
  await cluster.api.advance('1m');
  const before = asked.length;
  await cluster.api.advance('10m');
  expect(asked).toHaveLength(before);
});
