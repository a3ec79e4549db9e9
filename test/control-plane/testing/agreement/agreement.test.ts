import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startControlPlane, type ControlPlane } from '../../../../src/testing/index.ts';
import { sharedControlPlane } from '../../../helpers/control-plane.ts';
import { chosen } from '../../../helpers/thorough.ts';
import { runCase, type Side } from './run-case.ts';
import { realSide, testSide } from './sides.ts';
import { topics } from './topics.ts';

/** With kube-controller-manager, and without: it would add to Deployments, and remove owners that do not exist. */
let controlled: Side;
let plain: Side;
let plane: ControlPlane | undefined;
const memory = testSide();

beforeAll(async () => {
  plane = await startControlPlane();
  [controlled, plain] = await Promise.all([realSide(await sharedControlPlane()), realSide(plane)]);
});

afterAll(async () => {
  await Promise.all([controlled?.transport.close(), plain?.transport.close()]);
  await plane?.stop();
});

/** Cases about what controllers of Kubernetes do: garbage collection, and the end of namespaces. */
const needsControllers = (topic: string, name: string): boolean =>
  ['delete', 'garbage'].includes(topic) || (topic === 'built-in' && !name.startsWith('Deployment'));

describe.each(Object.entries(topics))('the test API answers as the API server: %s', (topic, cases) => {
  it.concurrent.each([...chosen(cases)])('$name', async (each) => {
    const real = needsControllers(topic, each.name) ? controlled : plain;
    const [expected, got] = await Promise.all([runCase(real, each), runCase(await memory, each)]);
    expect(got).toEqual(expected);
  });
});

it('has enough cases, each with a name of its own', () => {
  const names = Object.entries(topics).flatMap(([topic, cases]) =>
    cases.map(({ name }) => `${topic}: ${name}`),
  );
  expect(new Set(names).size).toBe(names.length);
  expect(names.length).toBeGreaterThanOrEqual(300);
});
