import { z } from 'zod';

export const schema = z.object({
  spec: z.object({
    byType: z.discriminatedUnion('type', [
      z.object({ type: z.literal('git'), url: z.string(), depth: z.int32().optional() }),
      z.object({ type: z.literal('oci'), image: z.string() }),
    ]),
    byField: z.union([z.object({ git: z.string() }), z.object({ http: z.string() })]).optional(),
    exclusive: z.xor([z.object({ a: z.string() }), z.object({ b: z.string() })]).nullable(),
    texts: z.union([z.literal('auto'), z.string().min(5)]),
    anyText: z.union([z.literal('auto'), z.string()]),
    numbers: z.union([z.int32(), z.int().min(10_000_000_000)]),
    literals: z.union([z.literal('a'), z.enum(['b', 'c']), z.null()]),
    flags: z.union([z.literal(true), z.literal(false)]),
  }),
});
