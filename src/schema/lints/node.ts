import type { JSONSchemaProps } from '../../crd/json-schema-props.ts';
import type { Problem } from '../shape.ts';

/** A part of a schema that the user wrote. */
export interface LintNode {
  readonly schema: JSONSchemaProps;
  /** The name of the field; undefined for the root, for items and for values. */
  readonly name: string | undefined;
  /** The parts around it, the root first. */
  readonly around: readonly JSONSchemaProps[];
}

/** Advice about a part; its message goes on behind the label of the part. */
export interface Advice {
  /** Another part than the one that was looked at. */
  readonly at?: JSONSchemaProps;
  readonly problem: Problem;
}

/** Looks at one part. */
export type Lint = (node: LintNode) => readonly Advice[];
