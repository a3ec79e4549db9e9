import { z } from 'zod';

// Parts that a registry names are references in the JSON Schema.
const Named = z.object({ name: z.string() }).meta({ id: 'Named' });
const Sized = z.object({ size: z.int32() }).and(Named).meta({ id: 'Sized' });

export const schema = z.object({
  spec: z.object({
    twice: z.intersection(Named, Named),
    below: Named.and(Sized),
    around: Sized.and(Named).and(Sized),
  }),
});
