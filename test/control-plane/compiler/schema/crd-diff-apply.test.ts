// What `op-sdk crd diff` says of list types and map types is what server-side apply does.
import { beforeAll, describe, expect, test } from 'vitest';
import { apiRequest } from '../../../../src/testing/http/api-request.ts';
import { eventually } from '../../../../src/testing/index.ts';
import {
  sharedControlPlane,
  uniqueName,
  uniqueNamespace,
  type SharedControlPlane,
} from '../../../helpers/control-plane.ts';
import { compareDefinitions } from '../../../unit/kubernetes/crd/diff/compare-definitions.ts';
import { definition, object, text, type Schema } from './crd-diff-cases.ts';

let controlPlane: SharedControlPlane;
let namespace: string;
beforeAll(async () => {
  controlPlane = await sharedControlPlane();
  namespace = await uniqueNamespace(controlPlane, 'crd-diff');
});

const request = (method: 'GET' | 'POST', path: string, body?: unknown) =>
  apiRequest(controlPlane, { method, path, ...(body === undefined ? {} : { body }) });
const crds = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
const strict = '?fieldValidation=Strict';

describe.concurrent.each([
  {
    title: 'an object that becomes atomic is refused to who applies a part of it',
    schema: (atomic: Schema) => object({ a: text, b: text }, atomic),
    // Each applier has a field of its own.
    values: { first: { a: '1' }, second: { b: '1' }, again: { a: '2' } },
    code: 'map-type-atomic',
    status: 409,
  },
  {
    title: 'a reference too, if it has several appliers',
    schema: (atomic: Schema) => object({ name: text, namespace: text }, atomic),
    values: { first: { name: '1' }, second: { namespace: '1' }, again: { name: '2' } },
    code: 'reference-atomic',
    status: 409,
  },
  {
    title: 'inside of an atomic list nothing changes',
    schema: (atomic: Schema) => ({ type: 'array', items: object({ a: text, b: text }, atomic) }),
    values: { first: [{ a: '1', b: '1' }], second: undefined, again: [{ a: '2' }] },
    code: 'merge-unaffected',
    status: 200,
  },
])('server-side apply: $title', ({ schema, values, code, status }) => {
  test(code, async () => {
    const group = `${uniqueName()}.example.com`;
    const [before, after] = [
      definition(group, schema({})),
      definition(group, schema({ 'x-kubernetes-map-type': 'atomic' }), { next: text }),
    ];
    const judged = definition(group, schema({ 'x-kubernetes-map-type': 'atomic' }));
    expect(compareDefinitions(before, judged)?.map((change) => change.code)).toEqual([code]);
    expect((await request('POST', `${crds}${strict}`, before)).status).toBe(201);
    const samples = `/apis/${group}/v1/namespaces/${namespace}/samples`;
    await eventually(async () => (await request('GET', samples)).status === 200, { timeout: 30_000 });
    const patch = (path: string, body: unknown, contentType = 'application/apply-patch+yaml') =>
      apiRequest(controlPlane, { method: 'PATCH', path, body, contentType });
    const apply = (manager: string, value: unknown) =>
      patch(`${samples}/x?fieldManager=${manager}`, {
        apiVersion: `${group}/v1`,
        kind: 'Sample',
        metadata: { name: 'x' },
        spec: { value },
      });
    expect((await apply('one', values.first)).status).toBe(201);
    if (values.second !== undefined) expect((await apply('two', values.second)).status).toBe(200);
    const merge = 'application/merge-patch+json';
    expect((await patch(`${crds}/samples.${group}`, { spec: after.spec }, merge)).status).toBe(200);
    await eventually(
      async () =>
        (await patch(`${samples}/x${strict}&dryRun=All`, { spec: { next: 'n' } }, merge)).status === 200,
      { timeout: 30_000 },
    );
    const again = await apply('one', values.again);
    expect(again.status, again.text).toBe(status);
  });
});
