import type { JSONSchemaProps, SourcePlace } from '../../schema/index.ts';
import type { Placed } from '../read-value.ts';

/** A printer column, checked for its form but not yet against the schema. */
export interface ColumnDeclaration {
  readonly name: string;
  readonly type: string;
  readonly jsonPath: Placed<string>;
  readonly description?: string;
  readonly format?: string;
  readonly priority?: number;
  readonly place: SourcePlace;
}

/** One call of `defineResource`, its argument read and each part checked for itself. */
export interface KindVersion {
  readonly group: Placed<string>;
  readonly version: Placed<string>;
  readonly kind: Placed<string>;
  readonly scope: Placed<'Namespaced' | 'Cluster'>;
  readonly plural: Placed<string>;
  readonly singular: Placed<string>;
  readonly listKind: Placed<string>;
  readonly shortNames: readonly Placed<string>[];
  readonly categories: readonly Placed<string>[];
  readonly columns: readonly ColumnDeclaration[];
  readonly served: boolean;
  /** Undefined if the declaration does not say. */
  readonly storage: Placed<boolean> | undefined;
  /** The call. */
  readonly place: SourcePlace;
}

/** A kind in one version together with the schema of its interface. */
export interface KindWithSchema extends KindVersion {
  readonly schema: JSONSchemaProps;
}
