import type { Reporter } from './reporter.ts';
import type { SchemaNode } from './schema-node.ts';
import type { Doc, Shape } from './shape.ts';
import type { TaggedFieldCollector } from './tagged-fields.ts';

/** Where a shape is converted. */
export interface Context {
  /** Converts a part. */
  readonly convert: (shape: Shape, context: Context) => SchemaNode;
  readonly reporter: Reporter;
  readonly fields: TaggedFieldCollector;
  /** The docs on the way from the kind to here, the outermost first. */
  readonly docTrail: readonly Doc[];
  /** The field's place in the object, for columns: undefined inside of lists and records. */
  readonly path: readonly string[] | undefined;
  /** Tags of the list or record around about its items or values: they count as the outermost docs. Default: nothing. */
  readonly inheritedDocs?: readonly Doc[];
}
