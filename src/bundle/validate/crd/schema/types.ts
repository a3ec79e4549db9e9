import type { JsonMap } from '../../../json.ts';
import type { FieldPath } from '../../types.ts';

/** A schema of a CustomResourceDefinition (`JSONSchemaProps`), once its fields are known to have the right types. */
export type Schema = JsonMap;

/** Says what is wrong, and where: the path begins at the root of the CustomResourceDefinition. */
export type Problem = (path: FieldPath, message: string) => void;

/** A schema inside of another one, and the keys that lead to it. */
export type Child = readonly [keys: FieldPath, schema: Schema];
