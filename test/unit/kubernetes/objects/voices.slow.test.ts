// Three doors ask one validator: they agree on every value.
import { expect, test } from 'vitest';
import { checkObject } from '../../../../src/compiler/build/check-object.ts';
import {
  clone,
  embeddedErrors,
  fillDefaults,
  listTypeErrors,
  misfit,
  prune,
  removeNulls,
  schemaErrors,
  writtenFaults,
  type Fault,
  type Json,
  type JsonObject,
} from '../../../../src/kubernetes/objects/index.ts';
import { randomPair, rootWith, type Pair } from '../../../helpers/random-schemas/pairs.ts';
import { createRandom } from '../../../helpers/random.ts';
import { isThorough } from '../../../helpers/thorough.ts';

/** What the API server does with a written object: its errors, with those of strict decoding. */
function serverErrors({ schema, value }: Pair): readonly string[] {
  const object: JsonObject = { spec: { field: clone(value as Json) } };
  const root = rootWith(schema);
  const unknown = prune(object, root);
  removeNulls(object, root);
  fillDefaults(object, root);
  const errors = [
    ...schemaErrors(object, root, ''),
    ...embeddedErrors(object, root),
    ...listTypeErrors(object, root),
  ];
  return [...unknown, ...errors.map(({ field, body }) => `${field}: ${body}`)];
}

/** Null is dropped by the server, and reported by us. */
const isOwn = ({ rule, text }: Fault): boolean => rule === 'null' && text === 'null is dropped';

test('the words of the API server and ours are of the same values', () => {
  const random = createRandom(20260101);
  let fitting = 0;
  for (let index = 0; index < (isThorough ? 200_000 : 10_000); index++) {
    const pair = randomPair(random);
    const { schema, value } = pair;
    const theirs = serverErrors(pair);
    const root = rootWith(schema);
    const faults = writtenFaults({ spec: { field: value } }, root);
    const ours = faults.filter((fault) => !isOwn(fault));
    const told = JSON.stringify({ schema, value, theirs, ours: ours.map(({ text }) => text) });
    expect(ours.length === 0, told).toBe(theirs.length === 0);
    expect(misfit(schema, value) === undefined, told).toBe(
      writtenFaults(value, schema).length === 0 && !(value === null && schema.nullable !== true),
    );
    const mismatches = checkObject({ spec: { field: value } }, root);
    expect(mismatches.length, told).toBe(
      faults.filter(({ rule, limit }) => rule !== 'null' || limit !== '').length,
    );
    if (ours.length === 0) fitting++;
  }
  expect(fitting).toBeGreaterThan(2000);
}, 600_000);
