import { join } from 'node:path';
import { PersistentVolumeClaim, Pod, Secret, Service } from 'opsdk/k8s/core/v1';
import { PodDisruptionBudget } from 'opsdk/k8s/policy/v1';
import { createTestApi, type TestApi } from 'opsdk/testing';
import { EtcdBackup } from '../../src/api/etcd/v1beta2/etcd-backup.ts';
import { EtcdCluster, type EtcdClusterSpec } from '../../src/api/etcd/v1beta2/etcd-cluster.ts';
import { EtcdRestore } from '../../src/api/etcd/v1beta2/etcd-restore.ts';
import { createEtcdClusterController } from '../../src/controllers/etcd/etcd-cluster.ts';
import type { EtcdApi } from '../../src/etcd/etcd-api.ts';
import type { RestoreSource } from '../../src/etcd/restore-source.ts';
import { FakeEtcd } from '../etcd/fake-etcd.ts';

const namespace = 'default';
export const key = { name: 'example', namespace };
const kinds = [
  ...[EtcdCluster, EtcdBackup, EtcdRestore, Pod],
  ...[PersistentVolumeClaim, Service, Secret, PodDisruptionBudget],
];
const crds = [join(import.meta.dirname, '../../config/crd/bases')];

interface FixtureOptions {
  /** Returns what the operator calls in the place of an etcd. */
  readonly through?: (etcd: FakeEtcd) => EtcdApi;
  /** Returns the host by which members find another one. Default: its name. */
  readonly addressOf?: (host: string) => Promise<string>;
}

/** An EtcdCluster on a fake etcd, with the part of the kubelet: it says when a Pod and its member run. */
export class ClusterFixture implements AsyncDisposable {
  readonly api: TestApi;
  readonly etcd = new FakeEtcd();
  #addresses = 0;

  private constructor(api: TestApi, { through = (etcd) => etcd, ...options }: FixtureOptions) {
    this.api = api;
    const restoreSourceOf = ({ metadata: { name = '', uid = '' } }: EtcdRestore): RestoreSource => ({
      restore: { name, uid },
      initContainers: (seed) => [{ name: 'restore', image: seed.image, args: [seed.name, seed.token] }],
      volumes: [{ name: 'snapshot', emptyDir: {} }],
    });
    api.add(createEtcdClusterController({ etcd: through(this.etcd), restoreSourceOf, ...options }));
  }

  static async start(options: FixtureOptions = {}): Promise<ClusterFixture> {
    return new ClusterFixture(await createTestApi({ kinds, crds }), options);
  }

  [Symbol.asyncDispose](): PromiseLike<void> {
    return this.api[Symbol.asyncDispose]();
  }

  async create(spec: EtcdClusterSpec = {}): Promise<void> {
    await this.api.client.create(EtcdCluster, { metadata: key, spec });
    await this.api.advance('1s');
  }

  /** Creates a cluster, and runs its members until it is as it should be. */
  async form(spec: EtcdClusterSpec = {}): Promise<void> {
    await this.create(spec);
    await this.settle();
  }

  async change(spec: EtcdClusterSpec): Promise<void> {
    await this.api.client.patch(EtcdCluster, key, { type: 'merge', body: { spec } });
    await this.api.advance('1s');
  }

  /** Runs whatever Pods are there or come, until the operator is at rest. */
  async settle(): Promise<void> {
    for (let round = 0; round < 60; round++) {
      await this.run();
      await this.api.advance('1s');
      if (['Ready', 'UpgradeRefused'].includes((await this.status())?.reason ?? '')) return;
    }
    throw new Error(`not at rest: ${JSON.stringify(await this.status())}`);
  }

  /** Lets all Pods run that do not, and their members start, with the version of their image. Allows an eviction. */
  async run(): Promise<void> {
    await this.#allowEviction();
    for (const { metadata, spec, status } of await this.pods()) {
      const { image = '', command = [] } = spec?.containers[0] ?? {};
      const version = image.slice(image.lastIndexOf(':v') + 2);
      const flag = '--initial-advertise-peer-urls=';
      const url = command.find((each) => each.startsWith(flag))?.slice(flag.length) ?? '';
      const isNew = status?.phase !== 'Running';
      if (isNew) await this.setPhase(metadata.name, 'Running');
      const isKnown = this.etcd.known.some(({ peerURLs }) => peerURLs.includes(url));
      if (isNew && (isKnown || this.etcd.known.length === 0)) this.etcd.start(metadata.name, url, version);
      else if (this.etcd.reports.has(metadata.name)) this.etcd.reports.set(metadata.name, { version });
    }
  }

  /** Writes what the controller of budgets would. */
  async #allowEviction(): Promise<void> {
    if ((await this.api.client.find(PodDisruptionBudget, key)) === undefined) return;
    await this.api.client.applyStatus(PodDisruptionBudget, key, {
      ...{ disruptionsAllowed: 1, currentHealthy: 3, desiredHealthy: 2, expectedPods: 3 },
      observedGeneration: 1,
    });
  }

  async pods() {
    const { items } = await this.api.client.list(Pod, { namespace });
    return [...items].sort((a, b) => a.metadata.name.localeCompare(b.metadata.name));
  }

  async podNames(): Promise<readonly string[]> {
    return (await this.pods()).map(({ metadata }) => metadata.name);
  }

  async claimNames(): Promise<readonly string[]> {
    const { items } = await this.api.client.list(PersistentVolumeClaim, { namespace });
    return items.map(({ metadata }) => metadata.name).sort();
  }

  async status() {
    return (await this.api.client.get(EtcdCluster, key)).status;
  }

  async condition(type: string) {
    return (await this.status())?.conditions?.find((each) => each.type === type);
  }

  async setPhase(name: string, phase: 'Failed' | 'Pending' | 'Running' | 'Succeeded'): Promise<void> {
    const conditions = [{ type: 'Ready', status: phase === 'Running' ? 'True' : 'False' }];
    const podIP = `10.0.0.${++this.#addresses}`;
    await this.api.client.applyStatus(Pod, { name, namespace }, { phase, podIP, conditions });
  }

  /** Marks a Pod as not ready since now, as the kubelet of a member that does not answer. */
  async setUnready(name: string): Promise<void> {
    this.etcd.silent.add(name);
    const conditions = [
      { type: 'Ready', status: 'False', lastTransitionTime: new Date(this.api.now).toISOString() },
    ];
    const pod = await this.api.client.get(Pod, { name, namespace });
    const podIP = pod.status?.podIP ?? '';
    await this.api.client.applyStatus(Pod, { name, namespace }, { phase: 'Running', podIP, conditions });
  }

  /** Deletes a Pod, and with it the process of its member. */
  async losePod(name: string): Promise<void> {
    this.etcd.silent.add(name);
    await this.api.client.delete(Pod, { name, namespace }, { gracePeriodSeconds: 0 });
  }
}

export function urlOf(member: string): string {
  return `http://${member}.example.default.svc:2380`;
}
