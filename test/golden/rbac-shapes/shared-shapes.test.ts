import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, test } from 'vitest';
import { inferFolder } from './infer-shapes.ts';

const folder = fileURLToPath(new URL('../../../../shared/data/rbac-shapes', import.meta.url));
const isThere = existsSync(folder);

interface Expected {
  readonly rules?: string;
  readonly error?: boolean;
  readonly in?: string;
}

/** What the compiler refuses; generating does not run it. */
const ofCompiler = ['38-role-as-clusterrole', '55-let-widened', '70-object-of-other'];

/** The rule of a controller for Events of failures, which the shapes do not expect. */
const failureEvents = 'events:create,patch ';

/** Shapes that have a call beside the error. */
const besideErrors: Readonly<Record<string, string>> = { '52-unresolved-import': 'pods:delete' };

describe.skipIf(!isThere)(
  `call shapes of others${isThere ? '' : ' (skipped: ../shared is not there)'}`,
  () => {
    const shapes = isThere ? inferFolder(folder) : undefined;
    afterAll(() => shapes?.remove());
    const expected = isThere
      ? (JSON.parse(readFileSync(join(folder, 'expect.json'), 'utf8')) as Record<string, Expected>)
      : {};

    test.each(Object.entries(expected))('%s', (name, { rules = '', error = false, in: file }) => {
      const at = file ?? `src/s/${name}.ts`;
      const found = shapes?.of(at) ?? { rules: '', errors: [] };
      if (ofCompiler.includes(name)) {
        const source = shapes?.program.program.getSourceFiles().find(({ fileName }) => fileName.endsWith(at));
        expect(shapes?.program.program.getSemanticDiagnostics(source)).not.toEqual([]);
      } else if (error) {
        expect(found.errors).not.toEqual([]);
        expect(found.rules).toBe(besideErrors[name] ?? '');
      } else
        expect({ ...found, rules: found.rules.replace(failureEvents, '') }).toEqual({ rules, errors: [] });
    });
  },
);
