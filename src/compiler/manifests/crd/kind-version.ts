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

/** The paths of a scale subresource, each where it was said. */
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
  /** It comes from `defineConversion`: the operator serves it, and its CA is brought by what brings its certificate. Default: false. */
  readonly isDeclared?: boolean;
}

/** Parts that all versions of a kind share without having to declare them: undefined where a version does not. */
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
  /** The lists that are declared without anything in them: so they are written. */
  readonly emptyLists: ReadonlySet<string>;
  readonly columns: readonly ColumnDeclaration[];
  readonly served: boolean;
  /** Undefined if the declaration does not say. */
  readonly storage: Placed<boolean> | undefined;
  /** A text is the warning of every answer. */
  readonly deprecated: boolean | string;
  /** Where that is said. */
  readonly deprecatedAt: SourcePlace | undefined;
  /** True if there is a status subresource; undefined if the declaration does not say. */
  readonly status: Placed<boolean> | undefined;
  /** Write `subresources` even if there are none. */
  readonly emptySubresources: boolean;
  readonly scale: ScalePaths | undefined;
  /** Undefined if the declaration does not say. */
  readonly selectableFields: Placed<readonly Placed<string>[]> | undefined;
  readonly standardFields: StandardFields;
  /** Rules for the whole object beside those of tags. */
  readonly cel: readonly Placed<ValidationRule>[];
  /** The call. */
  readonly place: SourcePlace;
}

/** A kind in one version together with the schema of its interface, what its tags say included. */
export interface KindWithSchema extends KindVersion {
  readonly schema: JSONSchemaProps;
}

/** A declaration with its schema, and what its author allows. */
export interface DeclaredVersion extends KindWithSchema {
  /** Only if places were asked for: see `GeneratedSchema`. */
  readonly placeOf: GeneratedSchema['placeOf'];
  /** Descriptors of its fields for user interfaces; none if the interface was not read. */
  readonly descriptors?: Omit<KindDescriptors, 'tags'>;
  readonly allows: ResourceAllows;
  /** True if nothing was wrong with the interface: against an incomplete schema, paths would lead nowhere for no fault of theirs. */
  readonly hasSchema: boolean;
}
