import type { JSONSchemaProps } from '../../kubernetes/crd/json-schema-props.ts';
import type { NodeKind } from './schema-node.ts';
import type { Problem } from './shape.ts';

/**
 * Finds parts that come from the type and that tags have replaced, so that the type would be wrong about them.
 *
 * @param before the parts before the tags
 * @param label the field, for messages
 */
export function replacedParts(
  { isUnion, isTemplate }: Pick<NodeKind, 'isUnion' | 'isTemplate'>,
  schema: JSONSchemaProps,
  before: Pick<JSONSchemaProps, 'oneOf' | 'pattern'>,
  label: string,
): Problem[] {
  const problems: Problem[] = [];
  if (isUnion === true && schema.oneOf !== before.oneOf) {
    problems.push({
      code: 'schema/object-union',
      message: `${label}: this tag would overwrite the union's oneOf`,
      fix: ['write the rest as a `@cel` rule, or in `@allOf`'],
    });
  }
  if (isTemplate === true && schema.pattern !== before.pattern) {
    problems.push({
      code: 'schema/pattern',
      message: `${label}: this tag would overwrite the pattern of the template literal type`,
      fix: ['use string with the whole pattern', 'or write the rest as `@allOf [{"pattern": "…"}]`'],
    });
  }
  return problems;
}
