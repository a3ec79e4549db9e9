import { describe, expectTypeOf, it } from 'vitest';
import {
  defineResource,
  externalResource,
  mutableCopy,
  type CachedReader,
  type Client,
  type ControllerClient,
  type CustomResource,
  type LiveClient,
  type LiveReader,
  type ObjectOf,
  type Reader,
  type Resource,
  type Stored,
  type StoredCopy,
} from '../../../../src/index.ts';
import { Deployment } from '../../../../src/sdk/k8s/generated/apps/v1.ts';
import { ClusterRole, type Role } from '../../../../src/sdk/k8s/generated/rbac/v1.ts';

interface CacheV1 extends CustomResource<'cache.example.com/v1', 'Cache'> {
  spec: { size: number };
}
interface CacheV2 extends CustomResource<'cache.example.com/v2', 'Cache'> {
  spec: { size: number };
}
describe('kinds', () => {
  it('of the same shape differ by type, and so do versions of one kind', () => {
    expectTypeOf<Role>().not.toExtend<ClusterRole>();
    expectTypeOf<CacheV1>().not.toExtend<CacheV2>();
    expectTypeOf<Resource<Role>>().not.toExtend<Resource<ClusterRole>>();
    expectTypeOf<ObjectOf<typeof Role | typeof ClusterRole>>().toEqualTypeOf<Role | ClusterRole>();
  });

  it('take group, version and kind of their interface only', () => {
    const version = () =>
      defineResource<CacheV1>({
        group: 'cache.example.com',
        // @ts-expect-error: that of another interface
        version: 'v2',
        kind: 'Cache',
      });
    const kind = () =>
      defineResource<CacheV1>({
        group: 'cache.example.com',
        version: 'v1',
        // @ts-expect-error: misspelt
        kind: 'Cahce',
      });
    const group = () =>
      externalResource<CacheV1>({
        // @ts-expect-error: that of another project
        group: 'x.io',
        version: 'v1',
        kind: 'Cache',
        plural: 'caches',
        scope: 'Cluster',
      });
    expectTypeOf([version, kind, group]).toBeArray();
    const loose = defineResource<CustomResource>({ group: 'any.example.com', version: 'v1', kind: 'Any' });
    expectTypeOf(loose).toExtend<Resource>();
  });
});

describe('the client', () => {
  it('gives the type of the token that it is called with', () => {
    const call = (client: Client, either: typeof Role | typeof ClusterRole) =>
      client.get(either, { name: 'a' });
    expectTypeOf(call).returns.resolves.toEqualTypeOf<StoredCopy<Role | ClusterRole>>();
    const write = (client: Client, object: Role) =>
      // @ts-expect-error: a Role is not a ClusterRole
      client.update(ClusterRole, object);
    expectTypeOf(write).returns.resolves.toEqualTypeOf<StoredCopy<ClusterRole>>();
  });

  it('reads the cache, and the API server by `live`: two types, both a Reader', () => {
    expectTypeOf<ControllerClient>().toExtend<CachedReader>();
    expectTypeOf<ControllerClient['live']>().toEqualTypeOf<LiveClient>();
    expectTypeOf<LiveClient>().toExtend<LiveReader>();
    expectTypeOf<CachedReader>().toExtend<Reader>();
    expectTypeOf<LiveReader>().toExtend<Reader>();
    expectTypeOf<CachedReader>().not.toExtend<LiveReader>();
    expectTypeOf<LiveReader>().not.toExtend<CachedReader>();
  });
});

describe('objects of the cache', () => {
  it('are readonly all the way down, and can be given to functions that take the kind', () => {
    const change = (object: Stored<Deployment>): void => {
      // @ts-expect-error: readonly
      object.spec = undefined;
      // @ts-expect-error: readonly, however deep
      if (object.spec?.template.spec) object.spec.template.spec.hostNetwork = true;
    };
    expectTypeOf(change).toBeFunction();
    expectTypeOf<Stored<Deployment>>().toExtend<Deployment>();
    expectTypeOf<Stored<Deployment>['metadata']['uid']>().toEqualTypeOf<string>();
    const copy = (object: Stored<Deployment>): Deployment => {
      const changed = mutableCopy(object);
      changed.metadata.labels = { a: 'b' };
      return changed;
    };
    expectTypeOf(copy).returns.toEqualTypeOf<Deployment>();
  });
});

it('Deployment is the kind of its own apiVersion', () => {
  expectTypeOf<Deployment['apiVersion']>().toEqualTypeOf<'apps/v1'>();
  expectTypeOf(Deployment).toExtend<Resource<Deployment>>();
});
