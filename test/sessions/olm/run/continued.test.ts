// A second `run bundle` or `run bundle-upgrade` continues what one has begun that was interrupted or took too long.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { KubeObject } from '../../../../src/sdk/api/index.ts';
import { Deployment } from '../../../../src/sdk/k8s/generated/apps/v1.ts';
import { InstallPlan, Subscription } from '../../../../src/olm/run/run-names.ts';
import { eventually } from '../../../../src/testing/index.ts';
import type { CliRun } from '../../../helpers/run-cli.ts';
import { deploymentOf } from '../../../unit/olm/bundle/validate/bundle-folder.ts';
import type { Loose } from '../../../unit/olm/bundle/objects.ts';
import { demoBundle } from './demo-bundle.ts';
import { hasReached } from './has-reached.ts';
import { playOlmV0 } from './olm-v0.ts';
import { plays } from './plays.ts';
import { hasOlm, startSite, type Site } from './site.ts';

/** Runs a command and aborts it once something has happened. */
async function interrupted(
  run: (signal: AbortSignal) => Promise<CliRun>,
  reached: () => Promise<boolean>,
): Promise<CliRun> {
  const stop = new AbortController();
  const running = run(stop.signal);
  await eventually(async () => expect(await reached()).toBe(true), { timeout: 60_000 });
  stop.abort();
  return running;
}

describe.skipIf(!hasOlm).each(plays)('OLM %s', (version, play, steps) => {
  let site: Site;
  beforeAll(async () => {
    site = await startSite(version);
  }, 180_000);
  afterAll(() => site?.[Symbol.asyncDispose]());

  const run = (
    command: 'bundle' | 'bundle-upgrade',
    bundle: Loose,
    { signal, flags = [] }: { readonly signal?: AbortSignal; readonly flags?: readonly string[] } = {},
  ): Promise<CliRun> => {
    const name = bundle.annotations['operators.operatorframework.io.bundle.package.v1'];
    const argv = ['run', command, site.folderOf(bundle), '-n', name];
    return site.cli(
      [...argv, '--push-to', `${site.registry.host}/team/${name}`, ...flags],
      signal === undefined ? {} : { signal },
    );
  };

  /** What needs no further approval, OLM may have ended before the command looks. */
  const expectEnd = ({ code, stderr }: CliRun, ended: string): void => {
    if (code !== 0) expect(stderr).toContain(ended);
  };

  test.each(steps)('continues an installation that was interrupted before the step: %s', async (step) => {
    const name = await site.namespace(`continued-${step}`);
    const bundle = demoBundle(name, '0.1.0');
    {
      await using _olm = play(site.client, { stopsBefore: step });
      const { code, stderr } = await interrupted(
        (signal) => run('bundle', bundle, { signal }),
        () => hasReached(site.client, name, version, step),
      );
      expect(code).toBe(130);
      expect(stderr).toContain('to continue: run the same command again');
      const late = await run('bundle', bundle, { flags: ['--timeout', '2s'] });
      expect(late.code).toBe(1);
      expect(late.stderr).toContain(`continuing the installation of ${name}.v0.1.0`);
      expect(late.stderr).toContain('olm/timeout');
      expect(late.stderr).toContain('it continues where this one stopped');
    }
    await using _olm = play(site.client);
    expectEnd(await run('bundle', bundle), `${name} is installed already, in version 0.1.0`);
    const finished = await run('bundle', bundle);
    expect(finished.code).toBe(1);
    expect(finished.stderr).toContain(`${name} is installed already, in version 0.1.0`);
  });

  test('continues an installation whose operator did not start', async () => {
    const name = await site.namespace('continued-crash');
    const bundle = demoBundle(name, '0.1.0');
    {
      await using _olm = play(site.client, { crashingImages: [/continued-crash/] });
      const failed = await run('bundle', bundle);
      expect(failed.stderr).toContain('olm/operator-failing');
      const again = await run('bundle', bundle);
      expect(again.stderr).toContain('olm/operator-failing');
    }
    // The stand-in says nothing new of Pods that it has looked at.
    await site.client.patch(
      Deployment,
      { name, namespace: name },
      { type: 'merge', body: { spec: { template: { metadata: { annotations: { repaired: 'yes' } } } } } },
    );
    await using _olm = play(site.client);
    expectEnd(await run('bundle', bundle), `${name} is installed already, in version 0.1.0`);
  });

  test('continues an upgrade that was interrupted', async () => {
    const name = await site.namespace('continued-upgrade');
    {
      await using _olm = play(site.client);
      const installed = await run('bundle', demoBundle(name, '0.1.0'));
      expect(installed.code, installed.stderr).toBe(0);
    }
    const next = demoBundle(name, '0.2.0');
    for (const [index, step] of steps.entries()) {
      await using _olm = play(site.client, { stopsBefore: step });
      const late = await run('bundle-upgrade', next, { flags: ['--timeout', '4s'] });
      expect(late.code).toBe(1);
      expect(late.stderr).toMatch(index === 0 ? /olm\/timeout/ : /olm\/timeout|olm\/not-newer/);
    }
    await using _olm = play(site.client);
    expectEnd(await run('bundle-upgrade', next), 'olm/not-newer');
    const { spec }: Loose = await site.client.get(Deployment, { name, namespace: name });
    expect(spec.template.spec.containers[0].image).toBe(`example.com/${name}:0.2.0`);
    const finished = await run('bundle-upgrade', next);
    expect(finished.stderr).toContain('olm/not-newer');
  });

  test('refuses another version while one is being installed, and says how that goes on', async () => {
    const name = await site.namespace('continued-other');
    await using _olm = play(site.client, { stopsBefore: 'catalog' });
    await run('bundle', demoBundle(name, '0.1.0'), { flags: ['--timeout', '1s'] });
    const other = await run('bundle', demoBundle(name, '0.2.0'));
    expect(other.code).toBe(1);
    expect(other.stderr).toMatch(/OLM is already installing continued-other, as .*0\.1\.0/);
    expect(other.stderr).toContain('continue that by op-sdk run bundle');
    const upgrade = await run('bundle-upgrade', demoBundle(name, '0.2.0'));
    expect(upgrade.stderr).toContain('olm/not-installed-yet');
    expect(upgrade.stderr).toContain('continue its installation: op-sdk run bundle BUNDLE');
    const cleaned = await site.cli(['cleanup', name, '-n', name, '--delete-all', '--yes']);
    expect(cleaned.code, cleaned.stderr).toBe(0);
    await using _whole = play(site.client);
    const fresh = await run('bundle', demoBundle(name, '0.2.0'));
    expect(fresh.code, fresh.stderr).toBe(0);
  });

  if (version === 'v1') return;

  test('refuses another bundle of the same version once OLM has found the first', async () => {
    const name = await site.namespace('continued-image');
    {
      await using _olm = playOlmV0(site.client, { stopsBefore: 'plan' });
      await run('bundle', demoBundle(name, '0.1.0'), { flags: ['--timeout', '2s'] });
    }
    await using _olm = playOlmV0(site.client);
    const plans = async () => (await site.client.list(InstallPlan, { namespace: name })).items as Loose[];
    await eventually(async () => expect((await plans())[0]?.status.phase).toBe('RequiresApproval'), {
      timeout: 60_000,
    });
    const changed = demoBundle(name, '0.1.0');
    deploymentOf(changed).spec.template.spec.containers[0].image = `example.com/${name}:other`;
    const refused = await run('bundle', changed);
    expect(refused.code).toBe(1);
    expect(refused.stderr).toContain('olm/other-bundle');
    expect((await plans())[0]?.spec.approved).toBe(false);
    const same = await run('bundle', demoBundle(name, '0.1.0'));
    expect(same.code, same.stderr).toBe(0);
  });

  test.each([
    ['another name', { name: 'mine' }, {}],
    ['another channel', {}, { channel: 'stable' }],
    ['another catalogue', {}, { source: 'theirs' }],
    ['the same fields, without a catalogue', {}, {}],
  ])('leaves a Subscription of somebody else alone: %s', async (what, metadata, spec) => {
    const name = await site.namespace(`theirs-${what.replaceAll(/[^a-z]+/g, '-').slice(0, 30)}`);
    await site.client.create(Subscription, {
      metadata: { name: `${name}-v0-1-0-sub`, namespace: name, ...metadata },
      spec: {
        ...{ name, channel: 'operator-sdk-run-bundle', source: `${name}-catalog`, sourceNamespace: name },
        ...{ startingCSV: `${name}.v0.1.0`, installPlanApproval: 'Manual', ...spec },
      },
    } as unknown as KubeObject);
    const { code, stderr } = await run('bundle', demoBundle(name, '0.1.0'));
    expect(code).toBe(1);
    expect(stderr).toContain('olm/already-installed');
    expect(stderr).toContain('by an object that is not of `op-sdk run bundle`');
    expect((await site.client.list(Subscription, { namespace: name })).items).toHaveLength(1);
  });
});
