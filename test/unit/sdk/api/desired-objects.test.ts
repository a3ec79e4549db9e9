import { describe, expect, expectTypeOf, it } from 'vitest';
import {
  defineController,
  defineResource,
  owned,
  ownedBy,
  type ApplyObject,
  type ControllerClient,
  type CreateObject,
  type CustomResource,
  type Stored,
} from '../../../../src/index.ts';
import { Job } from '../../../../src/sdk/k8s/generated/batch/v1.ts';
import { ConfigMap, Pod, Service } from '../../../../src/sdk/k8s/generated/core/v1.ts';
import { createTestApi, type TestApiOptions } from '../../../../src/testing/index.ts';
import { Site } from '../runtime/kinds.ts';

interface Backup extends CustomResource<'db.example.com/v1', 'Backup'> {
  spec: { image?: string };
}
const Backup = defineResource<Backup>({ group: 'db.example.com', version: 'v1', kind: 'Backup' });

function desiredJob(backup: Stored<Backup>): ApplyObject<Job> {
  const labels = { app: backup.metadata.name };
  return {
    metadata: { name: backup.metadata.name, labels, ...ownedBy(backup) },
    spec: {
      completionMode: 'Indexed',
      template: {
        metadata: { labels },
        spec: {
          restartPolicy: 'Never',
          containers: [
            { name: 'backup', image: backup.spec.image, ports: [{ containerPort: 1, protocol: 'UDP' }] },
          ],
        },
      },
    },
  };
}

function desiredServices(names: readonly string[]) {
  return names.map(
    (name) =>
      ({
        metadata: { name },
        spec: { clusterIP: 'None', ports: [{ port: 80, protocol: 'TCP' }] },
      }) satisfies ApplyObject<Service>,
  );
}

const widened = (name: string) => ({ metadata: { name }, spec: { restartPolicy: 'Never' } });

describe('ApplyObject', () => {
  it('keeps literals as the return type of a function, and by satisfies', () => {
    const write = async (client: ControllerClient, backup: Stored<Backup>): Promise<void> => {
      const job = (await client.find(Job, backup.metadata)) ?? (await client.apply(Job, desiredJob(backup)));
      await client.create(Job, desiredJob(backup));
      await client.createOrUpdate(Job, job.metadata, () => desiredJob(backup));
      for (const service of desiredServices(['a'])) await client.apply(Service, service);
      // @ts-expect-error: without the type, restartPolicy is any text
      await client.apply(Pod, widened('a'));
    };
    expectTypeOf(write).toBeFunction();
    expectTypeOf<ApplyObject<Job>>().toExtend<CreateObject<Job>>();
    expect(desiredServices(['a'])[0]?.spec.ports).toEqual([{ port: 80, protocol: 'TCP' }]);
  });

  it('refuses fields that the kind does not have, and values that they cannot have', () => {
    const objects: ApplyObject<Pod>[] = [
      // @ts-expect-error: misspelt
      { metadata: { name: 'a' }, spec: { restartPolicies: 'Never' } },
      // @ts-expect-error: not a policy
      { metadata: { name: 'a' }, spec: { restartPolicy: 'Sometimes' } },
      // @ts-expect-error: without a name
      { metadata: {} },
    ];
    expect(objects).toHaveLength(3);
  });
});

it('owned without options is the kind itself', () => {
  const reconcile = (): Promise<void> => Promise.resolve();
  const [plain] = defineController({ for: Site, owns: [Service], reconcile }).owns;
  const [wrapped] = defineController({ for: Site, owns: [owned(Service)], reconcile }).owns;
  expect(wrapped).toMatchObject({ resource: Service, anyOwner: plain?.anyOwner });
  const change = { type: 'create', object: {} } as never;
  expect(wrapped?.accepts(change)).toBe(true);
});

describe('objects of createTestApi', () => {
  const crd = {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: 'backups.db.example.com' },
    spec: {
      group: 'db.example.com',
      names: { kind: 'Backup', plural: 'backups', singular: 'backup', listKind: 'BackupList' },
      scope: 'Namespaced',
      versions: [
        {
          name: 'v1',
          served: true,
          storage: true,
          schema: {
            openAPIV3Schema: {
              type: 'object',
              properties: { spec: { type: 'object', properties: { image: { type: 'string' } } } },
            },
          },
        },
      ],
    },
  };
  const typed: Backup = {
    apiVersion: 'db.example.com/v1',
    kind: 'Backup',
    metadata: { name: 'typed', namespace: 'default' },
    spec: { image: 'a' },
  };

  it('are values of a kind, and custom resources written in place', async () => {
    await using api = await createTestApi({
      kinds: [Backup, ConfigMap],
      crds: [crd],
      objects: [
        typed,
        {
          apiVersion: 'db.example.com/v1',
          kind: 'Backup',
          metadata: { name: 'in-place', namespace: 'default', labels: { app: 'db' } },
          spec: { image: 'b' },
        },
        {
          apiVersion: 'v1',
          kind: 'ConfigMap',
          metadata: { name: 'map', namespace: 'default' },
          data: { a: 'b' },
        },
      ],
    });
    const { items } = await api.client.list(Backup);
    expect(items.map(({ spec }) => spec.image)).toEqual(['b', 'a']);
    const map = await api.client.get(ConfigMap, { name: 'map', namespace: 'default' });
    expect(map.data).toEqual({ a: 'b' });
  });

  it('have an apiVersion, a kind and metadata with a name', () => {
    const wrong: TestApiOptions['objects'][] = [
      // @ts-expect-error: without a kind
      [{ apiVersion: 'v1', metadata: { name: 'a' }, spec: {} }],
      // @ts-expect-error: without a name
      [{ apiVersion: 'v1', kind: 'Pod', metadata: {}, spec: {} }],
      // @ts-expect-error: labels are texts
      [{ apiVersion: 'v1', kind: 'Pod', metadata: { name: 'a', labels: { a: 1 } } }],
    ];
    expect(wrong).toHaveLength(3);
  });
});
