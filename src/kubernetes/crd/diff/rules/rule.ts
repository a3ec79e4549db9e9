import type { Report } from '../change.ts';
import type { Schema } from '../schema-node.ts';

/** A node that both schemas have. */
export interface NodePair {
  readonly old: Schema;
  readonly new: Schema;
  /** True if a list or an object around it is one value for server-side apply, in both schemas: nothing below is merged then. */
  readonly isInsideAtomic: boolean;
  /** True if a node around it has CEL rules, in either schema. */
  readonly isInsideRules: boolean;
}

/** Compares one concern of a node. Where the node is, and what is below it, is not its business. */
export interface Rule {
  /** The keywords whose differences it judges. Every keyword belongs to a rule, or to the walk through the schema. */
  readonly keywords: readonly string[];
  compare(pair: NodePair, report: Report): void;
}
