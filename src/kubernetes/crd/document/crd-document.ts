import type { JsonValue, JSONSchemaProps } from '../json-schema-props.ts';

/** A column of `kubectl get`. Source: apiextensions v1 `CustomResourceColumnDefinition`. */
export interface CrdColumn {
  readonly name: string;
  readonly type: string;
  readonly jsonPath: string;
  readonly description?: string;
  readonly format?: string;
  readonly priority?: number;
}

/** Source: apiextensions v1 `CustomResourceDefinitionVersion`. */
export interface CrdVersion {
  readonly name: string;
  readonly served: boolean;
  readonly storage: boolean;
  readonly deprecated?: boolean;
  readonly deprecationWarning?: string;
  readonly schema: { readonly openAPIV3Schema: JSONSchemaProps };
  readonly subresources?: {
    readonly status?: Readonly<Record<string, never>>;
    readonly scale?: {
      readonly specReplicasPath: string;
      readonly statusReplicasPath: string;
      readonly labelSelectorPath?: string;
    };
  };
  readonly additionalPrinterColumns?: readonly CrdColumn[];
  readonly selectableFields?: readonly { readonly jsonPath: string }[];
}

/** Source: apiextensions v1 `CustomResourceDefinition`, as far as it is written by people and tools. */
export interface CrdDocument {
  readonly apiVersion: 'apiextensions.k8s.io/v1';
  readonly kind: 'CustomResourceDefinition';
  readonly metadata: {
    readonly name: string;
    readonly labels?: Readonly<Record<string, string>>;
    readonly annotations?: Readonly<Record<string, string>>;
  };
  readonly spec: {
    readonly group: string;
    readonly scope: 'Namespaced' | 'Cluster';
    readonly names: {
      readonly kind: string;
      readonly plural: string;
      readonly singular?: string;
      readonly listKind?: string;
      readonly shortNames?: readonly string[];
      readonly categories?: readonly string[];
    };
    readonly versions: readonly CrdVersion[];
    readonly conversion?: {
      readonly strategy: string;
      readonly webhook?: {
        readonly clientConfig?: { readonly [name: string]: JsonValue };
        readonly conversionReviewVersions: readonly string[];
      };
    };
  };
}
