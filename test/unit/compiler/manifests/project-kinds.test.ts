import { afterEach, describe, expect, it } from 'vitest';
import { projectKinds } from '../../../../src/compiler/manifests/index.ts';
import { kindSource, projectFolder, type ProjectFolder } from './project-folder.ts';

const folders: ProjectFolder[] = [];
afterEach(() => folders.splice(0).forEach((folder) => folder.remove()));

function project(files: Record<string, string>): string {
  const folder = projectFolder(files);
  folders.push(folder);
  return folder.dir;
}

const v1 = (more = '') =>
  kindSource('Redis', { definition: `plural: 'redises', ${more}` }).replace(
    "version: 'v1alpha1'",
    "version: 'v1'",
  );

describe('projectKinds', () => {
  it('names the CRD of every kind, and the versions that are served', () => {
    const dir = project({
      'src/api/a.ts': kindSource('Redis', { definition: `plural: 'redises', served: false` }),
      'src/api/b.ts': v1('storage: true'),
      'src/api/c.ts': kindSource('Node', { group: 'a.example.com', definition: `scope: 'Cluster'` }),
    });
    expect(projectKinds(dir)).toMatchObject({
      declared: [
        {
          crd: 'nodes.a.example.com',
          group: 'a.example.com',
          kind: 'Node',
          plural: 'nodes',
          namespaced: false,
          versions: ['v1alpha1'],
        },
        {
          crd: 'redises.cache.example.com',
          group: 'cache.example.com',
          kind: 'Redis',
          plural: 'redises',
          namespaced: true,
          versions: ['v1'],
        },
      ],
      used: [],
    });
  });

  it('lists what the controllers reconcile, own and watch, with the version and the place', () => {
    const dir = project({
      'src/api/redis.ts': v1(),
      'src/main.ts': `import { defineController, externalResource } from 'opsdk';
import { Deployment } from 'opsdk/k8s/apps/v1';
import { Redis } from './api/redis.ts';
const Monitor = externalResource({ group: 'monitoring.coreos.com', version: 'v1', kind: 'ServiceMonitor', plural: 'servicemonitors', scope: 'Namespaced' });
export const controller = defineController({
  for: Redis,
  owns: [Deployment],
  watches: [Monitor],
  reconcile() {},
});
`,
    });
    expect(projectKinds(dir).used).toMatchObject([
      { role: 'for', group: 'cache.example.com', version: 'v1', plural: 'redises', place: { line: 6 } },
      { role: 'owns', group: 'apps', version: 'v1', kind: 'Deployment', place: { line: 7 } },
      { role: 'watches', group: 'monitoring.coreos.com', plural: 'servicemonitors', place: { line: 8 } },
    ]);
  });

  it('throws what is wrong with the declarations', () => {
    const dir = project({ 'src/api/a.ts': kindSource('Redis', { definition: `plural: 'Redises'` }) });
    expect(() => projectKinds(dir)).toThrow(/crd\/name/);
  });
});
