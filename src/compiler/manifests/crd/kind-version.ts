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

/** A printer column whose form is checked, but not yet its path and type against the schema. */
export interface ColumnDeclaration {
  readonly name: string;
  readonly type: string;
  readonly jsonPath: Placed<string>;
  readonly description?: string;
  readonly format?: string;
  readonly priority?: number;
  /** Places of the properties, if the column was declared in an object. */
  readonly parts?: ReadonlyMap<string, SourcePlace>;
  readonly place: SourcePlace;
}

/** The paths of a scale subresource, each with its place. */
export interface ScalePaths {
  readonly spec?: Placed<string>;
  readonly status?: Placed<string>;
  readonly selector?: Placed<string>;
}

/** A value and the places of its parts. Keys are the paths of the parts in the value. */
export interface PlacedParts<T> extends Placed<T> {
  readonly parts: ReadonlyMap<string, SourcePlace>;
}

/** Conversion settings of a kind, the same for all its versions. */
interface SharedConversion extends PlacedParts<ManifestDocument> {
  /**
   * True if the conversion comes from `defineConversion`. The operator then serves the conversion webhook, and the component that provides
   * the webhook's certificate also injects its CA. Default: false.
   */
  readonly isDeclared?: boolean;
}

/**
 * Settings that apply to all versions of a kind, even if only one version declares them. Undefined in a version that does not declare them.
 */
export interface SharedParts {
  /** `spec.conversion` in the form in which the CRD contains it. */
  readonly conversion: SharedConversion | undefined;
  readonly labels: PlacedParts<Readonly<Record<string, string>>> | undefined;
  readonly annotations: PlacedParts<Readonly<Record<string, string>>> | undefined;
  readonly versionOrder: Placed<readonly Placed<string>[]> | undefined;
}

/** One call of `defineResource`. Its argument is read, and each part is checked separately. */
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
  /** Names of the lists that the author declares as `[]`; the CRD then contains them as empty lists. */
  readonly emptyLists: ReadonlySet<string>;
  readonly columns: readonly ColumnDeclaration[];
  readonly served: boolean;
  /** Undefined if the author does not declare `storage`. */
  readonly storage: Placed<boolean> | undefined;
  /** True if the version is deprecated. A string is also the warning text that the API server adds to every response. */
  readonly deprecated: boolean | string;
  /** Place of the `deprecated` setting. */
  readonly deprecatedAt: SourcePlace | undefined;
  /** True if the kind has a status subresource; undefined if the author does not declare it. */
  readonly status: Placed<boolean> | undefined;
  /** True if the CRD contains `subresources` even if it is empty. */
  readonly emptySubresources: boolean;
  readonly scale: ScalePaths | undefined;
  /** Undefined if the author does not declare selectable fields. */
  readonly selectableFields: Placed<readonly Placed<string>[]> | undefined;
  readonly standardFields: StandardFields;
  /** CEL rules of `defineResource` for the entire object, without those from tags. */
  readonly cel: readonly Placed<ValidationRule>[];
  /** Place of the `defineResource` call. */
  readonly place: SourcePlace;
}

/** One version of a kind with the schema of its interface. The schema includes the effects of tags. */
export interface KindWithSchema extends KindVersion {
  readonly schema: JSONSchemaProps;
}

/** A declared version with its schema and the warnings that its author allows. */
export interface DeclaredVersion extends KindWithSchema {
  /** Returns the place of a part of the schema. Set only if places were requested; see `GeneratedSchema`. */
  readonly placeOf: GeneratedSchema['placeOf'];
  /** Descriptors of the kind's fields for user interfaces; undefined if the interface was not read. */
  readonly descriptors?: Omit<KindDescriptors, 'tags'>;
  readonly allows: ResourceAllows;
  /**
   * True if the interface has no findings. If false, the schema is incomplete, and checks of paths would report correct paths as missing.
   */
  readonly hasSchema: boolean;
}
