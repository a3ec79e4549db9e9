// The validator says of random values what the API server says.
import { beforeAll, expect, test } from 'vitest';
import {
  clone,
  embeddedErrors,
  fillDefaults,
  listTypeErrors,
  prune,
  removeNulls,
  schemaErrors,
  writtenFaults,
  type Json,
  type JsonObject,
  type JSONSchemaProps,
} from '../../../../src/kubernetes/objects/index.ts';
import { apiRequest } from '../../../../src/testing/http/api-request.ts';
import { eventually } from '../../../../src/testing/index.ts';
import {
  sharedControlPlane,
  uniqueName,
  uniqueNamespace,
  type SharedControlPlane,
} from '../../../helpers/control-plane.ts';
import { randomPair, type Pair } from '../../../helpers/random-schemas/pairs.ts';
import { createRandom } from '../../../helpers/random.ts';
import { isThorough } from '../../../helpers/thorough.ts';
import { supportedKubernetes } from '../../../../src/base/util/kubernetes-releases.ts';
import { isServerOlderThan } from '../../../helpers/server-version.ts';

let controlPlane: SharedControlPlane;
let namespace = '';
beforeAll(async () => {
  controlPlane = await sharedControlPlane();
  namespace = await uniqueNamespace(controlPlane, 'validate');
});

const fieldsOfOne = 50;
const seeds = Array.from({ length: isThorough ? 40 : 2 }, (_, index) => 20260101 + index);

interface Answer {
  readonly isAccepted: boolean;
  readonly causes: readonly string[];
  readonly text: string;
}

async function defined(schema: JSONSchemaProps): Promise<(spec: JsonObject) => Promise<Answer>> {
  const group = `${uniqueName()}.example.com`;
  const names = { kind: 'Sample', plural: 'samples' };
  const version = { name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: schema } };
  const made = await apiRequest(controlPlane, {
    method: 'POST',
    path: '/apis/apiextensions.k8s.io/v1/customresourcedefinitions',
    body: {
      apiVersion: 'apiextensions.k8s.io/v1',
      kind: 'CustomResourceDefinition',
      metadata: { name: `samples.${group}` },
      spec: { group, scope: 'Namespaced', names, versions: [version] },
    },
  });
  expect(made.status, made.text).toBe(201);
  const path = `/apis/${group}/v1/namespaces/${namespace}/samples`;
  await eventually(async () => (await apiRequest(controlPlane, { path })).status === 200, {
    timeout: 30_000,
  });
  return async (spec) => {
    const { status, text } = await apiRequest(controlPlane, {
      method: 'POST',
      path: `${path}?dryRun=All&fieldValidation=Strict`,
      body: { apiVersion: `${group}/v1`, kind: 'Sample', metadata: { name: 'x' }, spec },
    });
    if (status === 201) return { isAccepted: true, causes: [], text };
    const { details } = JSON.parse(text) as { details?: { causes?: { field: string; message: string }[] } };
    const causes = (details?.causes ?? []).map(({ field, message }) => `${field}: ${message}`);
    return { isAccepted: false, causes: causes.sort(), text };
  };
}

function ourCauses(spec: JsonObject, root: JSONSchemaProps): readonly string[] {
  const object: JsonObject = { spec: clone(spec as Json) };
  prune(object, root);
  removeNulls(object, root);
  fillDefaults(object, root);
  return [...schemaErrors(object, root, ''), ...embeddedErrors(object, root), ...listTypeErrors(object, root)]
    .map(({ field, body }) => `${field}: ${body}`)
    .sort();
}

// Older releases word some causes otherwise, and check fewer formats.
test.skipIf(isServerOlderThan(supportedKubernetes.newest)).each(seeds)(
  'values of schemas with the seed %d',
  async (seed) => {
    const random = createRandom(seed);
    const pairs = Array.from({ length: fieldsOfOne }, (): Pair => randomPair(random));
    const properties = Object.fromEntries(
      pairs.map(({ schema: { default: _, ...schema } }, index) => [`f${index}`, schema]),
    );
    const root: JSONSchemaProps = { type: 'object', properties: { spec: { type: 'object', properties } } };
    const create = await defined(root);
    for (const [index, { value, schema }] of pairs.entries()) {
      const spec: JsonObject = { [`f${index}`]: value as Json };
      const theirs = await create(spec);
      const faults = writtenFaults({ spec }, root).filter(({ text }) => text !== 'null is dropped');
      const told = JSON.stringify({
        schema,
        value,
        theirs: theirs.text,
        ours: faults.map(({ text }) => text),
      });
      expect.soft(faults.length === 0, told).toBe(theirs.isAccepted);
      if (theirs.causes.length > 0) expect.soft(ourCauses(spec, root), told).toEqual(theirs.causes);
    }
  },
  120_000,
);
