// What a round of `op-sdk dev` does when a step of it fails. Files, cluster and operator are the test's.
import { expect, test } from 'vitest';
import { DevLoop, type DevLoopOptions } from '../../../../src/cli/actions/dev/dev-loop.ts';
import { Stage } from '../../../../src/cli/actions/dev/stages.ts';
import { OpSdkError } from '../../../../src/base/errors/index.ts';

/** Runs one round, in which the CRDs are brought by `bringCrds`, and the operator's roles by `bringAccess`. */
async function round(
  bringCrds: () => Promise<void>,
  bringAccess: () => Promise<void> = async () => undefined,
  bringWebhooks: () => Promise<void> = async () => undefined,
) {
  const steps: string[] = [];
  const stop = new AbortController();
  const quiet = (): void => undefined;
  const report = {
    ...{ step: quiet, warned: quiet, error: quiet, warning: quiet, paint: (_: string, text: string) => text },
    // The last line of a round.
    info: () => stop.abort(),
  };
  const made = { bundle: { files: [] }, written: [], warnings: [] };
  const loop = new DevLoop({
    context: { cwd: '/', report },
    signal: stop.signal,
    sources: new Stage(async () => made),
    crds: new Stage(async () => []),
    access: new Stage(async () => ({ account: { namespace: 'n', name: 'a' }, objects: [], granted: [] })),
    samples: new Stage(async () => []),
    webhooks: new Stage(async () => []),
    bringCrds: async () => {
      steps.push('crds');
      await bringCrds();
    },
    bringAccess: async () => {
      steps.push('access');
      await bringAccess();
    },
    bringWebhooks: async () => {
      steps.push('webhooks');
      await bringWebhooks();
    },
    waitUntilServed: async () => void steps.push('served'),
    applySamples: async () => void steps.push('samples'),
    restarter: {
      running: false,
      restart: async () => {
        steps.push('restart');
        return true;
      },
    },
  } as unknown as DevLoopOptions);
  await loop.run();
  return steps;
}

test('a round brings the definitions, the roles, the webhooks, then the operator, and once it serves, the samples', async () => {
  expect(await round(async () => undefined)).toEqual([
    ...['crds', 'access', 'webhooks', 'restart', 'served', 'samples'],
  ]);
});

test('a round applies no samples of definitions that could not be brought', async () => {
  const refused = new OpSdkError({ code: 'cluster/crd-not-established', message: 'not established' });
  expect(await round(() => Promise.reject(refused))).toEqual(['crds']);
});

test('a round starts no operator without its roles', async () => {
  const refused = new OpSdkError({ code: 'cluster/no-token', message: 'no token' });
  expect(
    await round(
      async () => undefined,
      () => Promise.reject(refused),
    ),
  ).toEqual(['crds', 'access']);
});

test('a round starts no operator whose webhooks somebody else has', async () => {
  const refused = new OpSdkError({ code: 'cluster/webhooks-exist', message: 'they are there' });
  const done = async (): Promise<void> => undefined;
  expect(await round(done, done, () => Promise.reject(refused))).toEqual(['crds', 'access', 'webhooks']);
});
