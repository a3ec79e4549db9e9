import type { CustomResource } from './meta.ts';
import type { SchemaObject, StandardJsonSchema, FieldPath, JsonPath, ScalarPath } from './standard-schema.ts';
import { defaultPlural } from '../../base/util/kubernetes-words.ts';
import { type GroupOf, type Resource, type VersionOf, externalResource } from './resource.ts';

/** A column of `kubectl get`. Source: CRD v1 `additionalPrinterColumns`. */
export interface PrinterColumn<T> {
  /** The heading of the column, such as `Size`; kubectl shows it in capitals. */
  readonly name: string;
  /** The OpenAPI type of the value. A `date` is shown as the time that has passed since that date. */
  readonly type: 'integer' | 'number' | 'string' | 'boolean' | 'date';
  /**
   * Path of the value, relative to the object, such as `.spec.size`. The compiler checks the path against the object type, and editors
   * complete it.
   */
  readonly jsonPath: JsonPath<T>;
  /** Description of the column, for readers of the CRD. */
  readonly description?: string;
  /** An OpenAPI format of the type, such as `int32` or `date-time`. */
  readonly format?: string;
  /** Priority of the column. A column with priority 0 (the default) is always shown, one with a greater priority only with `-o wide`. */
  readonly priority?: number;
}

/**
 * The fields that `kubectl scale` and autoscalers read and write: `subresources.scale`. Paths are dotted, without brackets. Equivalent to
 * the tags `@scale spec`, `@scale status` and `@scale selector` on the fields.
 */
export interface ScaleSubresource<T> {
  /** Path of the integer below `.spec` that holds the wanted number of replicas: `specReplicasPath`. */
  readonly spec: FieldPath<Pick<T, Extract<keyof T, 'spec'>>, number>;
  /** Path of the integer below `.status` that holds the observed number of replicas: `statusReplicasPath`. */
  readonly status: FieldPath<Pick<T, Extract<keyof T, 'status'>>, number>;
  /**
   * Path of the string below `.status` or `.spec` that holds the label selector of the pods: `labelSelectorPath`. HorizontalPodAutoscaler
   * needs this path.
   */
  readonly selector?: FieldPath<Pick<T, Extract<keyof T, 'spec' | 'status'>>, string>;
}

/** Address of the webhook that converts objects between versions. Set exactly one of `service` and `url`. */
export interface ConversionClientConfig {
  /** A Service in the cluster, called over HTTPS. */
  readonly service?: {
    readonly namespace: string;
    readonly name: string;
    /** Path of the webhook on the Service. It starts with a slash. */
    readonly path?: string;
    /** Port of the Service. Default: 443. */
    readonly port?: number;
  };
  /** URL in the form `https://host[:port]/path`, for a webhook outside of the cluster. */
  readonly url?: string;
  /**
   * Certificates of the authorities to trust, in PEM encoded as base64. Omit `caBundle` if cert-manager or the operator itself writes this
   * field.
   */
  readonly caBundle?: string;
}

/** Conversion of objects of one version to another. Source: CRD v1 `spec.conversion`. */
export type Conversion =
  /** Changes only the `apiVersion` of an object; suitable for versions with the same schema. */
  | { readonly strategy: 'None' }
  | {
      readonly strategy: 'Webhook';
      readonly clientConfig: ConversionClientConfig;
      /** The versions of ConversionReview that the webhook accepts, in order of preference, such as `['v1']`. */
      readonly conversionReviewVersions: readonly string[];
    };

/** A CEL rule. Source: CRD v1 `x-kubernetes-validations`. */
export interface CelRule {
  /** The CEL expression that must be true; `self` is the object. */
  readonly rule: string;
  /** Message shown when the rule is false. Default: the rule itself. */
  readonly message?: string;
  /** CEL expression that returns the message. */
  readonly messageExpression?: string;
  /** Machine-readable reason for refusing an object that violates the rule. Default: `FieldValueInvalid`. */
  readonly reason?:
    'FieldValueInvalid' | 'FieldValueForbidden' | 'FieldValueRequired' | 'FieldValueDuplicate';
  /** Path of the field to which the message refers, relative to the object, such as `.spec.size`. */
  readonly fieldPath?: string;
  /** True to evaluate a rule that uses `oldSelf` when an object is created, too. */
  readonly optionalOldSelf?: boolean;
}

/** Schema of one of the fields `apiVersion`, `kind` and `metadata`. The schema is written exactly as given; `{}` declares only the type. */
export interface StandardField {
  /** The description in the schema. Default: none. */
  readonly description?: string;
  /** True to list the field among the required fields of the object. Default: false, because every request contains the field anyway. */
  readonly required?: boolean;
}

/**
 * Choice between equivalent spellings of a CustomResourceDefinition. `op-sdk import crd` writes this option if the imported definition
 * differs from the one that op-sdk generates.
 */
export interface DefinitionForm {
  /** `{}` writes `subresources: {}` if the version has no subresources, which is equivalent to omitting the field. */
  readonly subresources?: Readonly<Record<string, never>>;
  /**
   * Order of the versions in the CustomResourceDefinition; each version occurs once. Default: by name. Set the order in one version, or to
   * the same value in several versions.
   */
  readonly versionOrder?: readonly string[];
  /**
   * Schema of `apiVersion`, `kind` and `metadata`; `false` omits all three. By default, all three are listed but not required, and
   * `apiVersion` and `kind` have Kubernetes' descriptions. `'wrapped'` is like the default, but the descriptions keep the line breaks of
   * the Go sources, as controller-gen writes them since v0.14.
   */
  readonly standardFields?:
    | 'wrapped'
    | {
        readonly apiVersion?: false | StandardField;
        readonly kind?: false | StandardField;
        readonly metadata?: false | Pick<StandardField, 'required'>;
      };
}

/**
 * Properties of the resource, in contrast to the fields of its objects. `op-sdk generate manifests` reads them from the source text, so
 * write literals, `as const` values or members of enumerations.
 */
export interface ResourceDefinition<T extends CustomResource> {
  /** The API group, a DNS name that you own, such as `cache.example.com`. Must equal the group in the interface's `CustomResource<…>`. */
  readonly group: GroupOf<T>;
  /** The version, such as `v1alpha1`, `v1beta1`, `v1`. Must equal the version in the interface's `CustomResource<…>`. */
  readonly version: VersionOf<T>;
  /** The kind in CamelCase, such as `Memcached`. Must equal the kind in the interface's `CustomResource<…>`. */
  readonly kind: T['kind'];
  /** `Namespaced` for objects in namespaces, `Cluster` for objects outside of namespaces. Default: `Namespaced`. */
  readonly scope?: 'Namespaced' | 'Cluster';
  /** Plural name of the resource. Default: the lower-case English plural of the kind. */
  readonly plural?: string;
  /** Singular name of the resource. Default: the kind in lower case. */
  readonly singular?: string;
  /** Kind of lists of the objects. Default: the kind followed by `List`. */
  readonly listKind?: string;
  /** Further names for kubectl, such as `mc`. Default: none. */
  readonly shortNames?: readonly string[];
  /**
   * Categories to which the kind belongs: `kubectl get <category>`, such as `kubectl get all`, lists the objects of all kinds in a
   * category. Default: none.
   */
  readonly categories?: readonly string[];
  /** Columns of `kubectl get` after NAME. Default: the columns of the `@printerColumn` tags, or AGE if there are no such tags. */
  readonly printerColumns?: readonly PrinterColumn<T>[];
  /** True if the API server serves this version. A version that is not served cannot be read or written. Default: true. */
  readonly served?: boolean;
  /**
   * True if objects are stored in this version. Exactly one version must be the storage version. Default: true if the kind has only one
   * version.
   */
  readonly storage?: boolean;
  /**
   * Adds a deprecation warning to every response of this version: the API server's own text (`true`), or the given text of at most 256
   * bytes. Default: false.
   */
  readonly deprecated?: boolean | string;
  /** True if `status` is a subresource, written separately from the other fields. Default: true if the interface has a field `status`. */
  readonly status?: boolean;
  /**
   * Fields of the subresource `scale` (`subresources.scale`). Default: the paths of the `@scale` tags; without such tags, the version has
   * no subresource `scale`.
   */
  readonly scale?: ScaleSubresource<T>;
  /**
   * Fields for `kubectl get --field-selector`: at most 8 strings, integers or booleans outside of lists. Equivalent to the tag
   * `@selectable` on the fields; use either this option or the tag.
   */
  readonly selectableFields?: readonly ScalarPath<T>[];
  /**
   * Conversion between the versions of the kind. Set the conversion in one version, or to the same value in several versions. Default: a
   * conversion changes only `apiVersion`.
   */
  readonly conversion?: Conversion;
  /** Labels of the CustomResourceDefinition itself. Set them in one version, or to the same value in several. */
  readonly labels?: Readonly<Record<string, string>>;
  /**
   * Annotations of the CustomResourceDefinition itself. If the API group ends in k8s.io or kubernetes.io, `api-approved.kubernetes.io` is
   * required. Set the annotations in one version, or to the same value in several.
   */
  readonly annotations?: Readonly<Record<string, string>>;
  /** CEL rules for the root object, appended to those of the `@cel` tags above the interface. */
  readonly cel?: readonly CelRule[];
  /** Choice between equivalent spellings of the CustomResourceDefinition. Use it for existing definitions whose text must not change. */
  readonly crd?: DefinitionForm;
}

/** Argument of `defineResource` for a resource that is declared by the schema of a library instead of an interface. */
export interface SchemaResourceDefinition<
  Group extends string,
  Version extends string,
  Kind extends string,
  S extends StandardJsonSchema,
> extends Omit<
  ResourceDefinition<SchemaObject<`${Group}/${Version}`, Kind, S>>,
  'group' | 'version' | 'kind'
> {
  /** The API group, a DNS name that you own, such as `cache.example.com`. */
  readonly group: Group;
  /** The version, such as `v1alpha1`, `v1beta1`, `v1`. */
  readonly version: Version;
  /** The kind in CamelCase, such as `Memcached`. */
  readonly kind: Kind;
  /**
   * Schema of the object's fields besides `apiVersion`, `kind` and `metadata`: `z.object({ spec: …, status: … })`. Export the schema from a
   * module that imports only the schema library, because `op-sdk generate manifests` reads the schema and `op-sdk build` omits it from
   * operators.
   */
  readonly schema: S;
}

/**
 * Declares one version of a custom resource. For each version, declare an interface and a value of the same name. Pass the value to the
 * client and to controllers. The CRD is generated from the interface and the argument of `defineResource`.
 *
 * @example
 * export const Memcached = defineResource<Memcached>({
 *   group: 'cache.example.com',
 *   version: 'v1alpha1',
 *   kind: 'Memcached',
 *   scope: 'Namespaced',
 *   printerColumns: [{ name: 'Size', type: 'integer', jsonPath: '.spec.size' }],
 * });
 */
export function defineResource<T extends CustomResource>(definition: ResourceDefinition<T>): Resource<T>;
/**
 * Declares a custom resource whose fields are described by a schema of zod, valibot, arktype or another library with the Standard JSON
 * Schema interface.
 *
 * @example
 * export const Memcached = defineResource({
 *   group: 'cache.example.com',
 *   version: 'v1alpha1',
 *   kind: 'Memcached',
 *   schema: memcachedSchema,
 * });
 * export type Memcached = ObjectOf<typeof Memcached>;
 */
export function defineResource<
  const Group extends string,
  const Version extends string,
  const Kind extends string,
  S extends StandardJsonSchema<unknown, object>,
>(
  definition: SchemaResourceDefinition<Group, Version, Kind, S>,
): Resource<SchemaObject<`${Group}/${Version}`, Kind, S>>;
export function defineResource(
  definition: Pick<ResourceDefinition<CustomResource>, 'group' | 'version' | 'kind' | 'plural' | 'scope'>,
): Resource<CustomResource> {
  const { group, version, kind, plural = defaultPlural(kind), scope = 'Namespaced' } = definition;
  return externalResource({ group, version, kind, plural, scope });
}
