import { annotationIn, annotationKeys } from '../../annotations.ts';
import type { Check, PlacedDocument, Report } from '../../types.ts';

/** The values that a bundle of manifests always has. */
const fixed = [
  [annotationKeys.mediaType, 'registry+v1'],
  // Read by operator-sdk, which looks for the objects there.
  [annotationKeys.manifests, 'manifests/'],
] as const;

const present = [
  [annotationKeys.metadata, 'metadata/'],
  [annotationKeys.package, '<name of the package>'],
  [annotationKeys.channels, 'alpha'],
] as const;

/**
 * `metadata/annotations.yaml`: what OLM needs to find its way in the bundle's image.
 * Source: operator-registry `pkg/lib/bundle/validate.go` `validateAnnotations`.
 */
export const checkAnnotations: Check<'format'> = (bundle, report) => {
  const { annotations: file } = bundle;
  if (file === undefined) {
    report.error(
      'bundle/no-annotations',
      { file: `${bundle.dir}/metadata` },
      'no file of metadata/ has annotations, so OLM does not know what kind of bundle this is',
      'make metadata/annotations.yaml with `op-sdk generate bundle`',
    );
    return;
  }
  for (const [key, wanted] of fixed) checkFixed(file, key, wanted, report);
  for (const [key, example] of present) valueOrMissing(file, key, example, report);
  checkEmpty(file, report);
};

function checkFixed(file: PlacedDocument, key: string, wanted: string, report: Report<'format'>): void {
  const value = valueOrMissing(file, key, wanted, report);
  if (value === undefined || value === wanted || (wanted.endsWith('/') && `${value}/` === wanted)) return;
  report.error(
    'bundle/invalid-annotation',
    [file, ['annotations', key]],
    `the annotation ${key} is ${JSON.stringify(value)}; a bundle of manifests has ${wanted}`,
    `write ${key}: ${wanted}`,
  );
}

function checkEmpty(file: PlacedDocument, { error }: Report<'format'>): void {
  const { channels, defaultChannel } = annotationKeys;
  if (annotationIn(file, channels) === '')
    error(
      'bundle/invalid-annotation',
      [file, ['annotations', channels]],
      `the annotation ${channels} is empty`,
      'write the channels with commas and nothing else between them, such as alpha,stable',
    );
  if (annotationIn(file, defaultChannel) === '')
    error(
      'bundle/invalid-annotation',
      [file, ['annotations', defaultChannel]],
      `the annotation ${defaultChannel} is empty`,
      'name the default channel of the package, or remove the annotation',
    );
}

function valueOrMissing(
  file: PlacedDocument,
  key: string,
  example: string,
  { error }: Report<'format'>,
): string | undefined {
  const value = annotationIn(file, key);
  if (value === undefined) {
    const message = `the annotation ${key} is missing`;
    error('bundle/missing-annotation', [file, ['annotations']], message, `add ${key}: ${example}`);
  }
  return value;
}
