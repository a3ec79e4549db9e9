import type { JsonValue, JSONSchemaProps } from '../../objects/index.ts';
import { isJsonMap } from '../../../base/util/json-map.ts';
import { severityOf, type Finding, type Where } from '../../../base/errors/index.ts';
import type { FieldPath, Violation } from '../rules/violation.ts';

/** Additional column in the output of `kubectl get`. Source: apiextensions v1 `CustomResourceColumnDefinition`. */
interface CrdColumn {
  readonly name: string;
  readonly type: string;
  readonly jsonPath: string;
  readonly description?: string;
  readonly format?: string;
  readonly priority?: number;
}

/** Version of a CustomResourceDefinition. Source: apiextensions v1 `CustomResourceDefinitionVersion`. */
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

/** A CustomResourceDefinition, without fields that only the API server writes. Source: apiextensions v1 `CustomResourceDefinition`. */
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

/** Removes null fields, because the API server treats them as absent. Schemas are left unchanged, because null may be a value in them. */
export function withoutNull(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutNull);
  if (!isJsonMap(value)) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([, item]) => item !== null)
      .map(([name, item]) => [name, name === 'openAPIV3Schema' ? item : withoutNull(item)]),
  );
}

/** Violations converted to findings with source locations. */
export interface PlacedViolations {
  readonly errors: readonly Finding[];
  readonly warnings: readonly Finding[];
}

/** Converts violations to findings with source locations. */
export function placed(
  violations: readonly Violation[],
  locate: (path: FieldPath) => Where | undefined,
): PlacedViolations {
  const findings = violations.map(({ path, code, message, fix }): Finding => {
    const where = locate(path);
    return { code, message, ...(where === undefined ? {} : { where }), fix: [fix] };
  });
  return {
    errors: findings.filter(({ code }) => severityOf(code) === 'error'),
    warnings: findings.filter(({ code }) => severityOf(code) === 'warning'),
  };
}
