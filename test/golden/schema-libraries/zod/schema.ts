import { z } from 'zod';

const port = z.object({ name: z.string().min(1), port: z.int32().min(1).max(65_535) });

export const schema = z
  .object({
    spec: z
      .object({
        size: z.int32().min(1).default(1).describe('Number of pods.'),
        replicas: z.int32(),
        bytes: z.int().nonnegative(),
        ratio: z.number().gt(0).lt(1).optional(),
        float: z.float32().optional(),
        double: z.float64().optional(),
        mode: z.enum(['Recreate', 'RollingUpdate']).default('Recreate'),
        level: z.literal([1, 2, 3]).optional(),
        always: z.literal(true).optional(),
        note: z.string().max(100).nullable(),
        nullableMode: z.enum(['a', 'b']).nullish(),
        percent: z.union([z.int32().min(0), z.string().regex(/^\d+%$/)]).optional(),
        ports: z
          .array(port)
          .max(10)
          .meta({ 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': ['name'] })
          .optional(),
        labels: z.record(z.string(), z.string()).optional(),
        perZone: z.record(z.enum(['a', 'b']), z.int32()).optional(),
        somePerZone: z.partialRecord(z.enum(['a', 'b']), z.int32()).optional(),
        values: z.record(z.string(), z.unknown()).optional(),
        anything: z.unknown(),
        open: z.looseObject({ name: z.string() }).optional(),
        closed: z.strictObject({ name: z.string() }).optional(),
        both: z.intersection(z.object({ a: z.int32() }), z.object({ b: z.string() })).optional(),
        twice: z.string().regex(/^a/).regex(/b$/).optional(),
        template: z.templateLiteral(['v', z.int()]).optional(),
        email: z.email().optional(),
        host: z.hostname().optional(),
        url: z.url().optional(),
        at: z.iso.datetime().optional(),
        key: z.base64().optional(),
        uuid: z.uuid().optional(),
        frozen: z.array(z.string()).readonly().optional(),
        titled: z
          .string()
          .meta({ id: 'Titled', title: 'A title', examples: ['x', 'y'], deprecated: true })
          .optional(),
        lazy: z.lazy(() => port).optional(),
      })
      .meta({ 'x-kubernetes-validations': [{ rule: 'self.size <= self.replicas', message: 'too large' }] }),
    status: z.object({ ready: z.int32().optional() }).optional(),
  })
  .describe('A sample of zod.');
