import { toStandardJsonSchema } from '@valibot/to-json-schema';
import * as v from 'valibot';

export const schema = toStandardJsonSchema(
  v.object({
    spec: v.object({
      size: v.optional(
        v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(5), v.description('Number of pods.')),
        1,
      ),
      image: v.pipe(v.string(), v.minLength(1)),
      mode: v.optional(v.picklist(['Recreate', 'RollingUpdate'])),
      note: v.nullish(v.string()),
      source: v.variant('type', [
        v.object({ type: v.literal('git'), url: v.string() }),
        v.object({ type: v.literal('oci'), image: v.string() }),
      ]),
      labels: v.optional(v.record(v.string(), v.string())),
      percent: v.optional(v.union([v.pipe(v.number(), v.integer()), v.string()])),
      open: v.optional(v.looseObject({ name: v.string() })),
      closed: v.optional(v.strictObject({ name: v.string() })),
      mail: v.optional(v.pipe(v.string(), v.regex(/^[a-z]+@[a-z.]+$/))),
      tags: v.optional(
        v.pipe(v.array(v.string()), v.maxLength(3), v.metadata({ 'x-kubernetes-list-type': 'set' })),
      ),
    }),
    status: v.optional(v.object({ ready: v.optional(v.pipe(v.number(), v.integer())) })),
  }),
);
