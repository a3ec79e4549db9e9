import type { JSONSchemaProps } from './json-schema-props.ts';

/**
 * The canonical structural schema of a built-in Kubernetes type.
 *
 * @param _path the entry under `opsdk/k8s/`, such as `core/v1`
 * @param _name the type's name there, such as `ContainerPort`
 * @returns undefined if the table has no such type
 */
export function builtInSchema(_path: string, _name: string): JSONSchemaProps | undefined {
  return undefined;
}
