import type { JsonMap } from '../../../../base/util/json-map.ts';

/** A schema of a CustomResourceDefinition (`JSONSchemaProps`), once its fields are known to have the right types. */
export type Schema = JsonMap;

/** The keys that lead to a part of a schema. */
export type SchemaPath = readonly (string | number)[];

/**
 * Says what is wrong, and where.
 *
 * @param path begins as the path of the schema that is checked
 * @param owner the path of the schema whose word is broken, where that is not the one at the path: the list whose items do not fit
 */
export type Problem = (path: SchemaPath, message: string, owner?: SchemaPath) => void;

/**
 * A path that grows on the way down and shrinks on the way up: schemas have thousands of parts, and few of them problems. Who keeps one
 * copies it.
 */
export type WalkedPath = (string | number)[];

/** A schema inside of another one, and the keys that lead to it. */
export type Child = readonly [keys: SchemaPath, schema: Schema];
