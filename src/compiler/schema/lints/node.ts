import type { SchemaNode } from '../schema-node.ts';
import type { Problem } from '../shape.ts';

/** A part of a schema that the user wrote. */
export interface LintNode {
  readonly node: SchemaNode;
  /** The name of the field; undefined for the root, for items and for values. */
  readonly name: string | undefined;
  /** The parts around it, the root first. */
  readonly around: readonly SchemaNode[];
}

/** Advice about a part; its message goes on behind the label of the part. */
export interface Advice {
  /** Another part than the one that was looked at. */
  readonly at?: SchemaNode;
  readonly problem: Problem;
}

/** Looks at one part. */
export type Lint = (node: LintNode) => readonly Advice[];
