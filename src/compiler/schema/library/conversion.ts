import type { FindingCode } from '../../../base/errors/index.ts';
import type { JsonValue, JSONSchemaProps } from '../../../kubernetes/crd/json-schema-props.ts';
import type { SchemaNode } from '../schema-node.ts';
import type { Doc } from '../shape.ts';
import type { JsonSchema } from './json-schema.ts';

/** A part of a JSON Schema where it is converted. */
export interface Part {
  readonly given: JsonValue | undefined;
  /** The fields on the way; `[]` for items, `{}` for values. */
  readonly path: readonly string[];
  /** The docs on the way, that of the part last. */
  readonly docTrail: readonly Doc[];
  readonly references: readonly string[];
}

/** Context of a conversion as a whole that the conversion of a part needs. */
export interface Conversion {
  readonly root: JsonSchema;
  convert(part: Part): SchemaNode;
  /** The part inside of another one, at a step of its path. */
  inside(
    part: Pick<Part, 'path' | 'docTrail' | 'references'>,
    step: string,
    given: JsonValue | undefined,
  ): Part;
  /** Reports what cannot be expressed. The schema is then incomplete. */
  refuse(part: Pick<Part, 'docTrail'>, code: FindingCode, message: string, fix: string): void;
  warn(part: Pick<Part, 'docTrail'>, code: FindingCode, message: string, fix: string): void;
}

/** Conversion of a part for one kind of value: its schema, and the nodes inside of it. */
export interface ConvertedValue {
  readonly schema: JSONSchemaProps;
  readonly parts?: SchemaNode['parts'];
  readonly isUnion?: boolean;
}
