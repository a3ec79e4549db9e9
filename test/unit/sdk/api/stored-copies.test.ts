import { describe, expectTypeOf, it } from 'vitest';
import type {
  ApplyObject,
  Client,
  ClusterClient,
  ControllerClient,
  CustomResource,
  Json,
  KubeObject,
  ListMap,
  ObjectKey,
  ObjectOf,
  Reader,
  Resource,
  Stored,
  StoredCopy,
  Writer,
} from '../../../../src/index.ts';
import { Deployment } from '../../../../src/sdk/k8s/generated/apps/v1.ts';
import type { ConfigMap } from '../../../../src/sdk/k8s/generated/core/v1.ts';

interface Site extends CustomResource<'web.example.com/v1', 'Site'> {
  spec: {
    pages: ListMap<{ name: string; words?: number }, 'name'>;
    source: { from: 'git'; url: string } | { from: 'text'; text: string };
    any?: Json;
    tree?: Tree;
  };
  status?: { ready: boolean };
}
interface Tree {
  name: string;
  children?: Tree[];
}

declare const site: Resource<Site>;
declare const client: ControllerClient;
declare const live: Client;
declare const cluster: ClusterClient;
declare const key: ObjectKey;
declare const desired: ApplyObject<Deployment>;

describe('what a client writes', () => {
  it('has a uid, as what it reads', () => {
    type Written = Awaited<ReturnType<typeof live.apply<typeof Deployment>>>;
    expectTypeOf<Written['metadata']['uid']>().toEqualTypeOf<string>();
    expectTypeOf<Written['metadata']['resourceVersion']>().toEqualTypeOf<string>();
    const uids = async (r: Reader, w: Writer, object: Deployment): Promise<string[]> => [
      (await w.create(Deployment, desired)).metadata.uid,
      (await w.update(Deployment, object)).metadata.uid,
      (await w.updateStatus(Deployment, object)).metadata.uid,
      (await w.patch(Deployment, key, { type: 'merge', body: {} })).metadata.uid,
      (await w.apply(Deployment, desired)).metadata.uid,
      (await w.applyStatus(Deployment, key, {})).metadata.uid,
      (await client.modify(Deployment, key, () => undefined)).metadata.uid,
      (await client.createOrUpdate(Deployment, key, () => desired)).object.metadata.uid,
      (await w.delete(Deployment, key)).object?.metadata.uid ?? '',
      (await r.get(Deployment, key)).metadata.uid,
      ...(await r.list(Deployment)).items.map(({ metadata }) => metadata.uid),
      ...(await live.list(Deployment)).items.map(({ metadata }) => metadata.uid),
    ];
    expectTypeOf(uids).returns.resolves.toEqualTypeOf<string[]>();
    const events = async (): Promise<string> => {
      for await (const event of cluster.watch(Deployment))
        if (event.type !== 'BOOKMARK') return event.object.metadata.uid;
      for await (const page of cluster.pages(Deployment)) return page.items[0]?.metadata.uid ?? '';
      return '';
    };
    expectTypeOf(events).toBeFunction();
  });

  it('has the type of what it reads from the cache', () => {
    const ensure = async (r: Reader) => {
      const found = (await r.find(Deployment, key)) ?? (await client.apply(Deployment, desired));
      let other = await client.find(Deployment, key);
      other ??= await client.create(Deployment, desired);
      let named: Deployment | undefined = await client.find(Deployment, key);
      named ??= (await client.createOrUpdate(Deployment, key, () => desired)).object;
      const stored: Stored<Deployment> = found;
      return [found.metadata.uid, other.metadata.uid, named.metadata.name, stored.metadata.uid];
    };
    expectTypeOf(ensure).returns.resolves.toEqualTypeOf<string[]>();
  });

  it('has the type of what it reads from the cache in functions for any kind, too', () => {
    const byToken = async <R extends Resource>(
      kind: R,
      object: ApplyObject<ObjectOf<R>>,
    ): Promise<Stored<ObjectOf<R>>> => (await client.find(kind, key)) ?? (await client.apply(kind, object));
    const byType = async <T extends KubeObject>(kind: Resource<T>): Promise<Stored<T>> => {
      const found = (await client.find(kind, key)) ?? (await live.get(kind, key));
      expectTypeOf(found.metadata.uid).toEqualTypeOf<string>();
      return found;
    };
    const plain = async <T extends KubeObject>(kind: Resource<T>): Promise<T> => {
      const written = await live.get(kind, key);
      written.metadata.labels = { app: written.metadata.uid };
      return live.update(kind, written);
    };
    expectTypeOf(byToken<typeof ConfigMap>).returns.resolves.toEqualTypeOf<Stored<ConfigMap>>();
    expectTypeOf(byType<ConfigMap>).returns.resolves.toEqualTypeOf<Stored<ConfigMap>>();
    expectTypeOf(plain<ConfigMap>).returns.resolves.toEqualTypeOf<ConfigMap>();
  });

  it('can be changed, as what is read from the API server', () => {
    const change = async (): Promise<StoredCopy<Site>> => {
      let written = await live.create(site, { metadata: { name: 'a' } });
      written.metadata.labels = { app: 'web' };
      written.spec.pages.push({ name: 'index' });
      for (const page of written.spec.pages) page.words = 3;
      written.spec.pages = written.spec.pages.filter(({ name }) => name !== 'index');
      if (written.spec.source.from === 'git') written.spec.source.url = 'https://example.com';
      written.spec.source = { from: 'text', text: 'a' };
      written.spec.any = [{ a: null }];
      written.spec.tree?.children?.push({ name: 'leaf' });
      written.status = { ready: true };
      written = await live.updateStatus(site, written);
      written = await live.get(site, { name: 'a' });
      const { spec } = await client.apply(Deployment, desired);
      if (spec !== undefined) spec.replicas = 3;
      return { ...written, spec: { ...written.spec, pages: [] } };
    };
    expectTypeOf(change).toBeFunction();
    const shared = async (): Promise<void> => {
      const { object } = await client.createOrUpdate(Deployment, key, () => desired);
      // @ts-expect-error: may be the cache's, which is readonly
      object.spec = undefined;
    };
    expectTypeOf(shared).toBeFunction();
  });
});
