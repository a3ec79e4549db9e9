import type { JSONSchemaProps } from '../../../kubernetes/crd/json-schema-props.ts';
import type { EngineType, ParserContext } from './types.ts';

/**
 * A type whose schema is known: a utility type, a built-in type, or a part of one. The engine sees what is inside when it needs it, so that
 * `PodSpec['containers']`, `Pick<PodSpec, …>` and `keyof PodSpec` mean what they say.
 *
 * @param id unique for the type
 * @param name for messages
 */
export function knownType(
  context: ParserContext,
  id: string,
  name: string,
  schema: JSONSchemaProps,
): EngineType {
  let inside: EngineType | undefined;
  return context.opaque(
    id,
    { kind: 'fixed', name, schema },
    () => (inside ??= insideOf(context, id, name, schema)),
  );
}

function insideOf(context: ParserContext, id: string, name: string, schema: JSONSchemaProps): EngineType {
  const { engine } = context;
  const part = (key: string, of: JSONSchemaProps): EngineType =>
    knownType(context, `${id}.${key}`, `${name}.${key}`, of);
  if (schema['x-kubernetes-int-or-string'] === true)
    return new engine.UnionType([new engine.NumberType(), new engine.StringType()]);
  switch (schema.type) {
    case 'string':
      return new engine.StringType();
    case 'boolean':
      return new engine.BooleanType();
    case 'integer':
    case 'number':
      return new engine.NumberType();
    case 'array':
      return new engine.ArrayType(part('items', schema.items ?? {}));
    case 'object': {
      const { properties = {}, required = [], additionalProperties: values } = schema;
      if (typeof values === 'object') return new engine.ObjectType(id, [], [], part('values', values));
      if (schema.properties === undefined) return new engine.AnyType();
      const fields = Object.entries(properties).map(
        ([key, of]) => new engine.ObjectProperty(key, part(key, of), required.includes(key)),
      );
      return new engine.ObjectType(id, [], fields, false);
    }
    case undefined:
    default:
      return new engine.AnyType();
  }
}
