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
 * The fields that `kubectl scale` and autoscalers read and write: `subresources.scale`. Plain paths in dots.
 * The same as the tags `@scale spec`, `@scale status` and `@scale selector` on the fields.
 */
export interface ScaleSubresource<T> {
  /** The integer below `.spec` that holds the wanted number of replicas: `specReplicasPath`. */
  readonly spec: FieldPath<Pick<T, Extract<keyof T, 'spec'>>, number>;
  /** The integer below `.status` that holds the observed number: `statusReplicasPath`. */
  readonly status: FieldPath<Pick<T, Extract<keyof T, 'status'>>, number>;
  /** The string below `.status` or `.spec` that holds the label selector of the pods: `labelSelectorPath`. HorizontalPodAutoscaler needs it. */
  readonly selector?: FieldPath<Pick<T, Extract<keyof T, 'spec' | 'status'>>, string>;
}

/** Where the API server finds the webhook that converts objects between versions. Exactly one of `service` and `url`. */
export interface ConversionClientConfig {
  /** A Service in the cluster, asked over HTTPS. */
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
  /** PEM in base64. Left out where cert-manager or the operator itself writes it. */
  readonly caBundle?: string;
}

/** Conversion of objects of one version to another. Source: CRD v1 `spec.conversion`. */
export type Conversion =
  /** Only `apiVersion` changes: for versions with the same schema. */
  | { readonly strategy: 'None' }
  | {
      readonly strategy: 'Webhook';
      readonly clientConfig: ConversionClientConfig;
      /** The versions of ConversionReview that the webhook takes, the best first: `['v1']`. */
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
  /** The field that the message is about, relative to the object: `.spec.size`. */
  readonly fieldPath?: string;
  /** Run a rule with `oldSelf` when the object is made, too. */
  readonly optionalOldSelf?: boolean;
}

/** The schema of a field that every object has, used exactly as written; `{}` for the type alone. */
export interface StandardField {
  /** The text of the schema. Default: none. */
  readonly description?: string;
  /** List it among the root's required fields. Default: false; every request has it anyway. */
  readonly required?: boolean;
}

/** Form of a CustomResourceDefinition where several forms mean the same; `op-sdk import crd` writes it where a definition differs from ours. */
export interface DefinitionForm {
  /** `{}` writes `subresources: {}` where there are none, which says no more than leaving it out. */
  readonly subresources?: Readonly<Record<string, never>>;
  /** The order of the versions: each of them once. Default: by name. Said in one version, or the same in all that say it. */
  readonly versionOrder?: readonly string[];
  /**
   * Form of `apiVersion`, `kind` and `metadata` in the schema; `false`: none of them. Default: listed, not required, the first two with
   * Kubernetes' descriptions. `'wrapped'`: the same with the line breaks of the Go sources, as controller-gen writes it since v0.14.
   */
  readonly standardFields?:
    | 'wrapped'
    | {
        readonly apiVersion?: false | StandardField;
        readonly kind?: false | StandardField;
        readonly metadata?: false | Pick<StandardField, 'required'>;
      };
}

/** Properties of the resource rather than of a field. Read from the source by `op-sdk generate manifests`: write literals, `as const` values or members of enumerations. */
export interface ResourceDefinition<T extends CustomResource> {
  /** The API group, a DNS name of your own: `cache.example.com`. That of the interface's `CustomResource<…>`. */
  readonly group: GroupOf<T>;
  /** Such as `v1alpha1`, `v1beta1`, `v1`. That of the interface's `CustomResource<…>`. */
  readonly version: VersionOf<T>;
  /** In CamelCase, such as `Memcached`. That of the interface's `CustomResource<…>`. */
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
  /** Columns of `kubectl get` behind NAME. Default: what `@printerColumn` tags say, else AGE. */
  readonly printerColumns?: readonly PrinterColumn<T>[];
  /** Default: true. A version that is not served cannot be read or written. */
  readonly served?: boolean;
  /** Default: true if the kind has one version. Exactly one version is stored. */
  readonly storage?: boolean;
  /** Every answer of this version carries a warning: the server's own (`true`), or this text of at most 256 bytes. Default: false. */
  readonly deprecated?: boolean | string;
  /** True if `status` is a subresource, written apart from the rest. Default: true if the interface has a field `status`. */
  readonly status?: boolean;
  /** `subresources.scale`. Default: what `@scale` tags say, else none. */
  readonly scale?: ScaleSubresource<T>;
  /** Fields for `kubectl get --field-selector`: at most 8 strings, integers or booleans outside of lists. The same as `@selectable` on the fields; one or the other. */
  readonly selectableFields?: readonly ScalarPath<T>[];
  /** Conversion between the versions of the kind. Said in one version, or the same in all that say it. Default: only `apiVersion` changes. */
  readonly conversion?: Conversion;
  /** Labels of the CustomResourceDefinition itself. Said in one version, or the same in all that say it. */
  readonly labels?: Readonly<Record<string, string>>;
  /** Annotations of the CustomResourceDefinition itself. A group below k8s.io or kubernetes.io needs `api-approved.kubernetes.io`. Said in one version, or the same in all that say it. */
  readonly annotations?: Readonly<Record<string, string>>;
  /** CEL rules for the whole object, behind those of `@cel` tags above the interface. */
  readonly cel?: readonly CelRule[];
  /** Form of the definition where several forms mean the same. For definitions that must stay as they are. */
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
   * The fields of the object beside `apiVersion`, `kind` and `metadata`: `z.object({ spec: …, status: … })`, an export of a module that
   * imports nothing but the schema library. `op-sdk generate manifests` reads it; `op-sdk build` leaves it out of operators.
   */
  readonly schema: S;
}

/**
 * Declares a custom resource: one interface and one value of the same name per version.
 * The value is the token that client and controllers take; its argument and the interface make the CRD.
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
 * Declares a custom resource whose fields a schema of zod, valibot, arktype or another library of the Standard JSON Schema interface
 * describes.
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
