// What ends `run bundle`, and what it lives through: images that are missing, registries, an API server that is restarted in each wait.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { KubeObject } from '../../../../src/sdk/api/index.ts';
import { InstallPlan, Subscription } from '../../../../src/olm/run/run-names.ts';
import { eventually } from '../../../../src/testing/index.ts';
import { scriptedRegistry } from '../../../helpers/scripted-registry.ts';
import { demoBundle } from './demo-bundle.ts';
import { plays } from './plays.ts';
import { hasReached } from './has-reached.ts';
import { hasOlm, startSite, type Site } from './site.ts';
import { setStatus } from '../stand-in.ts';

describe.skipIf(!hasOlm).each(plays)('OLM %s', (version, play, steps) => {
  let site: Site;
  beforeAll(async () => {
    site = await startSite(version);
  }, 180_000);
  afterAll(() => site?.[Symbol.asyncDispose]());

  /** Runs the bundle of an operator in a namespace of its own, until it ends or the time is over. */
  const runIn = async (name: string, timeout: string, signal?: AbortSignal) => {
    const namespace = await site.namespace(name);
    return site.cli(
      [
        ...['run', 'bundle', site.folderOf(demoBundle(name, '0.1.0')), '-n', namespace],
        ...['--push-to', `${site.registry.host}/team/${name}`, '--timeout', timeout],
      ],
      signal === undefined ? {} : { signal },
    );
  };

  test.each([
    ['the catalogue', /@sha256/, 'olm/catalog-image'],
    ['the operator', /^example\.com/, 'olm/operator-image'],
  ])('names the image of %s that cannot be pulled', async (what, form, code) => {
    await using _olm = play(site.client, { missingImages: [form] });
    const name = `missing-${what.split(' ')[1]}`;
    const { code: exit, stderr } = await runIn(name, '2m');
    expect(exit, stderr).toBe(1);
    expect(stderr).toContain(code);
    expect(stderr).toMatch(/see kubectl describe/);
    expect(stderr).toContain(`to remove it: op-sdk cleanup ${name}`);
    const cleaned = await site.cli(['cleanup', name, '-n', name, '--delete-all', '--yes']);
    expect(cleaned.code, cleaned.stderr).toBe(0);
  });

  test.each(steps)('says what it waited for before the step: %s', async (step) => {
    await using _olm = play(site.client, { stopsBefore: step });
    const { code, stderr } = await runIn(`stops-before-${step}`, '3s');
    expect(code).toBe(1);
    expect(stderr).toMatch(/olm\/timeout/);
    expect(stderr).toMatch(/is not running after a wait of 3s: waiting for \w+/);
  });

  test.each(steps)(
    'lives through a restart of the API server while it waits for the step: %s',
    async (step) => {
      const waits = play(site.client, { stopsBefore: step });
      let ended = false;
      const running = runIn(`restarted-${step}`, '3m').finally(() => (ended = true));
      try {
        await eventually(
          async () => {
            expect(await hasReached(site.client, `restarted-${step}`, version, step)).toBe(true);
          },
          { timeout: 60_000 },
        );
      } finally {
        await waits[Symbol.asyncDispose]();
      }
      await site.plane.killApiServer('SIGKILL');
      await site.plane.restartApiServer();
      expect(ended).toBe(false);
      await using _olm = play(site.client);
      const { code, stderr } = await running;
      expect(code, stderr).toBe(0);
    },
  );

  test('creates nothing if the registry refuses the push, and says so', async () => {
    const namespace = await site.namespace('no-push');
    const before = await site.everything();
    await using closed = await scriptedRegistry({ guard: { kind: 'basic', username: 'a', password: 'b' } });
    const push = (host: string) =>
      site.cli([
        ...['run', 'bundle', site.folderOf(demoBundle('no-push', '0.1.0')), '-n', namespace],
        ...['--push-to', `${host}/team/no-push`],
      ]);
    const refused = await push(closed.host);
    expect(refused.code).toBe(1);
    expect(refused.stderr).toContain('oci/authentication-required');
    expect(refused.stderr).toContain('--push-to registry.example.com/team/operator-catalog');
    const away = await push('127.0.0.1:1');
    expect(away.code).toBe(1);
    expect(away.stderr).toContain('oci/registry-unreachable');
    expect(await site.everything()).toEqual(before);
  });

  test('validates the bundle before it pushes or creates anything', async () => {
    const bundle = demoBundle('invalid', '0.1.0');
    bundle.csv.spec.install.spec.deployments = [];
    bundle.crd.spec.scope = 'Everywhere';
    bundle.csv.spec.version = 'one';
    const puts = site.registry.lines(/^PUT/).length;
    const { code, stderr } = await site.cli([
      ...['run', 'bundle', site.folderOf(bundle), '-n', 'default'],
      ...['--push-to', `${site.registry.host}/team/invalid`],
    ]);
    expect(code).toBe(1);
    expect(stderr).toContain('bundle/');
    expect(site.registry.lines(/^PUT/).length).toBe(puts);
  });
});

describe.skipIf(!hasOlm)('both versions of OLM', () => {
  let site: Site;
  beforeAll(async () => {
    site = await startSite('v0', 'v1');
  }, 180_000);
  afterAll(() => site?.[Symbol.asyncDispose]());

  test('asks which OLM is meant if both are there', async () => {
    const bundle = ['run', 'bundle', site.folderOf(demoBundle('both', '0.1.0')), '-n', 'default'];
    const { code, stderr } = await site.cli([...bundle, '--push-to', `${site.registry.host}/team/both`]);
    expect(code).toBe(1);
    expect(stderr).toContain('olm/choose-version');
  });

  test('does not approve an InstallPlan that installs others too', async () => {
    const namespace = await site.namespace('shared');
    const running = site.cli([
      ...['run', 'bundle', site.folderOf(demoBundle('shared', '0.1.0')), '-n', namespace, '--olm', 'v0'],
      ...['--push-to', `${site.registry.host}/team/shared`],
    ]);
    const subscription = await eventually(
      () => site.client.get(Subscription, { name: 'shared-v0-1-0-sub', namespace }),
      { timeout: 60_000 },
    );
    const plan = { name: 'install-two', namespace };
    await site.client.create(InstallPlan, {
      metadata: plan,
      spec: {
        ...{ approval: 'Manual', approved: false },
        clusterServiceVersionNames: ['shared.v0.1.0', 'other.v1.0.0'],
      },
    } as unknown as KubeObject);
    await setStatus(site.client, Subscription, subscription, {
      installPlanRef: plan,
      currentCSV: 'shared.v0.1.0',
      lastUpdated: '2026-01-01T00:00:00Z',
    });
    const { code, stderr } = await running;
    expect(code).toBe(1);
    expect(stderr).toContain(
      'op-sdk did not approve the InstallPlan install-two: it would also install other.v1.0.0',
    );
    const after = await site.client.get(InstallPlan, plan);
    expect((after as { spec?: { approved?: boolean } }).spec?.approved).toBe(false);
  });
});
