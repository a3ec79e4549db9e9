// An operator of three replicas under faults: `npm run soak -- --minutes 20`, or `--seconds 60`; `--seed` repeats a sequence of faults.
import { appendFile, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { createClient, loadCluster, type KubeClient } from '../../src/sdk/kube/index.ts';
import { ConfigMap } from '../../src/sdk/k8s/generated/core/v1.ts';
import { eventually, startControlPlane, type ControlPlane } from '../../src/testing/index.ts';
import { installSite, Site } from '../control-plane/sdk/runtime/site.ts';
import { createRandom } from '../helpers/random.ts';
import { faultsOf, runFaults } from './faults.ts';
import { startReplica, type Measure, type Replica } from './replicas.ts';
import { strayWrites } from './single-writer.ts';

const seconds = Number(process.env['SOAK_SECONDS'] ?? '60');
const count = Number(process.env['SOAK_OBJECTS'] ?? '2000');
const seed = Number(process.env['SOAK_SEED'] ?? Date.now() % 2 ** 31);
const namespace = 'default';

/** Who wrote what, and who led: no reads, and nobody else's requests. */
const audit = {
  rules: [
    { level: 'None', verbs: ['get', 'list', 'watch'] },
    { level: 'None', users: ['system:admin', 'kubernetes-admin'] },
    {
      level: 'Request',
      resources: [{ group: 'coordination.k8s.io', resources: ['leases'] }],
      omitStages: ['RequestReceived'],
    },
    // Whether a write was answered does not matter: it was received.
    { level: 'Metadata', omitStages: ['ResponseStarted', 'ResponseComplete'] },
  ],
} as const;

const nameOf = (index: number): string => `site-${String(index).padStart(4, '0')}`;

async function fill(client: KubeClient, random: () => number): Promise<void> {
  let next = 0;
  const creator = async (): Promise<void> => {
    for (let index = next++; index < count; index = next++)
      await client.create(Site, {
        metadata: { name: nameOf(index), namespace },
        spec: { value: random() } as never,
      });
  };
  await Promise.all(Array.from({ length: 16 }, creator));
}

/** Changes objects at random until the time is over, through all outages of the API server. */
async function change(client: KubeClient, random: () => number, until: number): Promise<number> {
  let changes = 0;
  while (performance.now() < until) {
    const key = { name: nameOf(Math.floor(random() * count)), namespace };
    const body = { spec: { value: random() } };
    const signal = AbortSignal.timeout(5_000);
    try {
      await client.patch(Site, key, { type: 'merge', body }, { signal });
      changes += 1;
    } catch {
      // The API server is away; the state that counts is the one at the end.
      await sleep(500);
    }
    await sleep(20);
  }
  return changes;
}

/** The objects whose status or ConfigMap is not yet what their spec says. */
async function behind(client: KubeClient): Promise<string[]> {
  const sites = await client.list(Site, { namespace });
  const maps = new Map(
    (await client.list(ConfigMap, { namespace })).items.map((map) => [map.metadata.name, map]),
  );
  expect(sites.items).toHaveLength(count);
  return sites.items.flatMap(({ metadata: { name, generation }, spec, status }) => {
    const value = String((spec as { value?: number }).value ?? '');
    const seen = status?.conditions?.find(({ type }) => type === 'Ready')?.observedGeneration;
    const isDone = seen === generation && maps.get(name ?? '')?.data?.['value'] === value;
    return isDone ? [] : [name ?? ''];
  });
}

async function untilRight(client: KubeClient): Promise<void> {
  await eventually(
    async () => {
      const late = await behind(client);
      expect(late.slice(0, 5), `${late.length} objects are behind`).toEqual([]);
    },
    { timeout: 180_000, interval: 1_000 },
  );
}

test(`three replicas converge under faults and never write beside their leader (seed ${seed})`, async () => {
  const folder = await mkdtemp(join(tmpdir(), 'op-sdk-soak-'));
  const report = (line: string): void => {
    const text = `${((performance.now() - began) / 1000).toFixed(1)} s: ${line}`;
    console.log(text);
    void appendFile(join(folder, 'faults.log'), `${text}\n`);
  };
  const began = performance.now();
  const { next: random } = createRandom(seed);
  const replicas: Replica[] = [];
  let plane: ControlPlane | undefined;
  let client: KubeClient | undefined;
  let isPassed = false;
  try {
    plane = await startControlPlane({ audit });
    await installSite(plane);
    const cluster = await loadCluster({ kubeconfig: plane.kubeconfig });
    client = createClient({ cluster, fieldManager: 'soak' });
    await fill(client, random);
    for (const name of ['a', 'b', 'c']) replicas.push(await startReplica(plane, name, folder));
    await untilRight(client);
    report(`${count} objects are reconciled; faults begin`);

    const [steady] = replicas as [Replica, ...Replica[]];
    const start = performance.now();
    const until = start + seconds * 1000;
    const isOver = new AbortController();
    const lives = watchLives(steady, isOver.signal);
    const [counts, changes] = await Promise.all([
      runFaults(faultsOf(plane, replicas, steady), { until, random, report }),
      change(client, createRandom(seed + 1).next, until),
    ]);
    report('faults are over');
    await untilRight(client);
    isOver.abort();
    const growth = growthOf(await lives);
    report(summaryOf(counts, changes, growth, replicas));

    const events = await plane.readAuditEvents();
    const users = new Set(replicas.map(({ user }) => user));
    for (const resource of ['leases', 'configmaps', 'sites'])
      expect(
        events.some(({ objectRef }) => objectRef?.resource === resource),
        resource,
      ).toBe(true);
    expect(strayWrites(events, users)).toEqual([]);
    expect(replicas.flatMap(({ warnings }) => warnings)).toEqual([]);
    // What has just started still compiles and fills its caches: a short run tells nothing about growth, however long a busy machine takes
    // for it.
    if (seconds >= 600) {
      expect(growth.lasted, 'milliseconds that can be compared').toBeGreaterThan(60_000);
      expect(growth.late.heapUsed / growth.early.heapUsed, 'heap').toBeLessThanOrEqual(1.1);
      expect(growth.late.rss / growth.early.rss, 'RSS').toBeLessThanOrEqual(1.3);
    }
    for (const [resource, open] of Object.entries(growth.late.resources))
      expect(open, resource).toBeLessThanOrEqual((growth.early.resources[resource] ?? 0) + 10);
    const all = [...replicas];
    const codes = await Promise.all(replicas.splice(0).map((replica) => replica.stop()));
    expect(
      all.flatMap(({ overdue }) => overdue),
      'seconds of processes that outlived their grace',
    ).toEqual([]);
    expect(codes).toEqual([0, 0, 0]);
    isPassed = true;
  } finally {
    await Promise.all(replicas.map((replica) => replica.stop()));
    await client?.close();
    await plane?.stop();
    if (isPassed) await rm(folder, { recursive: true, force: true });
    else console.log(`logs of the replicas and faults: ${folder}`);
  }
});

/** What one process of the steady replica said of itself, in time. */
type Life = readonly { readonly at: number; readonly measure: Measure }[];

/** Asks the replica every few seconds. It ends when it loses the Lease while the API server is away, and is started again: a life for each process. */
async function watchLives(replica: Replica, signal: AbortSignal): Promise<readonly Life[]> {
  const lives = new Map<number, { readonly at: number; readonly measure: Measure }[]>();
  while (!signal.aborted) {
    const { starts } = replica;
    const measure = await replica.measure();
    if (measure !== undefined)
      lives.set(starts, [...(lives.get(starts) ?? []), { at: performance.now(), measure }]);
    await sleep(3_000, undefined, { signal }).catch(() => undefined);
  }
  return [...lives.values()];
}

interface Growth {
  /** After a quarter of the life. */
  readonly early: Measure;
  readonly late: Measure;
  /** Milliseconds. */
  readonly lasted: number;
}

/** The longest life, as far as its role was the one that it has at its end: who leads remembers what it has applied. */
function growthOf(lives: readonly Life[]): Growth {
  const growths = lives.flatMap((life): readonly Growth[] => {
    const last = life.at(-1);
    const leads = (measure: Measure): boolean => measure.reconciles >= count;
    const inRole = life.filter(({ measure }) => last !== undefined && leads(measure) === leads(last.measure));
    const [first] = inRole;
    if (first === undefined || last === undefined) return [];
    const lasted = last.at - first.at;
    const early = inRole.find(({ at }) => at >= first.at + lasted / 4);
    return early === undefined ? [] : [{ early: early.measure, late: last.measure, lasted }];
  });
  const [longest] = growths.sort((a, b) => b.lasted - a.lasted);
  if (longest === undefined) throw new Error('the steady replica never answered');
  return longest;
}

function summaryOf(
  counts: ReadonlyMap<string, number>,
  changes: number,
  { early, late, lasted }: Growth,
  replicas: readonly Replica[],
): string {
  const faults = [...counts.values()].reduce((sum, each) => sum + each, 0);
  const megabytes = (bytes: number): string => (bytes / 1e6).toFixed(1);
  return [
    `the state is right after ${faults} faults and ${changes} changes`,
    `starts ${replicas.map(({ name, starts }) => `${name} ${starts}`).join(', ')}`,
    `longest life of the steady replica ${(lasted / 1000).toFixed(0)} s: heap ${megabytes(early.heapUsed)} → ${megabytes(late.heapUsed)} MB`,
    `RSS ${megabytes(early.rss)} → ${megabytes(late.rss)} MB`,
    `resources ${JSON.stringify(early.resources)} → ${JSON.stringify(late.resources)}`,
  ].join('; ');
}
