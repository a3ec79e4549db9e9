import { jsonTextOf, type JsonMap } from '../../../base/util/json-map.ts';
import { fieldOfKeys } from '../field-of-keys.ts';
import { checkForms } from './schema/check-forms.ts';
import { checkSchemaRules } from './schema/index.ts';
import type { FieldPath, Violation } from './violation.ts';

const fix = 'correct the schema; a generated one is changed in its sources';

/** Checks the schema of a version, whose form is valid, as the API server does. */
export function checkVersionSchema(
  schema: JsonMap,
  version: { readonly name: string; readonly hasStatus: boolean },
  path: FieldPath,
): readonly Violation[] {
  const found: Violation[] = [];
  checkSchemaRules(schema, {
    path,
    hasStatus: version.hasStatus,
    problem(at, message) {
      const ofRule = at.includes('x-kubernetes-validations');
      found.push({
        path: at,
        code: ofRule ? 'crd/cel-rule' : 'crd/schema',
        message: `${placeIn(version.name, at, path)}: ${message}`,
        fix: ofRule ? 'correct the rule as the message says' : fix,
      });
    },
  });
  return found;
}

/** Reports what cannot be decoded as a schema, and one warning for each field that the API server drops, however often it is there. */
export function checkSchemaForm(schema: JsonMap, name: string, path: FieldPath): readonly Violation[] {
  const found: Violation[] = [];
  const unknown = checkForms(schema, path, (at, message) =>
    found.push({ path: at, code: 'crd/form', message: `${placeIn(name, at, path)}: ${message}`, fix }),
  );
  const byName = new Map<string, FieldPath[]>();
  for (const at of unknown) {
    const keyword = jsonTextOf(at.at(-1));
    byName.set(keyword, [...(byName.get(keyword) ?? []), at]);
  }
  for (const [keyword, [first = [], ...more]] of byName) {
    const often = more.length === 0 ? '' : `, here and at ${more.length} more places`;
    found.push({
      path: first,
      code: 'crd/unknown-field',
      message: `the schema of ${name} has the field ${keyword}, which the API server drops${often}`,
      fix: 'remove it, or correct its name',
    });
  }
  return found;
}

function placeIn(version: string, at: FieldPath, path: FieldPath): string {
  const field = fieldOfKeys(at.slice(path.length));
  return field === '.' ? `the schema of ${version}` : `the schema of ${version}, ${field}`;
}
