import {
  checkSchema as checkAsApiServer,
  type Problem,
  type Schema,
} from '../../../crd/rules/schema/index.ts';
import { fieldName } from '../fields.ts';
import type { FieldPath, PlacedDocument, Report } from '../types.ts';

/** Whose schema is checked. */
export interface SchemaOwner {
  readonly crd: PlacedDocument;
  readonly version: string;
  readonly hasStatus: boolean;
}

/** A schema as the API server demands it. */
export function checkSchema(schema: Schema, path: FieldPath, owner: SchemaOwner, report: Report): void {
  const { crd, version, hasStatus } = owner;
  const depth = path.length;
  const problem: Problem = (at, message) => {
    const inside = at.slice(depth);
    const where =
      inside.length === 0 ? `the schema of ${version}` : `the schema of ${version}, at ${fieldName(inside)}`;
    const fix = 'correct the schema; generated ones are changed in their sources';
    report.error('bundle/crd-schema', [crd, at], `${where}: ${message}`, fix);
  };
  warnOfUnknown(checkAsApiServer(schema, { path, hasStatus, problem }), owner, report);
}

/** One warning for each unknown field, however often it is there. */
function warnOfUnknown(unknown: readonly FieldPath[], { crd, version }: SchemaOwner, { warn }: Report): void {
  const byName = new Map<string, FieldPath[]>();
  for (const path of unknown) {
    const name = String(path.at(-1));
    byName.set(name, [...(byName.get(name) ?? []), path]);
  }
  for (const [name, [first = [], ...more]] of byName) {
    const often = more.length === 0 ? '' : `, here and at ${more.length} more places`;
    const message = `the schema of ${version} has a field ${name}, which the API server drops${often}`;
    warn('bundle/unknown-schema-field', [crd, first], message, 'remove it, or correct its name');
  }
}
