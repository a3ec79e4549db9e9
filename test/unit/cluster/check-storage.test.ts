import { describe, expect, it } from 'vitest';
import {
  checkStorage,
  type ProjectDefinition,
  type StoredDefinition,
} from '../../../src/cluster/storage/check-storage.ts';

const name = 'apps.example.com';
const project = (versions: string, storage: string): ProjectDefinition => ({
  name,
  group: 'example.com',
  kind: 'App',
  versions: versions.split(' ').map((each) => ({
    name: each.replace('!', ''),
    served: !each.endsWith('!'),
    storage: each.replace('!', '') === storage,
  })),
  where: { file: 'config/crd/bases/example.com_apps.yaml' },
});
const cluster = (served: string, storageVersion: string, stored: string): StoredDefinition => ({
  name,
  kind: 'App',
  storageVersion,
  storedVersions: stored.split(' '),
  servedVersions: served.split(' '),
  needsMigration: stored !== storageVersion,
  identity: 'u/1',
  resourceVersion: '1',
  readable: undefined,
});
const sample = {
  apiVersion: 'example.com/v1',
  kind: 'App',
  where: { file: 'config/samples/a.yaml', line: 1 },
};

describe('checking stored versions', () => {
  it('lets versions go in which nothing is stored, and that nothing uses', () => {
    expect(checkStorage(project('v2', 'v2'), cluster('v1 v2', 'v2', 'v2'), [])).toEqual([]);
    expect(checkStorage(project('v1 v2', 'v2'), cluster('v1', 'v1', 'v1'), [sample])).toEqual([]);
    expect(checkStorage(project('v2', 'v2'), undefined, [])).toEqual([]);
  });

  it('refuses to remove a version in which objects may be stored, and says what to do first', () => {
    expect(checkStorage(project('v2', 'v2'), cluster('v1 v2', 'v2', 'v1 v2'), [])).toMatchObject([
      {
        code: 'cluster/stored-version-removed',
        message:
          'apps.example.com: version v1 is not in the project, but objects on the cluster may be stored in it (status.storedVersions)',
        fix: ['op-sdk storage migrate'],
      },
    ]);
    expect(checkStorage(project('v2', 'v2'), cluster('v1', 'v1', 'v1'), [])).toMatchObject([
      {
        fix: [
          'keep the version until v2 is the storage version on the cluster: op-sdk install',
          'op-sdk storage migrate',
        ],
      },
    ]);
  });

  it('refuses to remove or to stop serving a version that the project uses', () => {
    const other = { ...sample, kind: 'Other' };
    const source = { apiVersion: 'example.com/v1', kind: undefined, where: { file: 'src/main.ts', line: 3 } };
    for (const versions of ['v2', 'v1! v2'])
      expect(
        checkStorage(project(versions, 'v2'), cluster('v1 v2', 'v2', 'v2'), [sample, other, source]),
      ).toMatchObject([
        { code: 'cluster/used-version-removed', where: sample.where },
        { code: 'cluster/used-version-removed', where: source.where },
      ]);
    expect(checkStorage(project('v2', 'v2'), undefined, [sample])).toHaveLength(1);
  });
});
