import { z } from 'zod';

export const schema = z.object({
  spec: z.object({
    list: z.array(z.object({ a: z.string().optional() })).meta({
      'x-kubernetes-list-type': 'map',
      'x-kubernetes-list-map-keys': ['a'],
    }),
    fallback: z.string().meta({ default: 3 }),
    rule: z.string().meta({ 'x-kubernetes-validations': [{ rule: 'self.(' }] }),
    kept: z.object({}).meta({ 'x-kubernetes-preserve-unknown-fields': false }),
  }),
});
