// Kinds in two versions with webhooks and conversions, in one manager and asked as generated manifests say, as in an integration test of a user's.
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { renderManifests } from '../../../../../src/cli/actions/manifests/manifest-changes.ts';
import { isInvalid, type CustomResource, type Resource } from '../../../../../src/index.ts';
import { CustomResourceDefinition } from '../../../../../src/sdk/k8s/generated/apiextensions/v1.ts';
import { createClient, loadCluster, type KubeClient } from '../../../../../src/sdk/kube/index.ts';
import { generateManifests } from '../../../../../src/compiler/manifests/index.ts';
import { eventually, startControlPlane, type ControlPlane } from '../../../../../src/testing/index.ts';
import { OldPage, OldSite, Page, Site } from '../../../../operators/versions-operator/src/api.ts';
import { pageConversion, siteConversion } from '../../../../operators/versions-operator/src/conversions.ts';
import {
  oldPageWebhook,
  pageWebhook,
  questions,
  siteWebhook,
} from '../../../../operators/versions-operator/src/webhooks.ts';
import { projectFolder, type ProjectFolder } from '../../../../unit/compiler/manifests/project-folder.ts';
import { apps, nginx, pairs } from '../../../../unit/sdk/runtime/conversion/pairs.ts';
import { canonicalJson, type JsonMap } from '../../../../../src/base/util/json-map.ts';
import { runs } from '../../../../helpers/thorough.ts';
import { runManager, type RunningManager } from '../running-manager.ts';
import { pairDefinitions } from './pair-definitions.ts';

let project: ProjectFolder;
let plane: ControlPlane;
let running: RunningManager;
let client: KubeClient;

beforeAll(async () => {
  project = projectFolder();
  project.copy('test/operators/versions-operator');
  const { files } = generateManifests({ projectDir: project.dir });
  for (const { path, content } of await renderManifests(files)) project.write(path, content);
  project.write('pairs.json', JSON.stringify({ apiVersion: 'v1', kind: 'List', items: pairDefinitions }));
  plane = await startControlPlane({
    crds: [join(project.dir, 'config/crd/bases'), join(project.dir, 'pairs.json')],
    webhooks: { paths: [join(project.dir, 'config/webhook')] },
  });
  const { operatorKubeconfig: kubeconfig, webhooks } = plane;
  running = await runManager(
    { kubeconfig, webhooks },
    ...[siteWebhook, pageWebhook, oldPageWebhook],
    ...[siteConversion, pageConversion, nginx, apps],
  );
  await eventually(() => running.ports.webhooks !== undefined, { timeout: 60_000 });
  client = createClient({ cluster: await loadCluster(plane), fieldManager: 'test' });
}, 180_000);

afterAll(async () => {
  await client?.close();
  await running?.stop();
  await plane?.stop();
  project?.remove();
});

beforeEach(() => void questions.splice(0));

const key = (name: string) => ({ name, namespace: 'default' });
const create = <T extends CustomResource>(kind: Resource<T>, name: string, spec: object): Promise<T> =>
  client.create(kind, { metadata: key(name), spec } as never);

test('a webhook of one version is asked about objects that are written in another, and sees them converted', async () => {
  const written = await create(OldSite, 'old', { size: 3 });
  expect(questions).toEqual(['default v1, written as v1alpha1', 'validate v1, written as v1alpha1']);
  expect(written).toMatchObject({ apiVersion: 'web.example.com/v1alpha1', spec: { size: 3 } });
  // What the default has filled in is kept, though the written version has no field for it.
  expect((await client.get(Site, key('old'))).spec).toEqual({ replicas: 3, image: 'nginx:1.29' });
  const refused = await create(OldSite, 'many', { size: 6 }).catch((error: unknown) => error);
  expect(isInvalid(refused)).toBe(true);
  // The field is that of the webhook's version.
  expect(String(refused)).toContain('spec.replicas: Invalid value: 6: at most 5');
});

test("an object of the webhook's own version is defaulted, validated, and read as the other version", async () => {
  expect((await create(Site, 'new', { replicas: 2 })).spec).toEqual({ replicas: 2, image: 'nginx:1.29' });
  expect(questions).toEqual(['default v1, written as v1', 'validate v1, written as v1']);
  const old = await client.get(OldSite, key('new'));
  expect(old.spec).toEqual({ size: 2 });
  await client.update(OldSite, { ...old, spec: { size: 4 } });
  expect((await client.get(Site, key('new'))).spec).toEqual({ replicas: 4, image: 'nginx:1.29' });
  await expect(create(Site, 'many', { replicas: 6 })).rejects.toThrow('at most 5');
  const { status } = await client.get(CustomResourceDefinition, { name: 'sites.web.example.com' });
  expect(status?.storedVersions).toEqual(['v1']);
  expect(running.lines.filter(({ level }) => level === 'error')).toEqual([]);
});

test('with webhooks for both versions each is asked once about an object, in its own version, whatever was written', async () => {
  for (const [kind, version] of [
    [OldPage, 'v1alpha1'],
    [Page, 'v1'],
  ] as const) {
    questions.splice(0);
    await create<CustomResource>(kind, `as-${version}`, {});
    expect([...questions].sort()).toEqual(
      ['default v1', 'default v1alpha1', 'validate v1', 'validate v1alpha1'].map(
        (question) => `${question}, written as ${version}`,
      ),
    );
  }
});

/** An object of any kind. */
interface Body extends CustomResource {
  spec: JsonMap;
  status?: JsonMap;
}

/** For each pair the path in `spec` of a number that both versions have. */
const numbers = [
  { inHub: ['replicas'], inSpoke: ['replicas'] },
  { inHub: ['replicas'], inSpoke: ['scale', 'replicas'] },
  { inHub: ['replicas'], inSpoke: ['size'] },
] as const;

const withValue = (value: unknown, [first, ...rest]: readonly string[], number: number): JsonMap => {
  const map = value as JsonMap;
  return { ...map, [first ?? '']: rest.length === 0 ? number : withValue(map[first ?? ''], rest, number) };
};

describe.each(pairs.map(([title, pair], index) => [title, { ...pair, ...numbers[index]! }] as const))(
  'random objects: %s',
  { timeout: 300_000 },
  (_title, { conversion, hub: hubs, spoke: spokes, inHub, inSpoke }) => {
    const options = { numRuns: runs(100) };
    const hub = conversion.hub as Resource<Body>;
    const spoke = conversion.spokes[0]!.resource as Resource<Body>;
    const bodyOf = ({ apiVersion: _v, kind: _k, metadata: _m, ...body }: Body): string => canonicalJson(body);
    const annotationsOf = ({ metadata }: Body) => metadata.annotations;
    const createAs = (kind: Resource<Body>, body: object): Promise<Body> =>
      client.create(kind, { metadata: { generateName: 'random-', namespace: 'default' }, ...body });
    const read = (kind: Resource<Body>, { metadata: { name = '' } }: Body): Promise<Body> =>
      client.get(kind, key(name));

    test.each([
      ['the hub', hub, spoke, hubs],
      ['the spoke', spoke, hub, spokes],
    ] as const)(
      'what was written as %s is the same after somebody else has written it as the other version',
      async (_from, one, other, bodies) => {
        await fc.assert(
          fc.asyncProperty(bodies, async (body) => {
            const created = await createAs(one, body);
            expect(bodyOf(created)).toBe(canonicalJson(body));
            await client.update(other, await read(other, created));
            const back = await read(one, created);
            expect(bodyOf(back)).toBe(canonicalJson(body));
            expect(back.metadata.uid).toBe(created.metadata.uid);
            if (one === hub) expect(annotationsOf(back)).toBeUndefined();
          }),
          options,
        );
      },
    );

    test('an edit of one field as the spoke changes that field of the hub, and no other', async () => {
      await fc.assert(
        fc.asyncProperty(hubs, fc.integer({ min: 10, max: 20 }), async (body, number) => {
          const created = await createAs(hub, body);
          const seen = await read(spoke, created);
          await client.update(spoke, { ...seen, spec: withValue(seen.spec, inSpoke, number) });
          expect(bodyOf(await read(hub, created))).toBe(
            canonicalJson({ ...body, spec: withValue(created.spec, inHub, number) }),
          );
        }),
        options,
      );
    });

    test('whatever is written as the spoke is read back, and writing that again changes nothing', async () => {
      await fc.assert(
        fc.asyncProperty(hubs, spokes, async (body, edit) => {
          const created = await createAs(hub, body);
          const { apiVersion, kind, metadata } = await read(spoke, created);
          const written = await client.update(spoke, { apiVersion, kind, metadata, ...edit } as Body);
          const stored = await read(spoke, created);
          expect(bodyOf(stored)).toBe(canonicalJson(edit));
          expect(stored.metadata.resourceVersion).toBe(written.metadata.resourceVersion);
          const again = await client.update(spoke, stored);
          expect(again.metadata.resourceVersion).toBe(stored.metadata.resourceVersion);
        }),
        options,
      );
    });

    test('lists have all of them, in the same order in both versions', async () => {
      for (const body of fc.sample(hubs, 3)) await createAs(hub, body);
      for (const body of fc.sample(spokes, 3)) await createAs(spoke, body);
      const [as, likewise] = await Promise.all([client.list(hub), client.list(spoke)]);
      expect(as.items.length).toBeGreaterThanOrEqual(6);
      const namesOf = (items: readonly Body[]) => items.map(({ metadata }) => metadata.name);
      expect(namesOf(likewise.items)).toEqual(namesOf(as.items));
      expect(new Set(likewise.items.map(({ apiVersion }) => apiVersion))).toEqual(
        new Set([spoke.apiVersion]),
      );
    });
  },
);
