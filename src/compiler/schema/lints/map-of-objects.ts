import type { Lint } from './node.ts';

/** Maps whose values are objects with fields. Source: the API conventions of Kubernetes, "Lists of named subobjects preferred over maps". */
export const mapLint: Lint = ({ node: { schema } }) => {
  const { additionalProperties: values } = schema;
  const hasFields = typeof values === 'object' && Object.keys(values.properties ?? {}).length > 0;
  if (!hasFields) return [];
  const message = 'a map of objects, where the API conventions ask for a list of named objects';
  const fix = ["make it ListMap<T, 'name'> with the field `name: string` in T"];
  return [{ problem: { code: 'schema/map-of-objects', message, fix } }];
};
