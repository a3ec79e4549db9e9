import { annotationKeys, annotationOf } from '../../annotations.ts';
import { serviceAccountOf, csvDeployments } from '../../csv-deployments.ts';
import { fieldAt, listOf, mapOf, textOf } from '../../fields.ts';
import { imageNameProblem } from '../../image-name.ts';
import type { Check } from '../../types.ts';

/** Accounts that OLM creates are in no file. Source: operator-framework/api `bundle.go` `validateServiceAccounts`. */
export const checkServiceAccounts: Check<'bundle'> = ({ csv, objects }, { error }) => {
  if (csv === undefined) return;
  const used = new Set(csvDeployments(csv).map(serviceAccountOf));
  for (const account of objects) {
    if (account.apiVersion !== 'v1' || account.kind !== 'ServiceAccount' || !used.has(account.name)) continue;
    error(
      'bundle/service-account-clash',
      [account, ['metadata', 'name']],
      `a deployment of the ClusterServiceVersion runs as the ServiceAccount ${account.name}, which OLM creates; the one in this file would clash with it`,
      'remove the file, or give the account another name',
    );
  }
};

/** A CSV with a release has a name that says so. Source: operator-framework/api `bundle.go` `validateBundleName`. */
export const checkReleaseName: Check<'bundle'> = (bundle, { error }) => {
  const { csv } = bundle;
  if (csv === undefined) return;
  const release = textOf(fieldAt(csv.value, 'spec', 'release'));
  if (release === '') return;
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
};

/** Source: operator-framework/api `bundle.go` `validateRelatedImages`. */
export const checkRelatedImages: Check<'bundle'> = ({ csv }, { error }) => {
  if (csv === undefined) return;
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
};
