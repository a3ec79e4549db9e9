import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startControlPlane, type ControlPlane } from '../../../../../src/testing/index.ts';
import { chosen } from '../../../../helpers/thorough.ts';
import { runCase, type Side } from '../run-case.ts';
import { realSide, testSide } from '../sides.ts';
import { kindCases } from './cases.ts';
import { readable } from './readable.ts';

/**
 * Without the admission plug-ins that the test API does not run: those that add tokens, tolerations, priorities, finalizers and classes, or
 * that forbid to resize a volume.
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
