import type { JSONSchemaProps } from '../../kubernetes/crd/json-schema-props.ts';
import { labelOf, toField } from './doc-trail.ts';
import type { Reporter } from './reporter.ts';
import type { Doc, Shape } from './shape.ts';

/**
 * Null beside an enumeration: a type that says so would be wrong about what it can hold; the tag alone is merely useless, and real CRDs have
 * it. Measured with kube-apiserver 1.36.
 */
export function checkNullableEnum(
  reporter: Reporter,
  schema: JSONSchemaProps,
  { nullable }: Shape,
  docTrail: readonly Doc[],
): void {
  if (schema.nullable !== true || schema.enum === undefined) return;
  const message = `${labelOf(docTrail)}: the API server refuses null where there is an enumeration, nullable or not`;
  if (nullable) reporter.error({ code: 'schema/nullable-enum', message, fix: fixes }, toField(docTrail));
  else
    reporter.warn({ code: 'schema/nullable-enum-tag', message, fix: ['remove the tag'] }, toField(docTrail));
}

const fixes = [
  "make the field optional instead: `name?: 'a' | 'b'`",
  'or add a literal that stands for no value',
  'or write `string | null` with `@anyOf [{"enum": ["a", "b"]}]`, which the API server does not ask about null',
];
