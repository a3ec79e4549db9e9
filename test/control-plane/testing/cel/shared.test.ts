import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sharedControlPlane } from '../../../helpers/control-plane.ts';
import { chosen, runs } from '../../../helpers/thorough.ts';
import type { Side } from '../agreement/run-case.ts';
import { realSide, testSide } from '../agreement/sides.ts';
import { answers, placed } from './compare.ts';
import { isThere, sharedCase, sharedSchemas } from './shared-rules.ts';

const reason = isThere ? '' : ' (skipped: there is no folder ../shared/data)';
const schemas = isThere ? chosen(sharedSchemas()) : [];
const cases = schemas.map((schema, index) => placed(sharedCase(schema, index, runs(50)), index));
let real: Side;
let memory: Side;

beforeAll(async () => {
  const crds = cases.map(({ crd }) => crd);
  if (isThere)
    [real, memory] = await Promise.all([realSide(await sharedControlPlane(), crds), testSide(crds)]);
}, 60_000);

afterAll(() => real?.transport.close());

describe.skipIf(!isThere)(`rules of real definitions are evaluated as by the API server${reason}`, () => {
  it.concurrent.each(cases)('$name', async (each) => {
    const [expected, got] = await Promise.all([answers(real, each), answers(memory, each)]);
    expect(got).toEqual(expected);
  });
  it('has cases', () => expect(cases.length).toBeGreaterThan(0));
});
