// Whether a value can be the default of a schema is what the API server says.
import { beforeAll, expect, test } from 'vitest';
import { apiRequest } from '../../../../src/testing/http/api-request.ts';
import { sharedControlPlane, type SharedControlPlane } from '../../../helpers/control-plane.ts';
import { defaultCases } from '../../../unit/compiler/schema/default-cases.ts';

let controlPlane: SharedControlPlane;
beforeAll(async () => {
  controlPlane = await sharedControlPlane();
});

test.each(defaultCases)('%j and the default %j: %j', async (schema, value, fits) => {
  const spec = { type: 'object', properties: { value: { ...schema, default: value } } };
  const openAPIV3Schema = { type: 'object', properties: { spec } };
  const { status, text } = await apiRequest(controlPlane, {
    method: 'POST',
    path: '/apis/apiextensions.k8s.io/v1/customresourcedefinitions?dryRun=All',
    body: {
      apiVersion: 'apiextensions.k8s.io/v1',
      kind: 'CustomResourceDefinition',
      metadata: { name: 'samples.defaults.example.com' },
      spec: {
        group: 'defaults.example.com',
        scope: 'Namespaced',
        names: { kind: 'Sample', plural: 'samples' },
        versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema } }],
      },
    },
  });
  expect(status, text).toBe(fits ? 201 : 422);
});
