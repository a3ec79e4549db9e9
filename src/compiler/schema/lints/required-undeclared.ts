import type { Lint } from './node.ts';

/** Names that must be there although the API server drops them. */
export const requiredLint: Lint = ({ node: { schema } }) => {
  const { properties = {}, required = [], additionalProperties } = schema;
  if (schema['x-kubernetes-preserve-unknown-fields'] === true || additionalProperties !== undefined)
    return [];
  return required
    .filter((name) => !Object.hasOwn(properties, name))
    .map((name) => {
      const message = `${JSON.stringify(name)} is required, but the API server drops it: the schema has no such field`;
      const fix = ['declare the field', 'or keep unknown fields: `@preserveUnknownFields`'];
      return { problem: { code: 'schema/required-undeclared', message, fix } };
    });
};
