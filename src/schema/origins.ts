import type { JSONSchemaProps } from '../crd/json-schema-props.ts';
import type { Doc } from './shape.ts';

/** Where a part of a generated schema comes from. What a table or a `@k8s` tag gives as a whole has one origin, that of its outermost part. */
export interface Origin {
  /** For messages: the field, or the type where there is none. */
  readonly label: string;
  /** The docs on the way from the kind to here, the outermost first. */
  readonly near: readonly Doc[];
  /** The docs whose tags have made this part: the field's, those of its type, those of base interfaces. */
  readonly docs: readonly Doc[];
  /** False if a part of it could not be expressed, which has been reported. */
  readonly isComplete: boolean;
}

export type Origins = ReadonlyMap<JSONSchemaProps, Origin>;
