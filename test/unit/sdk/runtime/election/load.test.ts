// L10 without an API server: the reconciles of a controller and the renewals of a lease on one event loop.
import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { defineController } from '../../../../../src/index.ts';
import type { Lease } from '../../../../../src/sdk/k8s/generated/coordination/v1.ts';
import { systemClock } from '../../../../../src/sdk/net/index.ts';
import { ControllerRunner } from '../../../../../src/sdk/runtime/controller/controller-runner.ts';
import { Elector, type LeaseClient } from '../../../../../src/sdk/runtime/election/connect-election.ts';
import { Fence } from '../../../../../src/sdk/runtime/election/fence.ts';
import { memoryLog } from '../memory-log.ts';
import { site, Site } from '../kinds.ts';

it('L10: renewals come between 50,000 reconciles that wait for nothing', async () => {
  const renewals: number[] = [];
  let lease: Lease | undefined;
  // Answers come with a turn of the event loop, as from a socket.
  const write = async (object: unknown): Promise<never> => {
    await nextTurn();
    renewals.push(performance.now());
    lease = object as Lease;
    return structuredClone(lease) as never;
  };
  const client: LeaseClient = {
    find: async () => lease as never,
    create: (_, object) => write(object),
    update: (_, object) => write(object),
  };
  const { log } = memoryLog();
  const fence = new Fence('ns/lease', systemClock, () => undefined);
  const elector = new Elector({
    ...{ client, identity: 'me', fence, log },
    settings: {
      id: 'lease',
      namespace: 'ns',
      leaseDuration: 30_000,
      renewDeadline: 20_000,
      retryPeriod: 20,
      releaseOnStop: true,
    },
    metrics: { leads: () => undefined, slowPath: () => undefined, fenced: () => undefined },
  });
  let lost: Error | undefined;
  await elector.acquire(new AbortController().signal, (error) => (lost = error));

  let count = 0;
  const reconcile = (): void => void (count += 1);
  const runner = new ControllerRunner(
    defineController({ name: 'load', for: Site, concurrency: 4, reconcile }),
    {
      lookUp: () => site('a'),
      clientFor: () => expect.unreachable(),
      eventsFor: () => expect.unreachable(),
      log,
      signal: new AbortController().signal,
    },
  );
  for (let i = 0; i < 50_000; i++) runner.queue.add(`ns/${i}`);
  const began = performance.now();
  const before = renewals.length;
  runner.start();
  while (count < 50_000) await nextTurn();
  const seconds = (performance.now() - began) / 1000;
  const during = renewals.length - before;
  await runner.stop();
  await elector.stop();
  expect(lost).toBeUndefined();
  // 50 a second are due; each waits for its turn of 10 ms, twice. Without turns there would be none.
  expect(during).toBeGreaterThan(seconds * 5);
});
