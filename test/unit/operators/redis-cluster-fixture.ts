import { StatefulSet } from '../../../src/sdk/k8s/generated/apps/v1.ts';
import { ConfigMap, PersistentVolumeClaim, Pod, Service } from '../../../src/sdk/k8s/generated/core/v1.ts';
import { ownedBy } from '../../../src/sdk/runtime/index.ts';
import { createTestApi, type TestApi } from '../../../src/testing/index.ts';
import {
  RedisCluster,
  type RedisClusterSpec,
  type RedisClusterStatus,
} from '../../operators/redis/api/redis-cluster.ts';
import { redisClusterController } from '../../operators/redis/redis-cluster-controller.ts';
import { FakeRedis } from './fake-redis.ts';

const namespace = 'default';
export const key = { name: 'example', namespace };

/** A RedisCluster on a fake Redis. Stands in for the controller of StatefulSets and the kubelet. */
export class RedisClusterFixture implements AsyncDisposable {
  readonly api: TestApi;
  readonly redis = new FakeRedis();
  readonly #addresses = new Map<string, string>();
  #started = 0;

  private constructor(api: TestApi) {
    this.api = api;
    api.add(redisClusterController({ redis: this.redis }));
  }

  static async start(crds: readonly object[]): Promise<RedisClusterFixture> {
    const kinds = [RedisCluster, StatefulSet, Service, ConfigMap, PersistentVolumeClaim, Pod];
    return new RedisClusterFixture(await createTestApi({ kinds, crds }));
  }

  [Symbol.asyncDispose](): PromiseLike<void> {
    return this.api[Symbol.asyncDispose]();
  }

  async create(spec: Partial<RedisClusterSpec> = {}): Promise<void> {
    await this.api.client.create(RedisCluster, { metadata: key, spec: { masters: 3, ...spec } });
    await this.api.advance('1s');
  }

  async change(spec: Partial<RedisClusterSpec>): Promise<void> {
    await this.api.client.patch(RedisCluster, key, { type: 'merge', body: { spec } });
    await this.api.advance('1s');
  }

  /** Creates the cluster, and runs its Pods. */
  async form(spec: Partial<RedisClusterSpec> = {}): Promise<void> {
    await this.create(spec);
    await this.run();
  }

  async status() {
    return (await this.api.client.get(RedisCluster, key)).status;
  }

  async condition(type: string) {
    return (await this.status())?.conditions?.find((each) => each.type === type);
  }

  /** Returns the numbers of slots of the nodes in the status, by their Pods. Those of replicas are undefined. */
  async slots(): Promise<Readonly<Record<string, number | undefined>>> {
    const nodes = (await this.status())?.nodes ?? [];
    return Object.fromEntries(
      nodes.map(({ pod, role, slots }) => [pod, role === 'Master' ? slots : undefined]),
    );
  }

  get #statuses(): readonly RedisClusterStatus[] {
    return this.api.requests
      .filter(({ subresource, dryRun }) => subresource === 'status' && !dryRun)
      .map(({ body }) => (body as RedisCluster).status ?? {});
  }

  /** Reasons that the status had, one after the other. */
  get reasons(): readonly unknown[] {
    return this.#statuses.map(({ reason }) => reason).filter((each, index, all) => each !== all[index - 1]);
  }

  /** Messages with which the status said that something is wrong. */
  get degradations(): readonly string[] {
    return this.#statuses.flatMap(({ conditions = [] }) =>
      conditions
        .filter(({ type, status }) => type === 'Degraded' && status === 'True')
        .map(({ message }) => message),
    );
  }

  async names(kind: typeof StatefulSet | typeof Service | typeof PersistentVolumeClaim) {
    const { items } = await this.api.client.list(kind, { namespace });
    return items.map(({ metadata }) => metadata.name);
  }

  /** Returns the address of a Pod. */
  addressOf(pod: string): string {
    const address = this.#addresses.get(pod);
    if (address === undefined) throw new Error(`${pod} does not run`);
    return address;
  }

  /** Runs the Pods of all StatefulSets, and ends those that belong to none. @param except Pods that stay away */
  async run({ except = [] }: { readonly except?: readonly string[] } = {}): Promise<void> {
    const wanted = new Map<string, StatefulSet>();
    for (const set of (await this.api.client.list(StatefulSet, { namespace })).items)
      for (let index = 0; index < (set.spec?.replicas ?? 1); index++)
        wanted.set(`${set.metadata.name}-${index}`, set);
    for (const name of this.#addresses.keys()) if (!wanted.has(name)) await this.end(name);
    for (const [name, set] of wanted)
      if (!this.#addresses.has(name) && !except.includes(name)) await this.#start(name, set);
    await this.api.advance('3s');
  }

  /** Ends a Pod with its server. */
  async end(pod: string): Promise<void> {
    this.redis.stop(this.addressOf(pod));
    this.#addresses.delete(pod);
    const options = { gracePeriodSeconds: 0, ignoreNotFound: true };
    await this.api.client.delete(Pod, { name: pod, namespace }, options);
  }

  async setReady(pod: string, isTrue: boolean): Promise<void> {
    const ready = { type: 'Ready', status: isTrue ? 'True' : 'False' };
    await this.api.client.applyStatus(
      Pod,
      { name: pod, namespace },
      { phase: 'Running', podIP: this.addressOf(pod), conditions: [ready] },
    );
  }

  async #start(name: string, set: StatefulSet): Promise<void> {
    const { template, volumeClaimTemplates = [] } = set.spec ?? {};
    const volumes = [...(template?.spec?.volumes ?? [])];
    for (const { metadata: { name: volume = '', labels = {} } = {}, spec } of volumeClaimTemplates) {
      const claim = { name: `${volume}-${name}`, namespace, labels };
      await this.api.client.apply(PersistentVolumeClaim, { metadata: claim, spec });
      volumes.push({ name: volume, persistentVolumeClaim: { claimName: claim.name } });
    }
    const labels = template?.metadata?.labels ?? {};
    await this.api.client.create(Pod, {
      metadata: { name, namespace, labels, ...ownedBy(set) },
      spec: { containers: [], ...template?.spec, volumes },
    });
    const address = `10.0.0.${++this.#started}`;
    this.#addresses.set(name, address);
    this.redis.start(address);
    await this.setReady(name, true);
  }
}
