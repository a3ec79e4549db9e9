import { z } from 'zod';

export const schema = z.object({
  metadata: z.object({ name: z.string() }),
  spec: z.object({
    json: z.json(),
    tuple: z.tuple([z.string(), z.int32()]),
    mixed: z.union([z.string(), z.boolean()]),
    choice: z.union([z.int32(), z.literal('auto')]),
    clash: z.union([z.object({ a: z.string() }), z.object({ a: z.int32(), b: z.string() })]),
    same: z.union([z.object({ a: z.string().optional() }), z.object({ b: z.string().optional() })]),
    keys: z.record(z.string().regex(/^a/), z.string()),
    catchall: z.object({ a: z.string() }).catchall(z.int32()),
    lookBehind: z.string().regex(/(?<!a)b/),
    duration: z.iso.duration(),
    literals: z.literal(['a', 1]),
    nothing: z.null(),
    both: z.intersection(z.object({ a: z.string() }), z.object({ a: z.int32() })),
    keyword: z.string().meta({ if: {} }),
  }),
});
