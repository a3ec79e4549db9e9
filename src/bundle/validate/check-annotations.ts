import { mapOf } from './fields.ts';
import { subdomainProblem } from './name-rules.ts';
import type { Check, Complain, LoadedBundle, PlacedDocument } from './types.ts';

const prefix = 'operators.operatorframework.io.bundle.';

/** The annotations of `metadata/annotations.yaml` that OLM reads. */
export const annotationKeys = {
  mediaType: `${prefix}mediatype.v1`,
  manifests: `${prefix}manifests.v1`,
  metadata: `${prefix}metadata.v1`,
  package: `${prefix}package.v1`,
  channels: `${prefix}channels.v1`,
  defaultChannel: `${prefix}channel.default.v1`,
} as const;

/** The values that a bundle of manifests always has. */
const fixed = [
  [annotationKeys.mediaType, 'registry+v1'],
  [annotationKeys.manifests, 'manifests/'],
  [annotationKeys.metadata, 'metadata/'],
] as const;

/**
 * `metadata/annotations.yaml`: what OLM needs to find its way in the bundle's image.
 * Source: operator-registry `pkg/lib/bundle/validate.go` `validateAnnotations`; the package name as ClusterExtension takes it.
 */
export const checkAnnotations: Check = (bundle, { error }) => {
  const { annotations: file } = bundle;
  if (file === undefined) {
    error(
      'bundle/no-annotations',
      { file: `${bundle.dir}/metadata` },
      'no file of metadata/ has annotations, so OLM does not know what kind of bundle this is',
      'make metadata/annotations.yaml with `op-sdk generate bundle`',
    );
    return;
  }
  for (const [key, wanted] of fixed) checkFixed(file, key, wanted, error);
  checkPackage(file, error);
  checkChannels(file, error);
};

/** The text of an annotation, as Go reads it: other scalars become texts. Undefined if it is missing. */
export function annotationOf({ annotations }: LoadedBundle, key: string): string | undefined {
  return annotationText(mapOf(annotations?.value['annotations'])[key]);
}

/** What Go reads into a map of texts. */
export function annotationText(value: unknown): string | undefined {
  if (value === null) return '';
  const isScalar = typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';
  return isScalar ? String(value) : undefined;
}

function checkFixed(file: PlacedDocument, key: string, wanted: string, error: Complain): void {
  const value = valueOrMissing(file, key, wanted, error);
  if (value === undefined || value === wanted || (wanted.endsWith('/') && `${value}/` === wanted)) return;
  error(
    'bundle/invalid-annotation',
    [file, ['annotations', key]],
    `the annotation ${key} is ${JSON.stringify(value)}; a bundle of manifests has ${wanted}`,
    `write ${key}: ${wanted}`,
  );
}

function checkPackage(file: PlacedDocument, error: Complain): void {
  const key = annotationKeys.package;
  const value = valueOrMissing(file, key, '<name of the package>', error);
  const problem = value === undefined ? undefined : subdomainProblem(value);
  if (problem === undefined) return;
  error(
    'bundle/invalid-annotation',
    [file, ['annotations', key]],
    `the package ${JSON.stringify(value)} is not valid: ${problem}`,
    'write the name of the package, such as memcached-operator',
  );
}

function checkChannels(file: PlacedDocument, error: Complain): void {
  const key = annotationKeys.channels;
  const value = valueOrMissing(file, key, 'alpha', error);
  const channels = value?.split(',') ?? [];
  if (channels.some((channel) => channel === '' || channel !== channel.trim())) {
    error(
      'bundle/invalid-annotation',
      [file, ['annotations', key]],
      `the channels ${JSON.stringify(value)} hold an empty name or a blank`,
      'write the names with commas and nothing else between them, such as alpha,stable',
    );
  }
  const standard = annotationText(mapOf(file.value['annotations'])[annotationKeys.defaultChannel]);
  if (standard !== '') return;
  error(
    'bundle/invalid-annotation',
    [file, ['annotations', annotationKeys.defaultChannel]],
    `the annotation ${annotationKeys.defaultChannel} is empty`,
    'name the default channel of the package, or remove the annotation',
  );
}

function valueOrMissing(
  file: PlacedDocument,
  key: string,
  example: string,
  error: Complain,
): string | undefined {
  const value = annotationText(mapOf(file.value['annotations'])[key]);
  if (value === undefined) {
    const message = `the annotation ${key} is missing`;
    error('bundle/missing-annotation', [file, ['annotations']], message, `add ${key}: ${example}`);
  }
  return value;
}
