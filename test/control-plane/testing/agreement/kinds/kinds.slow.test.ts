import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startControlPlane, type ControlPlane } from '../../../../../src/testing/index.ts';
import { chosen, isThorough } from '../../../../helpers/thorough.ts';
import type { Reply } from '../case.ts';
import { runCase, type Side } from '../run-case.ts';
import { realSide, testSide } from '../sides.ts';
import { kindCases } from './cases.ts';
import { randomCase, ruledKinds } from './random.ts';
import { readable } from './readable.ts';

/**
 * Without the admission plug-ins that the test API does not run: those that add tokens, tolerations, priorities, finalizers and classes, that
 * look up classes, or that forbid to resize a volume.
 */
const notRun = [
  'ServiceAccount',
  'DefaultTolerationSeconds',
  'Priority',
  'StorageObjectInUseProtection',
  'DefaultStorageClass',
  'PersistentVolumeClaimResize',
  'DefaultIngressClass',
  'TaintNodesByCondition',
  'RuntimeClass',
];

let real: Side;
let plane: ControlPlane | undefined;
let memory: Side;

beforeAll(async () => {
  memory = await testSide([]);
  plane = await startControlPlane({ apiServerFlags: [`--disable-admission-plugins=${notRun.join(',')}`] });
  real = await realSide(plane, []);
});

afterAll(async () => {
  await real?.transport.close();
  await plane?.stop();
});

describe.each(Object.entries(kindCases))('the test API answers as the API server: %s', (_kind, cases) => {
  it.concurrent.each([...chosen(cases)])('$name', async (each) => {
    const [expected, got] = await Promise.all([runCase(real, each), runCase(memory, each)]);
    expect(readable(got)).toEqual(readable(expected));
  });
});

/** A side whose cases share a namespace. */
async function inOneNamespace(side: Side): Promise<Side> {
  const namespace = await side.namespace();
  return {
    transport: side.transport,
    namespace: () => Promise.resolve(namespace),
    settle: () => side.settle(),
  };
}

const count = isThorough ? 200 : 3;

describe('the test API answers as the API server: random objects', () => {
  it.concurrent.each([...ruledKinds])('$apiVersion $kind', async (kind) => {
    const [one, other] = await Promise.all([inOneNamespace(real), inOneNamespace(memory)]);
    let accepted = 0;
    for (let index = 0; index < count; index += 1) {
      const each = randomCase(kind, index);
      const [expected, got] = await Promise.all([runCase(one, each), runCase(other, each)]);
      expect(readable(got), JSON.stringify(each.steps[0])).toEqual(readable(expected));
      if ((expected[0] as Reply).status === 201) accepted += 1;
    }
    if (isThorough) expect(accepted).toBeGreaterThanOrEqual(count * 0.4);
  });
});

it('has enough requests of each kind', () => {
  const requests = Object.entries(kindCases).map(([kind, cases]): [string, number] => [
    kind,
    cases.reduce((sum, { steps }) => sum + steps.length, 0),
  ]);
  expect(requests.map(([kind]) => kind).sort()).toEqual(ruledKinds.map(({ kind }) => kind).sort());
  expect(requests.filter(([, number]) => number < 40)).toEqual([]);
});
