import { z } from 'zod';

const checked = z.string().refine((text) => text !== 'x');

export const schema = z.object({
  spec: z.object({
    refined: checked,
    items: z.array(z.object({ a: z.string() }).refine(() => true)),
    values: z.record(z.string(), z.string().trim()),
    transformed: z.string().transform(Number),
    piped: z.string().pipe(z.string().min(1)),
    preprocessed: z.preprocess(Number, z.int()),
    coerced: z.coerce.number(),
    caught: z.int().catch(3),
    flags: z.string().regex(/a/i),
    lower: z.string().toLowerCase(),
    custom: z.custom<string>(() => true),
    date: z.date(),
    big: z.bigint(),
    map: z.map(z.string(), z.string()),
    set: z.set(z.string()),
    url: z.url({ hostname: /^example\.com$/ }),
    jwt: z.jwt(),
    multiples: z.int().multipleOf(2).multipleOf(3),
    union: z.union([z.string(), z.string().refine(() => true)]),
  }),
});
