import type {
  JSONSchemaProps,
  SourcePlace,
  StandardFields,
  ValidationRule,
  GeneratedSchema,
  KindDescriptors,
  ResourceAllows,
} from '../../schema/index.ts';
import type { Placed, ManifestDocument } from '../declaration.ts';

/** A printer column, checked for its form but not yet against the schema. */
export interface ColumnDeclaration {
  readonly name: string;
  readonly type: string;
  readonly jsonPath: Placed<string>;
  readonly description?: string;
  readonly format?: string;
  readonly priority?: number;
  /** The places of the properties, if it was declared in an object. */
  readonly parts?: ReadonlyMap<string, SourcePlace>;
  readonly place: SourcePlace;
}

/** The paths of a scale subresource, each with its place. */
export interface ScalePaths {
  readonly spec?: Placed<string>;
  readonly status?: Placed<string>;
  readonly selector?: Placed<string>;
}

/** A value and the places of its parts, by their paths in the value. */
export interface PlacedParts<T> extends Placed<T> {
  readonly parts: ReadonlyMap<string, SourcePlace>;
}

/** The conversion of a kind. */
interface SharedConversion extends PlacedParts<ManifestDocument> {
  /**
   * True if it comes from `defineConversion`: the operator serves it, and the component that provides its certificate also injects its CA.
   * Default: false.
   */
  readonly isDeclared?: boolean;
}

/** Parts that apply to all versions of a kind, even if only one declares them; undefined in a version that does not. */
export interface SharedParts {
  /** `spec.conversion` as it is written into the CRD. */
  readonly conversion: SharedConversion | undefined;
  readonly labels: PlacedParts<Readonly<Record<string, string>>> | undefined;
  readonly annotations: PlacedParts<Readonly<Record<string, string>>> | undefined;
  readonly versionOrder: Placed<readonly Placed<string>[]> | undefined;
}

/** One call of `defineResource`, its argument read and each part checked for itself. */
export interface KindVersion extends SharedParts {
  readonly group: Placed<string>;
  readonly version: Placed<string>;
  readonly kind: Placed<string>;
  readonly scope: Placed<'Namespaced' | 'Cluster'>;
  readonly plural: Placed<string>;
  readonly singular: Placed<string>;
  readonly listKind: Placed<string>;
  readonly shortNames: readonly Placed<string>[];
  readonly categories: readonly Placed<string>[];
  /** Lists that are declared empty and therefore written. */
  readonly emptyLists: ReadonlySet<string>;
  readonly columns: readonly ColumnDeclaration[];
  readonly served: boolean;
  /** Undefined if not declared. */
  readonly storage: Placed<boolean> | undefined;
  /** A text is the warning in every response. */
  readonly deprecated: boolean | string;
  /** Place of the deprecation. */
  readonly deprecatedAt: SourcePlace | undefined;
  /** True if there is a status subresource; undefined if not declared. */
  readonly status: Placed<boolean> | undefined;
  /** Write `subresources` even if there are none. */
  readonly emptySubresources: boolean;
  readonly scale: ScalePaths | undefined;
  /** Undefined if not declared. */
  readonly selectableFields: Placed<readonly Placed<string>[]> | undefined;
  readonly standardFields: StandardFields;
  /** Rules for the whole object beside those of tags. */
  readonly cel: readonly Placed<ValidationRule>[];
  /** Place of the call. */
  readonly place: SourcePlace;
}

/** A kind in one version with the schema of its interface, including the effects of its tags. */
export interface KindWithSchema extends KindVersion {
  readonly schema: JSONSchemaProps;
}

/** A declaration with its schema and the warnings that its author allows. */
export interface DeclaredVersion extends KindWithSchema {
  /** Set only if places were requested: see `GeneratedSchema`. */
  readonly placeOf: GeneratedSchema['placeOf'];
  /** Descriptors of its fields for user interfaces; none if the interface was not read. */
  readonly descriptors?: Omit<KindDescriptors, 'tags'>;
  readonly allows: ResourceAllows;
  /** True if the interface has no findings. In an incomplete schema, correct paths would lead nowhere. */
  readonly hasSchema: boolean;
}
