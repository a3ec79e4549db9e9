import type { CustomResource } from './meta.ts';
import type { SchemaObject, StandardJsonSchema, FieldPath, JsonPath, ScalarPath } from './standard-schema.ts';
import { defaultPlural } from '../../base/util/kubernetes-words.ts';
import { type GroupOf, type Resource, type VersionOf, externalResource } from './resource.ts';

/** A column of `kubectl get`. Source: CRD v1 `additionalPrinterColumns`. */
export interface PrinterColumn<T> {
  /** The heading, such as `Size`; kubectl shows it in capitals. */
  readonly name: string;
  /** The OpenAPI type of the value; `date` is shown as an age. */
  readonly type: 'integer' | 'number' | 'string' | 'boolean' | 'date';
  /** Where the value is, relative to the object: `.spec.size`. Checked against the type, with completion. */
  readonly jsonPath: JsonPath<T>;
  /** Description of the column, for readers of the CRD. */
  readonly description?: string;
  /** An OpenAPI format of the type, such as `int32` or `date-time`. */
  readonly format?: string;
  /** 0 (the default) is always shown, greater ones only with `-o wide`. */
  readonly priority?: number;
}

/**
 * The fields that `kubectl scale` and autoscalers read and write: `subresources.scale`. Paths are dotted, without brackets. Equivalent to
 * the tags `@scale spec`, `@scale status` and `@scale selector` on the fields.
 */
export interface ScaleSubresource<T> {
  /** The integer below `.spec` that holds the wanted number of replicas: `specReplicasPath`. */
  readonly spec: FieldPath<Pick<T, Extract<keyof T, 'spec'>>, number>;
  /** The integer below `.status` that holds the observed number: `statusReplicasPath`. */
  readonly status: FieldPath<Pick<T, Extract<keyof T, 'status'>>, number>;
  /** The string below `.status` or `.spec` that holds the label selector of the pods: `labelSelectorPath`. HorizontalPodAutoscaler needs it. */
  readonly selector?: FieldPath<Pick<T, Extract<keyof T, 'spec' | 'status'>>, string>;
}

/** Address of the webhook that converts objects between versions. Set exactly one of `service` and `url`. */
export interface ConversionClientConfig {
  /** A Service in the cluster, called over HTTPS. */
  readonly service?: {
    readonly namespace: string;
    readonly name: string;
    /** Starts with a slash. */
    readonly path?: string;
    /** Default: 443. */
    readonly port?: number;
  };
  /** `https://host[:port]/path`, for a webhook outside of the cluster. */
  readonly url?: string;
  /** CA certificates, PEM in base64. Omit it if cert-manager or the operator itself writes it. */
  readonly caBundle?: string;
}

/** Conversion of objects of one version to another. Source: CRD v1 `spec.conversion`. */
export type Conversion =
  /** Only `apiVersion` changes: for versions with the same schema. */
  | { readonly strategy: 'None' }
  | {
      readonly strategy: 'Webhook';
      readonly clientConfig: ConversionClientConfig;
      /** The versions of ConversionReview that the webhook accepts, preferred first: `['v1']`. */
      readonly conversionReviewVersions: readonly string[];
    };

/** A CEL rule. Source: CRD v1 `x-kubernetes-validations`. */
export interface CelRule {
  /** The expression; `self` is the object. */
  readonly rule: string;
  /** Shown when the rule is false. Default: the rule itself. */
  readonly message?: string;
  /** An expression that gives the message. */
  readonly messageExpression?: string;
  /** Machine-readable. Default: `FieldValueInvalid`. */
  readonly reason?:
    'FieldValueInvalid' | 'FieldValueForbidden' | 'FieldValueRequired' | 'FieldValueDuplicate';
  /** The field to which the message refers, relative to the object: `.spec.size`. */
  readonly fieldPath?: string;
  /** Evaluate a rule that uses `oldSelf` on creation, too. */
  readonly optionalOldSelf?: boolean;
}

/** Schema of a field that every object has, used exactly as written; `{}` declares only the type. */
export interface StandardField {
  /** The description in the schema. Default: none. */
  readonly description?: string;
  /** List the field among the root's required fields. Default: false; every request contains it anyway. */
  readonly required?: boolean;
}

/**
 * Spelling of a CustomResourceDefinition where several spellings are equivalent; `op-sdk import crd` writes it if a definition differs from
 * the one that op-sdk generates.
 */
export interface DefinitionForm {
  /** `{}` writes `subresources: {}` if there are no subresources, which is equivalent to omitting the field. */
  readonly subresources?: Readonly<Record<string, never>>;
  /** The order of the versions; each version occurs once. Default: by name. Set it in one version, or to the same value in several. */
  readonly versionOrder?: readonly string[];
  /**
   * Schema of `apiVersion`, `kind` and `metadata`; `false` omits all three. Default: listed, not required, the first two with Kubernetes'
   * descriptions. `'wrapped'`: like the default, but with the line breaks of the Go sources, as controller-gen writes it since v0.14.
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
 * Properties of the resource as opposed to its fields. `op-sdk generate manifests` reads them from the source: write literals, `as const`
 * values or members of enumerations.
 */
export interface ResourceDefinition<T extends CustomResource> {
  /** The API group, a DNS name that you own: `cache.example.com`. Same as in the interface's `CustomResource<…>`. */
  readonly group: GroupOf<T>;
  /** The version, such as `v1alpha1`, `v1beta1`, `v1`. Same as in the interface's `CustomResource<…>`. */
  readonly version: VersionOf<T>;
  /** The kind in CamelCase, such as `Memcached`. Same as in the interface's `CustomResource<…>`. */
  readonly kind: T['kind'];
  /** Scope of the objects. Default: `Namespaced`. */
  readonly scope?: 'Namespaced' | 'Cluster';
  /** Default: the lower-case English plural of the kind. */
  readonly plural?: string;
  /** Default: the kind in lower case. */
  readonly singular?: string;
  /** Default: the kind followed by `List`. */
  readonly listKind?: string;
  /** Further names for kubectl, such as `mc`. Default: none. */
  readonly shortNames?: readonly string[];
  /** Groups of kinds that `kubectl get <category>` lists, such as `all`. Default: none. */
  readonly categories?: readonly string[];
  /** Columns of `kubectl get` after NAME. Default: the columns of the `@printerColumn` tags; AGE if there are none. */
  readonly printerColumns?: readonly PrinterColumn<T>[];
  /** Default: true. A version that is not served cannot be read or written. */
  readonly served?: boolean;
  /** Default: true if the kind has one version. Exactly one version is stored. */
  readonly storage?: boolean;
  /**
   * Adds a warning to every response of this version: the server's own text (`true`), or this text of at most 256 bytes. Default: false.
   */
  readonly deprecated?: boolean | string;
  /** True if `status` is a subresource, written separately from the other fields. Default: true if the interface has a field `status`. */
  readonly status?: boolean;
  /** The field `subresources.scale`. Default: the paths of the `@scale` tags; none without tags. */
  readonly scale?: ScaleSubresource<T>;
  /**
   * Fields for `kubectl get --field-selector`: at most 8 strings, integers or booleans outside of lists. Equivalent to `@selectable` on the
   * fields; use only one of the two.
   */
  readonly selectableFields?: readonly ScalarPath<T>[];
  /**
   * Conversion between the versions of the kind. Set it in one version, or to the same value in several. Default: only `apiVersion`
   * changes.
   */
  readonly conversion?: Conversion;
  /** Labels of the CustomResourceDefinition itself. Set them in one version, or to the same value in several. */
  readonly labels?: Readonly<Record<string, string>>;
  /**
   * Annotations of the CustomResourceDefinition itself. A group below k8s.io or kubernetes.io needs `api-approved.kubernetes.io`. Set them
   * in one version, or to the same value in several.
   */
  readonly annotations?: Readonly<Record<string, string>>;
  /** CEL rules for the root object, appended to those of the `@cel` tags above the interface. */
  readonly cel?: readonly CelRule[];
  /** Spelling of the definition where several spellings are equivalent. For existing definitions that must not change. */
  readonly crd?: DefinitionForm;
}

/** Argument of `defineResource` where a schema of a library replaces the interface. */
export interface SchemaResourceDefinition<
  Group extends string,
  Version extends string,
  Kind extends string,
  S extends StandardJsonSchema,
> extends Omit<
  ResourceDefinition<SchemaObject<`${Group}/${Version}`, Kind, S>>,
  'group' | 'version' | 'kind'
> {
  /** The API group, a DNS name of your own: `cache.example.com`. */
  readonly group: Group;
  /** Such as `v1alpha1`, `v1beta1`, `v1`. */
  readonly version: Version;
  /** In CamelCase, such as `Memcached`. */
  readonly kind: Kind;
  /**
   * The fields of the object besides `apiVersion`, `kind` and `metadata`: `z.object({ spec: …, status: … })`, exported by a module that
   * imports only the schema library. `op-sdk generate manifests` reads it; `op-sdk build` omits it from operators.
   */
  readonly schema: S;
}

/**
 * Declares a custom resource: one interface and one value of the same name per version. The value is the token to pass to client and
 * controllers; the CRD is generated from its argument and the interface.
 *
 * @example
 * export const Memcached = defineResource<Memcached>({
 *   group: 'cache.example.com',
 *   version: 'v1alpha1',
 *   kind: 'Memcached',
 *   scope: 'Namespaced',
 *   printerColumns: [{ name: 'Size', type: 'integer', jsonPath: '.spec.size' }], });
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
