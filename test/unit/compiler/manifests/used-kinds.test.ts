// What controllers use and the API server would not serve.
import { afterEach, expect, test } from 'vitest';
import { OpSdkError, type Finding } from '../../../../src/base/errors/index.ts';
import { generateManifests, judgeUsedKind, knownApis } from '../../../../src/compiler/manifests/index.ts';
import { readProject } from '../../../../src/project/project/index.ts';
import { lines } from './fixture.ts';
import { kindSource, projectFolder, type ProjectFolder } from './project-folder.ts';

let folder: ProjectFolder | undefined;
afterEach(() => folder?.remove());

function findingsOf(files: Record<string, string>): readonly Finding[] {
  folder = projectFolder(files);
  try {
    generateManifests({ projectDir: folder.dir });
    return [];
  } catch (error) {
    if (error instanceof OpSdkError) return error.findings;
    throw error;
  }
}

const version = (name: string, more = ''): string =>
  kindSource('Redis', { definition: more }).replaceAll('v1alpha1', name);

test('a controller of a version that is not served is refused with both places', () => {
  const findings = findingsOf({
    'src/api/v1.ts': version('v1', 'storage: true'),
    'src/api/v2.ts': version('v2', 'served: false'),
    'src/controllers/redis.ts': `import { defineController } from 'opsdk';
import { Redis } from '../api/v2.ts';
export const redisController = defineController({ for: Redis, async reconcile() {} });
`,
  });
  expect(lines(findings)).toEqual([
    'manifests/version-not-served src/controllers/redis.ts:3:56 cache.example.com/v2, Kind=Redis is used, but declared with `served: false` (src/api/v2.ts:4:22): the API server answers 404',
  ]);
  expect(findings[0]?.fix).toEqual(['use v1', 'remove `served: false` at src/api/v2.ts:4:22']);
});

test('a call about a version that is not served is refused with both places; one that is permitted is not', () => {
  const findings = findingsOf({
    'src/api/v1.ts': version('v1', 'storage: true'),
    'src/api/v2.ts': version('v2', 'served: false'),
    'src/controllers/redis.ts': `import { defineController, permitted } from 'opsdk';
import { Redis } from '../api/v1.ts';
import { Redis as Next } from '../api/v2.ts';
export const redisController = defineController({
  for: Redis,
  async reconcile(_, { client, key }) {
    await client.live.get(Next, key);
    await permitted(client, []).delete(Next, key);
  },
});
`,
  });
  expect(lines(findings)).toEqual([
    'manifests/version-not-served src/controllers/redis.ts:7:11 cache.example.com/v2, Kind=Redis is used, but declared with `served: false` (src/api/v2.ts:4:22): the API server answers 404',
  ]);
});

test('every kind and version of the own groups that is not declared is refused; owned and watched ones, too', () => {
  const findings = findingsOf({
    'src/api/v1.ts': version('v1'),
    'src/controllers/redis.ts': `import { defineController, externalResource, watch } from 'opsdk';
import { Redis } from '../api/v1.ts';
const group = 'cache.example.com';
const V3 = externalResource({ group, version: 'v3', kind: 'Redis', plural: 'redises', scope: 'Namespaced' });
const Typo = externalResource({ group, version: 'v1', kind: 'Reddis', plural: 'reddises', scope: 'Namespaced' });
const Other = externalResource({ group: 'db.example.com', version: 'v1', kind: 'Other', plural: 'others', scope: 'Namespaced' });
export const redisController = defineController({
  for: Redis,
  owns: [V3],
  watches: [watch(Typo, { map: () => [] }), watch(Other, { map: () => [] })],
  async reconcile() {},
});
`,
  });
  expect(lines(findings)).toEqual([
    'manifests/undeclared-kind src/controllers/redis.ts:9:10 cache.example.com/v3, Kind=Redis: the project declares v1 of this kind (src/api/v1.ts:4:22), not v3',
    'manifests/undeclared-kind src/controllers/redis.ts:10:19 cache.example.com/v1, Kind=Reddis: no such kind in this project, which owns the group and declares Redis in it (src/api/v1.ts:4:22)',
  ]);
  expect(findings[1]?.fix?.[0]).toBe("did you mean 'Redis'?");
});

const place = { file: 'src/main.ts', line: 1, column: 1 };
const redis = {
  group: 'cache.example.com',
  version: 'v1',
  kind: 'Redis',
  plural: 'redises',
  namespaced: true,
  served: true,
  place: { file: 'src/api/v1.ts', line: 4, column: 22 },
};
const project = (resources: string): ReturnType<typeof readProject> =>
  readProject(
    `domain: example.com\nlayout:\n- typescript.opsdk.dev/v1\nprojectName: sample\nresources:\n${resources}version: "3"\n`,
  );

test.each([
  [
    'a kind that PROJECT lists as one of another project',
    'cache.example.com',
    '- {external: true, domain: example.com, group: cache, kind: Sentinel, version: v1}\n',
  ],
  [
    'a kind in a group of others',
    'cert-manager.io',
    '- {domain: example.com, group: cache, kind: Redis, version: v1, api: {crdVersion: v1}}\n',
  ],
])('%s is not judged', (_name, group, resources) => {
  const known = knownApis([redis], project(resources));
  expect(judgeUsedKind({ group, version: 'v1', kind: 'Sentinel', place }, known)).toBeUndefined();
});

test('a kind in an imported group is judged only if it is declared unserved', () => {
  const imported = { ...redis, group: 'redis.io', version: 'v2', served: false };
  const known = knownApis(
    [imported],
    project('- {domain: example.com, group: cache, kind: Redis, version: v1}\n'),
  );
  expect(judgeUsedKind({ group: 'redis.io', version: 'v9', kind: 'Redis', place }, known)).toBeUndefined();
  expect(judgeUsedKind({ group: 'redis.io', version: 'v2', kind: 'Redis', place }, known)).toMatchObject({
    code: 'manifests/version-not-served',
  });
});

test('a use is judged by its plural where the kind is unknown', () => {
  const known = knownApis([redis], undefined);
  const use = { group: redis.group, version: 'v1', place };
  expect(judgeUsedKind({ ...use, plural: 'redises' }, known)).toBeUndefined();
  expect(judgeUsedKind({ ...use, plural: 'redisses' }, known)).toMatchObject({
    message: expect.stringContaining('resource redisses') as string,
    fix: ["did you mean 'redises'?", expect.anything()],
  });
});
