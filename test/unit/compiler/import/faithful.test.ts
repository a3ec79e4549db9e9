import fc from 'fast-check';
import { expect, it } from 'vitest';
import { runs } from '../../../helpers/thorough.ts';
import { verifyImports } from '../../../helpers/verify-imports.ts';
import { anySchema } from './arbitrary-schemas.ts';
import { crdOf, imported } from './crd-fixture.ts';

// Many schemas in a run, since a run of the compiler costs more than they do. A failure is not made smaller: the message names the
// schema's path, and each smaller one would be a run, too.
it('any schema comes back from TypeScript as it was', () => {
  fc.assert(
    fc.property(fc.array(anySchema, { minLength: runs(30), maxLength: runs(60) }), (specs) => {
      const imports = specs.map((spec, index) => {
        const properties = { spec, other: spec, list: { type: 'array', items: spec } };
        return imported(crdOf({ type: 'object', properties }, index));
      });
      const messages = [...verifyImports(imports).values()].flat().map(({ message }) => message);
      expect(messages).toEqual([]);
    }),
    { numRuns: 2, endOnFailure: true },
  );
}, 120_000);
