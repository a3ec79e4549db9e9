import { beforeAll, expect, test } from 'vitest';
import { schemas } from '../../../../src/kubernetes/tables/generated/schemas.ts';
import {
  SchemaTableError,
  structuralSchema,
  type StructuralSchema,
} from '../../../../src/kubernetes/tables/index.ts';
import { apiRequest } from '../../../../src/testing/http/api-request.ts';
import { eventually } from '../../../../src/testing/index.ts';
import {
  sharedControlPlane,
  uniqueName,
  uniqueNamespace,
  type SharedControlPlane,
} from '../../../helpers/control-plane.ts';

let controlPlane: SharedControlPlane;
beforeAll(async () => {
  controlPlane = await sharedControlPlane();
});

const core = (type: string) => structuralSchema(`io.k8s.api.core.v1.${type}`, { descriptions: false });

/** A namespaced kind of a group of its own, whose spec has the given fields. */
function crd(fields: Record<string, StructuralSchema>) {
  const group = `${uniqueName()}.example.com`;
  const spec = { type: 'object', properties: fields };
  const version = {
    name: 'v1',
    served: true,
    storage: true,
    schema: { openAPIV3Schema: { type: 'object', properties: { spec } } },
  };
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `things.${group}` },
    spec: {
      group,
      scope: 'Namespaced',
      names: { kind: 'Thing', listKind: 'ThingList', plural: 'things', singular: 'thing' },
      versions: [version],
    },
  };
}

const crds = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';

test('every built-in type that is not refused is accepted in a CRD', { timeout: 300_000 }, async () => {
  const refused: string[] = [];
  let accepted = 0;
  const check = async (name: string) => {
    let schema: StructuralSchema;
    try {
      schema = structuralSchema(name, { descriptions: false });
    } catch (error) {
      if (error instanceof SchemaTableError) return;
      throw error;
    }
    const path = `${crds}?dryRun=All&fieldValidation=Strict`;
    const answer = await apiRequest(controlPlane, {
      method: 'POST',
      path,
      body: crd({ value: schema }),
      timeout: 60_000,
    });
    if (answer.status === 201) accepted++;
    else refused.push(`${name}: ${answer.text}`);
  };
  const names = Object.keys(schemas);
  const worker = async () => {
    for (let name = names.pop(); name !== undefined; name = names.pop()) await check(name);
  };
  await Promise.all([worker(), worker(), worker(), worker()]);
  expect(refused).toEqual([]);
  expect(accepted).toBeGreaterThan(450);
});

test('a port gets its protocol, a template keeps its labels, and conditions are validated', async () => {
  const namespace = await uniqueNamespace(controlPlane, 'structural');
  const definition = crd({
    ports: { type: 'array', items: core('ContainerPort') },
    template: core('PodTemplateSpec'),
    condition: structuralSchema('io.k8s.apimachinery.pkg.apis.meta.v1.Condition', { descriptions: true }),
  });
  const { group } = definition.spec;
  const made = await apiRequest(controlPlane, {
    method: 'POST',
    path: `${crds}?fieldValidation=Strict`,
    body: definition,
  });
  expect(made.status, made.text).toBe(201);

  const path = `/apis/${group}/v1/namespaces/${namespace}/things`;
  const create = (name: string, spec: unknown) =>
    apiRequest(controlPlane, {
      method: 'POST',
      path: `${path}?fieldValidation=Strict`,
      body: { apiVersion: `${group}/v1`, kind: 'Thing', metadata: { name }, spec },
    });
  await eventually(async () => (await apiRequest(controlPlane, { path })).status === 200, {
    timeout: 30_000,
  });

  const container = {
    name: 'app',
    image: 'app:1',
    ports: [{ containerPort: 8080 }],
    resources: { limits: { cpu: 1, memory: '1Gi' } },
    livenessProbe: { httpGet: { port: 'http', path: '/' } },
  };
  const good = await create('good', {
    ports: [{ containerPort: 8080 }],
    template: {
      metadata: { labels: { app: 'x' }, annotations: { a: 'b' } },
      spec: { containers: [container], imagePullSecrets: [{}] },
    },
  });
  expect(good.status, good.text).toBe(201);
  expect(good.json()).toMatchObject({
    spec: {
      ports: [{ containerPort: 8080, protocol: 'TCP' }],
      template: {
        metadata: { labels: { app: 'x' }, annotations: { a: 'b' } },
        spec: {
          containers: [{ ...container, ports: [{ containerPort: 8080, protocol: 'TCP' }] }],
          imagePullSecrets: [{ name: '' }],
        },
      },
    },
  });

  const condition = {
    type: 'Ready',
    status: 'True',
    reason: 'Because',
    message: '',
    lastTransitionTime: '2026-01-02T15:04:05Z',
  };
  expect((await create('condition', { condition })).status).toBe(201);
  const wrong: [string, unknown][] = [
    ['spec.condition.status', { condition: { ...condition, status: 'Maybe' } }],
    ['spec.condition.reason', { condition: { ...condition, reason: '' } }],
    ['spec.condition.type', { condition: { ...condition, type: 'not valid' } }],
    ['spec.condition.observedGeneration', { condition: { ...condition, observedGeneration: -1 } }],
    ['spec.ports[0].containerPort', { ports: [{}] }],
    ['spec.template.spec.containers', { template: { spec: {} } }],
    [
      'spec.template.spec.containers[0].resources.limits.cpu',
      {
        template: { spec: { containers: [{ name: 'a', resources: { limits: { cpu: 'lots' } } }] } },
      },
    ],
  ];
  for (const [field, spec] of wrong) {
    const answer = await create('wrong', spec);
    expect(answer.status, field).toBe(422);
    expect(answer.text).toContain(field);
  }
});
