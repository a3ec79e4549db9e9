// Ctrl-C at each step of `run bundle` leaves what `cleanup` removes.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { eventually } from '../../../../src/testing/index.ts';
import { demoBundle } from './demo-bundle.ts';
import { plays } from './plays.ts';
import { hasReached } from './has-reached.ts';
import { hasOlm, startSite, type Site } from './site.ts';

describe.skipIf(!hasOlm).each(plays)('OLM %s', (version, play, steps) => {
  let site: Site;
  beforeAll(async () => {
    site = await startSite(version);
  }, 180_000);
  afterAll(() => site?.[Symbol.asyncDispose]());

  test.each(steps)('is interrupted before the step: %s', async (step) => {
    const name = `before-${step}`;
    const namespace = await site.namespace(name);
    const before = await site.everything();
    await using olm = play(site.client, { stopsBefore: step });
    const stop = new AbortController();
    const running = site.cli(
      [
        ...['run', 'bundle', site.folderOf(demoBundle(name, '0.1.0')), '-n', namespace],
        ...['--push-to', `${site.registry.host}/team/${name}`],
      ],
      { signal: stop.signal },
    );
    await eventually(async () => expect(await hasReached(site.client, name, version, step)).toBe(true), {
      timeout: 60_000,
    });
    stop.abort();
    const { code, stderr } = await running;
    expect(code).toBe(130);
    expect(stderr).toContain(`to remove it: op-sdk cleanup ${name}`);
    // OLM goes on meanwhile.
    await olm[Symbol.asyncDispose]();
    await using _whole = play(site.client);
    const cleaned = await site.cli([
      ...['cleanup', name, '-n', namespace, '--delete-crds', '--delete-operator-groups', '--yes'],
    ]);
    expect(cleaned.code, cleaned.stderr).toBe(0);
    await eventually(async () => expect(await site.everything()).toEqual(before), { timeout: 60_000 });
  });
});
