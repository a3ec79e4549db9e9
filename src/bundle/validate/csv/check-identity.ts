import { groupOf } from '../../../util/api-version.ts';
import { annotationOf, annotationKeys } from '../check-annotations.ts';
import { fieldAt, listOf, mapOf, textOf } from '../fields.ts';
import { imageNameProblem } from '../image-name.ts';
import { labelValueProblem, subdomainProblem } from '../name-rules.ts';
import { isSemver } from '../semver.ts';
import type { BundleObject, Check, FieldPath, LoadedBundle, Report } from '../types.ts';

/** OLM keeps these keys apart by case; another case is not found. Source: operator-framework/api `annotations.go`. */
const caseSensitive = [
  'olm.operatorGroup',
  'olm.operatorNamespace',
  'olm.targetNamespaces',
  'olm.providedAPIs',
  'olm.skipRange',
];

/**
 * What the ClusterServiceVersion says of itself: its names, versions, annotations and images.
 * Source: operator-framework/api `pkg/validation/internal/csv.go`, `bundle.go`.
 */
export const checkIdentity: Check = (bundle, report) => {
  const { csv } = bundle;
  if (csv === undefined) return;
  // Other groups are reported with the objects.
  const isOurs = groupOf(csv.apiVersion) === 'operators.coreos.com';
  if (isOurs && csv.apiVersion !== 'operators.coreos.com/v1alpha1') {
    const message = `the ClusterServiceVersion has the apiVersion ${csv.apiVersion}, which OLM does not have`;
    report.warn(
      'bundle/kind-not-supported',
      [csv, ['apiVersion']],
      message,
      'write operators.coreos.com/v1alpha1',
    );
  }
  if (csv.name !== '') checkName(csv, ['metadata', 'name'], csv.name, report);
  const replaces = textOf(fieldAt(csv.value, 'spec', 'replaces'));
  if (replaces !== '') checkName(csv, ['spec', 'replaces'], replaces, report);
  checkVersions(csv, report);
  checkRelease(bundle, csv, report);
  checkAnnotationKeys(csv, report);
  checkRelatedImages(csv, report);
};

/** The name is the value of a label, too. */
function checkName(csv: BundleObject, path: FieldPath, name: string, { error }: Report): void {
  const problem = subdomainProblem(name) ?? labelValueProblem(name);
  if (problem === undefined) return;
  const message = `${path.join('.')} ${JSON.stringify(name)} is not valid: ${problem}`;
  error('bundle/invalid-csv-name', [csv, path], message, 'write <package>.v<version>, at most 63 characters');
}

function checkVersions(csv: BundleObject, { error, warn }: Report): void {
  const spec = mapOf(csv.value['spec']);
  const version = textOf(spec['version']);
  if (version === '' && typeof (spec['version'] ?? '') === 'string') {
    const message = 'spec.version is missing; catalogs order the versions of an operator by it';
    error('bundle/missing-field', [csv, ['spec']], message, 'write spec.version, such as 0.1.0');
  } else if (version !== '' && !isSemver(version)) {
    const message = `spec.version ${JSON.stringify(version)} is not a semantic version`;
    error(
      'bundle/invalid-version',
      [csv, ['spec', 'version']],
      message,
      'write three numbers, such as 0.1.0, without v',
    );
  }
  const least = textOf(spec['minKubeVersion']);
  // Values that are no text are reported by their shape.
  if (typeof (spec['minKubeVersion'] ?? '') !== 'string') return;
  if (least.trim() === '') {
    const message = 'spec.minKubeVersion is missing, so OLM installs the operator on a Kubernetes of any age';
    warn(
      'bundle/no-min-kube-version',
      [csv, ['spec']],
      message,
      'write the oldest version that it works on, such as 1.32.0',
    );
  } else if (!isSemver(least)) {
    const message = `spec.minKubeVersion ${JSON.stringify(least)} is not a semantic version`;
    const fix = /^\d+\.\d+$/.test(least) ? `write ${least}.0` : 'write three numbers, such as 1.32.0';
    error('bundle/invalid-version', [csv, ['spec', 'minKubeVersion']], message, fix);
  }
}

const releaseForm =
  /^(?:0|[1-9]\d*|\d*[A-Za-z-][0-9A-Za-z-]*)(?:\.(?:0|[1-9]\d*|\d*[A-Za-z-][0-9A-Za-z-]*))*$/;

/** A CSV with a release has a name that says so. */
function checkRelease(bundle: LoadedBundle, csv: BundleObject, { error }: Report): void {
  const release = textOf(fieldAt(csv.value, 'spec', 'release'));
  if (release === '') return;
  if (!releaseForm.test(release) || release.length > 20) {
    const message = `spec.release ${JSON.stringify(release)} is not valid: identifiers with dots between them, at most 20 characters`;
    error('bundle/invalid-version', [csv, ['spec', 'release']], message, 'write a number, such as 1');
    return;
  }
  const name = annotationOf(bundle, annotationKeys.package) ?? '';
  const wanted = `${name}-v${textOf(fieldAt(csv.value, 'spec', 'version'))}-${release}`;
  if (csv.name === wanted) return;
  const message = `the name is ${csv.name}; with spec.release it must be ${wanted}`;
  error(
    'bundle/release-name',
    [csv, ['metadata', 'name']],
    message,
    `write ${wanted}, or remove spec.release`,
  );
}

function checkAnnotationKeys(csv: BundleObject, { error, warn }: Report): void {
  for (const key of Object.keys(mapOf(mapOf(csv.value['metadata'])['annotations']))) {
    const path = ['metadata', 'annotations', key];
    const right = caseSensitive.find((known) => known.toLowerCase() === key.toLowerCase());
    if (right !== undefined && right !== key)
      error(
        'bundle/annotation-case',
        [csv, path],
        `OLM does not find the annotation ${key}`,
        `write ${right}`,
      );
    if (key === 'olm.properties') {
      const message = 'the annotation olm.properties is the old place of properties';
      warn('bundle/properties-annotation', [csv, path], message, 'move them to metadata/properties.yaml');
    }
  }
}

function checkRelatedImages(csv: BundleObject, { error }: Report): void {
  for (const [index, entry] of listOf(fieldAt(csv.value, 'spec', 'relatedImages')).entries()) {
    const { image } = mapOf(entry);
    const path = ['spec', 'relatedImages', index];
    if (image === undefined || image === null || image === '') {
      const message = `spec.relatedImages[${index}] names no image`;
      error('bundle/invalid-image', [csv, path], message, 'write its image, or remove the entry');
      continue;
    }
    const problem = typeof image === 'string' ? imageNameProblem(image) : undefined;
    if (problem === undefined) continue;
    const message = `spec.relatedImages[${index}].image ${JSON.stringify(image)} is not valid: ${problem}`;
    const fix = 'write registry/repository:tag or registry/repository@sha256:…';
    error('bundle/invalid-image', [csv, [...path, 'image']], message, fix);
  }
}
