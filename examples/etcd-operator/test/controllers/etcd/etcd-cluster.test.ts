import { join } from 'node:path';
import { Pod, Service } from 'opsdk/k8s/core/v1';
import { createTestApi, type TestApi } from 'opsdk/testing';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { EtcdCluster, type EtcdClusterSpec } from '../../../src/api/etcd/v1beta2/etcd-cluster.ts';
import { createEtcdClusterController } from '../../../src/controllers/etcd/etcd-cluster.ts';
import { FakeEtcd } from '../../etcd/fake-etcd.ts';

const urlOf = (pod: string): string => `http://${pod}.example.default.svc:2380`;
const crds = [join(import.meta.dirname, '../../../config/crd/bases')];
const key = { name: 'example', namespace: 'default' };

describe('EtcdCluster', () => {
  let api: TestApi;
  let etcd: FakeEtcd;
  beforeEach(async () => {
    etcd = new FakeEtcd();
    api = await createTestApi({ kinds: [EtcdCluster, Pod, Service], crds });
    api.add(createEtcdClusterController({ etcd }));
    await api.client.create(EtcdCluster, { metadata: key, spec: {} });
    await api.advance('1s');
  });
  afterEach(() => api[Symbol.asyncDispose]());

  const podNames = async (): Promise<readonly string[]> =>
    (await api.client.list(Pod, { namespace: 'default' })).items
      .map(({ metadata }) => metadata.name ?? '')
      .sort();
  const status = async () => (await api.client.get(EtcdCluster, key)).status;
  const addressOf = (pod: string): string => `10.0.0.${Number(pod.split('-')[1]) + 1}`;
  type Phase = 'Failed' | 'Pending' | 'Running' | 'Succeeded';
  const setPhase = async (name: string, phase: Phase): Promise<void> => {
    await api.client.applyStatus(Pod, { ...key, name }, { phase, podIP: addressOf(name) });
  };
  const commandOf = async (name: string): Promise<readonly string[]> =>
    (await api.client.get(Pod, { ...key, name })).spec?.containers[0]?.command ?? [];
  const initialCluster = (...names: readonly string[]): string =>
    `--initial-cluster=${names.map((name) => `${name}=${urlOf(name)}`).join()}`;
  const deletePod = async (name: string): Promise<void> => {
    await api.client.delete(Pod, { ...key, name }, { gracePeriodSeconds: 0 });
    await api.advance('1s');
  };
  /** Keeps a Pod under deletion until the returned function is called, as a slow kubelet would. */
  const holdPod = async (name: string): Promise<() => Promise<void>> => {
    const setFinalizers = (finalizers: readonly string[]) =>
      api.client.patch(Pod, { ...key, name }, { type: 'merge', body: { metadata: { finalizers } } });
    await setFinalizers(['test.example.com/hold']);
    return async () => {
      await setFinalizers([]);
      await api.advance('1s');
    };
  };
  const condition = async (type: string) => (await status())?.conditions?.find((each) => each.type === type);
  /** Lets a Pod and its member run, as the kubelet and etcd would. */
  const start = async (...names: readonly string[]): Promise<void> => {
    // The first members are in etcd's list before any of them runs.
    for (const name of names) etcd.start(name);
    for (const name of names) await setPhase(name, 'Running');
    await api.advance('1s');
  };
  const change = async (spec: EtcdClusterSpec): Promise<void> => {
    await api.client.patch(EtcdCluster, key, { type: 'merge', body: { spec } });
    await api.advance('1s');
  };
  const form = (): Promise<void> => start('example-0', 'example-1', 'example-2');

  test('starts the first members with the same list', async () => {
    expect(await podNames()).toEqual(['example-0', 'example-1', 'example-2']);
    expect(await status()).toMatchObject({ phase: 'Creating', reason: 'WaitingForMembers', size: 0 });
    const command = await commandOf('example-1');
    expect(command).toContain('--initial-cluster-state=new');
    expect(command).toContain(initialCluster('example-0', 'example-1', 'example-2'));
    await form();
    expect(await status()).toMatchObject({ phase: 'Running', reason: 'Ready', size: 3 });
    expect((await status())?.readyMembers).toEqual(['example-0', 'example-1', 'example-2']);
  });

  test('creates the missing first Pods with the list of those that are there', async () => {
    await change({ size: 5 });
    await deletePod('example-1');
    expect(await podNames()).toEqual(['example-0', 'example-1', 'example-2']);
    const command = await commandOf('example-1');
    expect(command).toContain('--initial-cluster-state=new');
    expect(command).toContain(initialCluster('example-0', 'example-1', 'example-2'));
  });

  test('waits for the name of a first Pod that is being deleted', async () => {
    const release = await holdPod('example-1');
    await deletePod('example-1');
    expect(await status()).toMatchObject({ phase: 'Creating', reason: 'WaitingForMembers' });
    await release();
    expect(await commandOf('example-1')).toContain(initialCluster('example-0', 'example-1', 'example-2'));
  });

  test('adds a member to etcd before its Pod', async () => {
    await form();
    await change({ size: 4 });
    expect(etcd.known.at(-1)).toMatchObject({ peerURLs: [urlOf('example-3')] });
    const command = await commandOf('example-3');
    expect(command).toContain('--initial-cluster-state=existing');
    expect(command).toContain(initialCluster('example-0', 'example-1', 'example-2', 'example-3'));
    expect(await status()).toMatchObject({ reason: 'WaitingForMembers' });
    await start('example-3');
    expect(await status()).toMatchObject({ reason: 'Ready', size: 4 });
  });

  test('starts the Pod of a member that was added before the operator was interrupted', async () => {
    await form();
    etcd.known.push({ ID: 'added', peerURLs: [urlOf('example-3')] });
    await change({ size: 4 });
    expect(await podNames()).toEqual(['example-0', 'example-1', 'example-2', 'example-3']);
    expect(etcd.known).toHaveLength(4);
  });

  test('starts a member again whose Pod was deleted before it ran', async () => {
    await form();
    await change({ size: 4 });
    const release = await holdPod('example-3');
    await deletePod('example-3');
    expect(await status()).toMatchObject({ reason: 'WaitingForMembers' });
    await release();
    await start('example-3');
    expect(await status()).toMatchObject({ reason: 'Ready', size: 4 });
  });

  test('gives a new member a name that no Pod has', async () => {
    await form();
    const release = await holdPod('example-2');
    await change({ size: 2 });
    await change({ size: 3 });
    expect(etcd.known.at(-1)).toMatchObject({ peerURLs: [urlOf('example-3')] });
    await release();
    expect(await podNames()).toEqual(['example-0', 'example-1', 'example-3']);
  });

  test('removes members that others have added', async () => {
    await form();
    etcd.known.push({ ID: 'started', name: 'foreign', peerURLs: ['http://foreign:2380'] });
    etcd.known.push({ ID: 'added', peerURLs: ['http://late:2380'] });
    await change({ paused: false });
    expect(etcd.known.map(({ name }) => name)).toEqual(['example-0', 'example-1', 'example-2']);
    expect(api.events.map(({ note }) => note).sort()).toEqual([
      'Removed member foreign',
      'Removed member http://late:2380',
    ]);
    expect(await status()).toMatchObject({ reason: 'Ready', size: 3 });
  });

  test('removes the last member by the others, then its Pod', async () => {
    await form();
    await change({ size: 2 });
    expect(etcd.known.map(({ name }) => name)).toEqual(['example-0', 'example-1']);
    expect(etcd.removedBy).toEqual(['http://10.0.0.1:2379', 'http://10.0.0.2:2379']);
    expect(await podNames()).toEqual(['example-0', 'example-1']);
    expect(api.events).toMatchObject([{ reason: 'RemovingMember', note: 'Removed member example-2' }]);
  });

  test.each(['Failed', 'Succeeded'] as const)('replaces a member whose Pod has %s', async (phase) => {
    await form();
    await setPhase('example-1', phase);
    await api.advance('1s');
    expect(api.events).toMatchObject([{ reason: 'RemovingLostMember' }]);
    await start('example-1');
    expect(await status()).toMatchObject({ reason: 'Ready', size: 3 });
  });

  test('deletes a Pod that is not a member', async () => {
    await form();
    etcd.known = etcd.known.filter(({ name }) => name !== 'example-2');
    await change({ size: 2 });
    expect(await podNames()).toEqual(['example-0', 'example-1']);
  });

  test('waits without a quorum, and says so', async () => {
    await form();
    for (const pod of ['example-0', 'example-1']) etcd.unhealthy.add(`http://${addressOf(pod)}:2379`);
    await change({ size: 5 });
    expect(await status()).toMatchObject({ phase: 'Running', reason: 'WaitingForMembers' });
    expect(await condition('Available')).toMatchObject({ status: 'False', reason: 'NoQuorum' });
    expect(etcd.known).toHaveLength(3);
    etcd.unhealthy.clear();
    await api.advance('1s');
    expect(etcd.known).toHaveLength(4);
    expect(await condition('Available')).toMatchObject({ status: 'True', reason: 'Quorum' });
  });

  test('keeps the size while no member answers, and fails when all are lost', async () => {
    await form();
    for (const name of await podNames()) await setPhase(name, 'Pending');
    await change({ size: 3 });
    expect(await status()).toMatchObject({ phase: 'Running', reason: 'WaitingForMembers', size: 3 });
    for (const name of await podNames())
      await api.client.delete(Pod, { ...key, name }, { gracePeriodSeconds: 0 });
    await api.advance('1s');
    expect(await podNames()).toEqual([]);
    expect(await status()).toMatchObject({ phase: 'Failed', reason: 'AllMembersLost' });
  });

  test('shows a refusal of etcd in its status until it is over', async () => {
    await form();
    etcd.refusal = new Error('unhealthy cluster');
    await expect(change({ size: 4 })).rejects.toThrow('unhealthy cluster');
    expect(await condition('Degraded')).toMatchObject({ status: 'True', message: 'unhealthy cluster' });
    expect(await status()).toMatchObject({ size: 3, phase: 'Running' });
    etcd.refusal = undefined;
    await api.advance('10s');
    expect(await condition('Degraded')).toMatchObject({ status: 'False' });
    expect(etcd.known).toHaveLength(4);
  });

  test('changes nothing while etcd answers with errors', async () => {
    await form();
    etcd.listError = new Error('corrupt');
    await api.client.delete(Pod, { ...key, name: 'example-1' }, { gracePeriodSeconds: 0 });
    await expect(api.advance('1s')).rejects.toThrow('corrupt');
    expect(await condition('Degraded')).toMatchObject({ status: 'True', message: 'corrupt' });
    expect(etcd.known).toHaveLength(3);
    expect(await podNames()).toEqual(['example-0', 'example-2']);
    etcd.listError = undefined;
    await api.advance('10s');
    expect(await condition('Degraded')).toMatchObject({ status: 'False' });
    expect(await podNames()).toEqual(['example-0', 'example-1', 'example-2']);
  });

  test('has a Service for its members and one for clients, which come back', async () => {
    const services = async (): Promise<readonly unknown[]> =>
      (await api.client.list(Service, { namespace: 'default' })).items.map(({ metadata, spec }) => [
        metadata.name,
        spec?.ports?.map(({ name }) => name),
      ]);
    const wanted = [
      ['example', ['client', 'peer']],
      ['example-client', ['client']],
    ];
    expect(await services()).toEqual(wanted);
    await api.client.delete(Service, { ...key, name: 'example-client' });
    await api.advance('1s');
    expect(await services()).toEqual(wanted);
  });

  test('is left alone while it is paused', async () => {
    await form();
    await change({ paused: true, size: 5 });
    expect(await status()).toMatchObject({ controlPaused: true, size: 3 });
    expect(etcd.known).toHaveLength(3);
    await change({ paused: false });
    expect(await status()).toMatchObject({ controlPaused: false, size: 4 });
  });
});
