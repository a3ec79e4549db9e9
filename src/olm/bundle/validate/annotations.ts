import { mapOf } from './fields.ts';
import type { LoadedBundle, PlacedDocument } from './types.ts';

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

/** The text of an annotation, as Go reads it: other scalars become texts. Undefined if it is missing. */
export function annotationOf(
  { annotations }: Pick<LoadedBundle, 'annotations'>,
  key: string,
): string | undefined {
  return annotations === undefined ? undefined : annotationIn(annotations, key);
}

/** The same of a file. */
export function annotationIn(file: PlacedDocument, key: string): string | undefined {
  return annotationText(mapOf(file.value['annotations'])[key]);
}

/** Returns the text that Go reads into a map of texts. */
export function annotationText(value: unknown): string | undefined {
  if (value === null) return '';
  const isScalar = typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';
  return isScalar ? String(value) : undefined;
}
