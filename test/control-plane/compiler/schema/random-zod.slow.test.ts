// CRDs made of random zod schemas accept and refuse what zod does, and give back what zod gives: defaults filled in, unknown fields dropped.
import fc from 'fast-check';
import { beforeAll, expect, test } from 'vitest';
import { isObject, type JsonValue } from '../../../../src/kubernetes/objects/index.ts';
import { convertSchema } from '../../../../src/compiler/schema/library/convert-schema.ts';
import { zodLosses } from '../../../../src/compiler/schema/library/inside/losses-of-libraries.ts';
import type { JsonSchema } from '../../../../src/compiler/schema/library/json-schema.ts';
import type { Doc } from '../../../../src/compiler/schema/shape.ts';
import { apiRequest } from '../../../../src/testing/http/api-request.ts';
import { eventually } from '../../../../src/testing/index.ts';
import {
  sharedControlPlane,
  uniqueName,
  uniqueNamespace,
  type SharedControlPlane,
} from '../../../helpers/control-plane.ts';
import { randomValue, randomZod, zodOf, type FieldPlan, type ZodPlan } from '../../../helpers/random-zod.ts';
import { runs } from '../../../helpers/thorough.ts';

const seed = Number(process.env['FC_SEED'] ?? 20260101);
const valuesOfEach = 8;

let controlPlane: SharedControlPlane;
let namespace: string;
beforeAll(async () => {
  controlPlane = await sharedControlPlane();
  namespace = await uniqueNamespace(controlPlane, 'zod');
});

/** The schema of a CRD, as `generate manifests` makes it of the JSON Schema. */
function crdSchema(plan: ZodPlan): unknown {
  const schema = zodOf(plan);
  const problems: string[] = [];
  const node = convertSchema(
    schema['~standard'].jsonSchema.input({ target: 'draft-2020-12' }) as JsonSchema,
    { error: ({ message }) => void problems.push(message), warn: () => undefined },
    (path) => ({ label: path.join('.'), kind: 'member' }) as Doc,
  );
  const losses = zodLosses(schema as unknown as Readonly<Record<string, unknown>>).map(({ what }) => what);
  expect({ plan, problems: [...problems, ...losses] }).toEqual({ plan, problems: [] });
  return node.schema;
}

/**
 * The value as the API server looks at it: null is dropped where a field may be absent and not be null, and so are keys of a record that has
 * only certain ones, which zod refuses.
 */
function asPruned(plan: ZodPlan, value: JsonValue): JsonValue {
  if (plan.kind === 'nullable') return value === null ? null : asPruned(plan.inner, value);
  if (plan.kind === 'list' && Array.isArray(value))
    return (value as readonly JsonValue[]).map((item) => asPruned(plan.items, item));
  if (!isObject(value)) return value;
  const fields: Readonly<Record<string, ZodPlan>> = fieldsOf(plan, value);
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, item]) => {
      const field = Object.hasOwn(fields, name) ? fields[name] : undefined;
      if (plan.kind === 'record' && plan.keys?.includes(name) === false) return [];
      if (field === undefined) return [[name, item]];

      const isDropped = item === null && field.kind !== 'nullable' && field.kind !== 'unknown';
      return isDropped ? [] : [[name, asPruned(field, item)]];
    }),
  );
}

function fieldsOf(plan: ZodPlan, value: Record<string, JsonValue>): Record<string, ZodPlan> {
  const plansOf = (fields: Readonly<Record<string, FieldPlan>>): (readonly [string, ZodPlan])[] =>
    Object.entries(fields).map(([name, field]) => [name, field.plan]);
  if (plan.kind === 'object') return Object.fromEntries(plansOf(plan.fields));
  if (plan.kind === 'both')
    return Object.assign({}, ...plan.parts.map((part) => fieldsOf(part, value))) as Record<string, ZodPlan>;
  if (plan.kind === 'tagged' || plan.kind === 'untagged')
    return Object.fromEntries(plan.members.flatMap(plansOf));
  if (plan.kind === 'record')
    return Object.fromEntries(Object.keys(value).map((name) => [name, plan.values]));
  return {};
}

test('random zod schemas and their CRDs have the same verdicts', { timeout: 600_000 }, async () => {
  const count = runs(300);
  const plans = fc.sample(randomZod, { numRuns: count, seed });
  const group = `${uniqueName()}.example.com`;
  // One kind with a field for each schema.
  const properties = Object.fromEntries(plans.map((plan, index) => [`s${index}`, crdSchema(plan)]));
  const created = await apiRequest(controlPlane, {
    method: 'POST',
    path: '/apis/apiextensions.k8s.io/v1/customresourcedefinitions?fieldValidation=Strict',
    body: {
      apiVersion: 'apiextensions.k8s.io/v1',
      kind: 'CustomResourceDefinition',
      metadata: { name: `samples.${group}` },
      spec: {
        group,
        names: { kind: 'Sample', plural: 'samples' },
        scope: 'Namespaced',
        versions: [
          {
            name: 'v1',
            served: true,
            storage: true,
            schema: {
              openAPIV3Schema: { type: 'object', properties: { spec: { type: 'object', properties } } },
            },
          },
        ],
      },
    },
  });
  expect(created.status, created.text).toBe(201);
  const samples = `/apis/${group}/v1/namespaces/${namespace}/samples`;
  await eventually(async () => (await apiRequest(controlPlane, { path: samples })).status === 200, {
    timeout: 60_000,
  });

  const cases = plans.flatMap((plan, index) =>
    fc
      .sample(randomValue(plan), { numRuns: valuesOfEach, seed: seed + index })
      .map((value) => ({ plan, name: `s${index}`, value })),
  );
  const differences: unknown[] = [];
  let accepted = 0;
  const judge = async ({ plan, name, value }: (typeof cases)[number]): Promise<void> => {
    // A field of the spec, which is not required: null is the same as its absence.
    if (value === null && plan.kind !== 'nullable' && plan.kind !== 'unknown') return;
    const answer = await apiRequest(controlPlane, {
      method: 'POST',
      path: `${samples}?dryRun=All`,
      body: { apiVersion: `${group}/v1`, kind: 'Sample', metadata: { name: 'x' }, spec: { [name]: value } },
    });
    const parsed = zodOf(plan).safeParse(asPruned(plan, value));
    if (parsed.success) accepted += 1;
    if (answer.status !== (parsed.success ? 201 : 422)) {
      const said = parsed.success ? 'accepted' : parsed.error.message;
      differences.push({
        plan: JSON.stringify(plan),
        value: JSON.stringify(value),
        zod: said,
        server: answer.text.slice(0, 600),
        schema: JSON.stringify(properties[name]),
      });
    } else if (parsed.success) {
      const stored = (JSON.parse(answer.text) as { spec: Record<string, unknown> }).spec[name];
      if (JSON.stringify(sorted(stored)) !== JSON.stringify(sorted(parsed.data)))
        differences.push({
          plan: JSON.stringify(plan),
          value: JSON.stringify(value),
          stored,
          parsed: parsed.data,
        });
    }
  };
  for (let start = 0; start < cases.length; start += 8)
    await Promise.all(cases.slice(start, start + 8).map(judge));
  expect(differences).toEqual([]);
  // Neither side may have much the larger part.
  expect(accepted).toBeGreaterThan(cases.length / 5);
  expect(accepted).toBeLessThan((cases.length * 4) / 5);
});

/** With the fields of objects in the order of their names. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, item]) => [name, sorted(item)]),
  );
}
