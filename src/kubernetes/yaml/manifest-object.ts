import { isJsonMap } from '../../base/util/json-map.ts';
import { FindingList, type Where } from '../../base/errors/index.ts';
import { parseKubernetesYaml, type KubernetesYamlOptions } from './kubernetes-yaml.ts';
import { tooLargeYaml, yamlLimits } from './limits.ts';
import type { YamlDocument } from './read-yaml.ts';

/** A Kubernetes object of any kind, even an unknown one, as plain JSON. */
export interface ManifestObject {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: {
    readonly name: string;
    readonly namespace?: string;
    readonly labels?: Readonly<Record<string, string>>;
    readonly annotations?: Readonly<Record<string, string>>;
    readonly [field: string]: unknown;
  };
  readonly [field: string]: unknown;
}

/** An object and its position in the file from which it was read. */
export interface PlacedObject {
  readonly object: ManifestObject;
  readonly where: Where;
}

/**
 * Reads the objects of all documents in a manifest. A list object (any kind that ends in `List` and has `items`) is replaced by its items.
 *
 * @param file the name shown in findings, relative to the folder in which the command runs; `-` for standard input
 * @throws OpSdkError with all findings: those of {@link parseKubernetesYaml}, and `io/not-an-object` for documents without
 *   apiVersion, kind or a name
 */
export function readManifest(
  text: string,
  file: string,
  options?: KubernetesYamlOptions,
): readonly PlacedObject[] {
  const findings = new FindingList();
  const objects = parseKubernetesYaml(text, file, options).flatMap((document) =>
    objectsOf(document.value, [], document, findings),
  );
  findings.throwIfAny();
  return objects;
}

/** Returns a description of an object for messages: `apps/v1 Deployment system/web`. */
export function describeObject({ apiVersion, kind, metadata }: ManifestObject): string {
  const namespace = metadata.namespace === undefined ? '' : `${metadata.namespace}/`;
  return `${apiVersion} ${kind} ${namespace}${metadata.name}`;
}

function objectsOf(
  value: unknown,
  path: readonly (string | number)[],
  document: YamlDocument,
  findings: FindingList,
): readonly PlacedObject[] {
  const object = isJsonMap(value) ? value : {};
  const { kind, items } = object;
  if (typeof kind === 'string' && kind.endsWith('List') && Array.isArray(items)) {
    return items.flatMap((item, index) => objectsOf(item, [...path, 'items', index], document, findings));
  }
  const metadata = isJsonMap(object['metadata']) ? object['metadata'] : {};
  const missing = [
    ...(['apiVersion', 'kind'] as const).filter((field) => !isFilled(object[field])),
    ...(isFilled(metadata['name']) ? [] : ['metadata.name']),
  ];
  const where = document.locate(path);
  if (missing.length > 0) {
    if (findings.all.length === yamlLimits.findings) findings.add(tooLargeYaml('findings', where));
    if (findings.all.length > yamlLimits.findings) return [];
    findings.add({
      code: 'io/not-an-object',
      message: `this is not a Kubernetes object: missing ${missing.join(', ')}`,
      where,
      fix: ['complete the object, or remove it from the file'],
    });
    return [];
  }
  return [{ object: object as unknown as ManifestObject, where }];
}

function isFilled(value: unknown): value is string {
  return typeof value === 'string' && value !== '';
}
