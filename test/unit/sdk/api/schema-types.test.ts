// The object types that schemas of libraries give: what is read from the API server, with defaults filled in.
import { toStandardJsonSchema } from '@valibot/to-json-schema';
import { type } from 'arktype';
import * as v from 'valibot';
import { expect, expectTypeOf, test } from 'vitest';
import { z } from 'zod';
import {
  defineResource,
  type CreateObject,
  type CustomResource,
  type ObjectOf,
  type Stored,
} from '../../../../src/index.ts';

const names = { group: 'example.com', version: 'v1', kind: 'Sample' } as const;
const schema = z.object({
  spec: z.object({ size: z.int32().default(1), image: z.string(), mode: z.enum(['a', 'b']).optional() }),
  status: z.object({ ready: z.int32() }).optional(),
});
const Sample = defineResource({
  ...names,
  schema,
  printerColumns: [{ name: 'Size', type: 'integer', jsonPath: '.spec.size' }],
  scale: { spec: '.spec.size', status: '.status.ready' },
});
type Sample = ObjectOf<typeof Sample>;

test('the token is that of the names, and the schema is not in it', () => {
  expect(Sample).toEqual({ ...names, plural: 'samples', namespaced: true, apiVersion: 'example.com/v1' });
});

test('zod', () => {
  expectTypeOf<Sample>().toExtend<CustomResource<'example.com/v1', 'Sample'>>();
  expectTypeOf<Sample['apiVersion']>().toEqualTypeOf<'example.com/v1'>();
  expectTypeOf<Sample['spec']>().toEqualTypeOf<{
    size: number;
    image: string;
    mode?: 'a' | 'b' | undefined;
  }>();
  expectTypeOf<Sample['status']>().toEqualTypeOf<{ ready: number } | undefined>();
  expectTypeOf<Stored<Sample>['spec']['size']>().toEqualTypeOf<number>();
  // What is sent may leave out what the server fills in.
  expectTypeOf<{ metadata: { name: string }; spec: { image: string } }>().toExtend<CreateObject<Sample>>();
});

test('valibot and arktype', () => {
  const ofValibot = defineResource({
    ...names,
    schema: toStandardJsonSchema(v.object({ spec: v.object({ size: v.optional(v.number(), 1) }) })),
  });
  expect(ofValibot.kind).toBe('Sample');
  expectTypeOf<ObjectOf<typeof ofValibot>['spec']>().toEqualTypeOf<{ size: number }>();
  const ofArktype = defineResource({
    ...names,
    schema: type({ spec: { size: 'number = 1', 'a?': 'string' } }),
  });
  expect(ofArktype.kind).toBe('Sample');
  expectTypeOf<ObjectOf<typeof ofArktype>['spec']['size']>().toEqualTypeOf<number>();
  expectTypeOf<ObjectOf<typeof ofArktype>['spec']['a']>().toEqualTypeOf<string | undefined>();
});

test('what the types refuse', () => {
  defineResource({
    ...names,
    schema,
    // @ts-expect-error -- the schema has no such field
    printerColumns: [{ name: 'X', type: 'integer', jsonPath: '.spec.sizes' }],
  });
  // @ts-expect-error -- valibot's own schemas give no JSON Schema
  defineResource({ ...names, schema: v.object({ spec: v.object({}) }) });
  // @ts-expect-error -- not an object
  defineResource({ ...names, schema: z.string() });
  // @ts-expect-error -- an interface and a schema
  defineResource<CustomResource>({ ...names, schema });
});
