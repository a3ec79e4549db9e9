// Random objects of random schemas, written by several managers: the same answers, and the same fields of each manager.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { misfit, type JsonValue, type JSONSchemaProps } from '../../../../src/kubernetes/objects/index.ts';
import { sharedControlPlane } from '../../../helpers/control-plane.ts';
import { randomPair, randomValue } from '../../../helpers/random-schemas/pairs.ts';
import { createRandom, type Random } from '../../../helpers/random.ts';
import { isThorough } from '../../../helpers/thorough.ts';
import { agree, group, requestsAt, type AnyStep } from './case.ts';
import { definition } from './crds.ts';
import { runCase, type Side } from './run-case.ts';
import { realSide, testSide } from './sides.ts';

const kinds = Array.from({ length: isThorough ? 20 : 2 }, (_, index) => {
  const random = createRandom(20260101 + index);
  const fields = Object.fromEntries(
    Array.from({ length: 8 }, (_, at): [string, JSONSchemaProps] => [`f${at}`, randomPair(random).schema]),
  );
  return { kind: `Random${index}`, fields, random };
});

const definitions = kinds.map(({ kind, fields }) => {
  const properties = { spec: { type: 'object', properties: fields } };
  return definition(kind, 'Namespaced', { schema: { openAPIV3Schema: { type: 'object', properties } } });
});

let real: Side;
const memory = testSide(definitions);
beforeAll(async () => {
  real = await realSide(await sharedControlPlane(), definitions);
});
afterAll(() => real?.transport.close());

/** Some of the fields, with values that fit. */
function someFields(
  random: Random,
  fields: Readonly<Record<string, JSONSchemaProps>>,
): Record<string, JsonValue> {
  return Object.fromEntries(
    Object.entries(fields).flatMap(([name, schema]) => {
      if (random.chance(0.4)) return [];
      const value = Array.from({ length: 10 }, () => randomValue(random, schema)).find(
        (each) => misfit(schema, each) === undefined,
      );
      return value === undefined ? [] : [[name, value]];
    }),
  );
}

function steps(random: Random, kind: string, fields: Readonly<Record<string, JSONSchemaProps>>): AnyStep[] {
  const { apply, merge, get } = requestsAt(`/apis/${group}/v1/namespaces/$NS/${kind.toLowerCase()}s`);
  const object = (): object => ({
    apiVersion: `${group}/v1`,
    kind,
    metadata: { name: 'a' },
    spec: someFields(random, fields),
  });
  return [
    apply('a', object(), { fieldManager: 'one' }),
    apply('a', object(), { fieldManager: 'two' }),
    apply('a', object(), { fieldManager: 'two', force: 'true' }),
    merge('a', { spec: someFields(random, fields) }, { fieldManager: 'three' }),
    apply('a', object(), { fieldManager: 'one', force: 'true' }),
    apply('a', { ...object(), spec: {} }, { fieldManager: 'two' }),
    get('a'),
  ];
}

test.each(kinds)('$kind', async ({ kind, fields, random }) => {
  for (let round = 0; round < 10; round++) {
    const each = agree(`${kind} ${round}`, ...steps(random, kind, fields));
    const [expected, got] = await Promise.all([runCase(real, each), runCase(await memory, each)]);
    expect(got, JSON.stringify({ fields, steps: each.steps })).toEqual(expected);
  }
});
