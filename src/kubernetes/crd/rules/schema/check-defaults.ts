import { defaultMisfit } from '../../value/misfit.ts';
import type { JsonValue } from '../../json-schema-props.ts';
import { hasDefault } from '../../has-default.ts';
import { structuralChildren } from './children.ts';
import type { Problem, Schema, WalkedPath } from './types.ts';

/**
 * Checks that the defaults of a schema fit it.
 * Source: apiextensions-apiserver `pkg/apiserver/schema/defaulting/validation.go`.
 * @param schema is well-formed
 */
export function checkDefaults(schema: Schema, path: WalkedPath, problem: Problem): void {
  if (hasDefault(schema)) {
    const reason = defaultMisfit(schema, schema['default'] as JsonValue);
    if (reason !== undefined) problem([...path, 'default'], `the default does not fit the schema: ${reason}`);
  }
  for (const [keys, child] of structuralChildren(schema)) {
    if (keys[0] === 'additionalProperties') continue;
    path.push(...keys);
    checkDefaults(child, path, problem);
    path.length -= keys.length;
  }
}
