import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sharedControlPlane } from '../../../helpers/control-plane.ts';
import { chosen } from '../../../helpers/thorough.ts';
import type { Side } from '../agreement/run-case.ts';
import { realSide, testSide } from '../agreement/sides.ts';
import { answers, placed } from './compare.ts';
import { rulesOfLibraries } from './rules-of-libraries.ts';
import { rulesOfLists } from './rules-of-lists.ts';
import { rulesOfScalars } from './rules-of-scalars.ts';
import { rulesWithFields } from './rules-with-fields.ts';
import { wrongTypes } from './wrong-types.ts';

let real: Side;
let memory: Side;
const cases = chosen([
  ...rulesOfScalars,
  ...rulesOfLists,
  ...rulesOfLibraries,
  ...rulesWithFields,
  ...wrongTypes,
]).map(placed);

beforeAll(async () => {
  const crds = cases.map(({ crd }) => crd);
  [real, memory] = await Promise.all([realSide(await sharedControlPlane(), crds), testSide(crds)]);
}, 60_000);

afterAll(() => real?.transport.close());

describe('the test API evaluates rules as the API server', () => {
  it.concurrent.each(cases)('$name', async (each) => {
    const [expected, got] = await Promise.all([answers(real, each), answers(memory, each)]);
    expect(got).toEqual(expected);
  });
});
