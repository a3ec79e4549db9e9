import type { DefaultValidator } from '../rules/validators.ts';
import type { Check, BundleObject, FieldPath, Report, LoadedBundle } from '../types.ts';
import { annotationIn, annotationKeys, reportAnnotationNames } from '../annotations.ts';
import { olmV1Problems } from '../../olm-v1.ts';
import { allRemoved } from '../removed-apis.ts';
import { bundleObjectName, csvNameProblem } from '../owned-kinds.ts';
import { judgeDefinition } from '../crd-violations.ts';
import { reportMinKubeVersion, installModesOf, installModesPath } from '../csv-fields.ts';
import { fieldAt, listOf, mapOf, textOf } from '../fields.ts';
import { parseTolerantVersion, isRelease } from '../semver.ts';
import { shapeProblems } from '../csv-shape/shape-problems.ts';
import { severityOf } from '../../../../base/errors/index.ts';
import {
  checkOwnedCrds,
  checkRelatedImages,
  checkReleaseName,
  checkServiceAccounts,
  checkBundleSize,
} from './bundle/check-owned-crds.ts';
import { checkExamples, checkRequiredFields, checkBundleObjects } from './csv/check-csv.ts';
import { checkAnnotations, checkDependencies } from './format/check-annotations.ts';
import {
  checkAnnotationValues,
  checkProperties,
  checkTexts,
  checkIconContent,
} from './opsdk/check-texts-and-annotations.ts';
import { checkDeployments, checkBudgets, checkShape } from './opsdk/check-deployments.ts';
import { checkDockerfile } from './opsdk/check-dockerfile.ts';
import { checkObjectsFurther } from './opsdk/check-objects.ts';
import { checkWebhooks } from './opsdk/check-webhooks.ts';
import { jsonMapOf } from '../../../../base/util/json-map.ts';

/** Reports what the API server refuses in definitions and operator-framework's validator leaves out: their schemas, above all. */
const checkSchemas: Check<'opsdk'> = (bundle, report) => {
  for (const crd of bundle.crds) {
    if (crd.apiVersion !== 'apiextensions.k8s.io/v1')
      report.error(
        'bundle/removed-crd-version',
        [crd, ['apiVersion']],
        `no supported Kubernetes has ${crd.apiVersion} CustomResourceDefinition; v1beta1 ended with 1.22`,
        'write it as apiextensions.k8s.io/v1',
      );
    for (const { path, code, message, fix } of judgeDefinition(crd).dropped) {
      if (severityOf(code) === 'error') report.error(code as 'crd/form', [crd, path], message, fix);
      else report.warn(code as 'crd/unknown-field', [crd, path], message, fix);
    }
  }
  for (const crd of sameNames(bundle))
    report.error(
      'bundle/duplicate-crd',
      [crd, ['metadata', 'name']],
      `the bundle has the CustomResourceDefinition ${crd.name} twice`,
      'remove one of the two files',
    );
};

/** All but the first CRD of each name, where they define different versions. Source: operator-controller `CheckCRDResourceUniqueness`. */
function sameNames({ crds }: LoadedBundle): readonly BundleObject[] {
  const seen = new Set<string>();
  return crds.filter(({ name }) => {
    const isTwice = seen.has(name) && name !== '';
    seen.add(name);
    return isTwice;
  });
}

/** `metadata.name` and `spec.replaces`. Source: operator-framework/api `csv.go` `parseCSVNameFormat`. */
const checkCsvNames: Check<'csv'> = ({ csv }, report) => {
  if (csv === undefined) return;
  checkName(csv, ['metadata', 'name'], csv.name, report);
  const replaces = textOf(fieldAt(csv.value, 'spec', 'replaces'));
  if (replaces !== '') checkName(csv, ['spec', 'replaces'], replaces, report);
};

function checkName(csv: BundleObject, path: FieldPath, name: string, { error }: Report<'csv'>): void {
  const problem = csvNameProblem(name);
  if (problem === undefined) return;
  const message = `${path.join('.')} ${JSON.stringify(name)} is not valid: ${problem}`;
  error('bundle/invalid-csv-name', [csv, path], message, 'write <package>.v<version>, at most 63 characters');
}

/** Source: operator-framework/api `csv.go` `validateVersionKind`. */
const checkApiVersion: Check<'csv'> = ({ csv }, { error }) => {
  if (csv === undefined) return;
  const [group, version, more] = csv.apiVersion.split('/');
  const isGiven = more === undefined && (version ?? group) !== '';
  if (isGiven) return;
  const message = `the ClusterServiceVersion has the apiVersion ${JSON.stringify(csv.apiVersion)}, which names no version`;
  error('bundle/missing-field', [csv, ['apiVersion']], message, 'write operators.coreos.com/v1alpha1');
};

/** `spec.minKubeVersion`. Source: operator-framework/api `csv.go` `validateMinKubeVersion`. */
const checkMinKubeVersion: Check<'csv'> = ({ csv }, report) => {
  if (csv !== undefined) reportMinKubeVersion(csv, report);
};

/**
 * `spec.installModes`: at least one that is supported; with conversion webhooks, AllNamespaces and no other.
 * Source: operator-framework/api `csv.go` `validateInstallModes`.
 */
const checkInstallModes: Check<'csv'> = ({ csv }, { error }) => {
  if (csv === undefined) return;
  const modes = installModesOf(csv);
  if (modes.length === 0) {
    const message = 'spec.installModes is missing, so OLM cannot install the operator anywhere';
    error('bundle/install-modes', [csv, ['spec']], message, 'write {type: AllNamespaces, supported: true}');
    return;
  }
  if (!modes.some(({ supported }) => supported)) {
    const message = 'no install mode is supported, so OLM cannot install the operator anywhere';
    error('bundle/install-modes', [csv, installModesPath], message, 'write supported: true for one of them');
  }
  const isOnlyAll = modes.every(({ type, supported }) => supported === (type === 'AllNamespaces'));
  const webhooks = ['spec', 'webhookdefinitions'] as const;
  for (const [index, entry] of listOf(fieldAt(csv.value, ...webhooks)).entries()) {
    const { generateName, conversionCRDs } = mapOf(entry);
    if (isOnlyAll || listOf(conversionCRDs).length === 0) continue;
    error(
      'bundle/conversion-webhook',
      [csv, [...webhooks, index]],
      `the webhook ${textOf(generateName)} converts objects of all namespaces, but other install modes than AllNamespaces are supported, or that one is not`,
      'support the install mode AllNamespaces only',
    );
  }
};

/** Values that Go cannot read into its types: nobody sees the bundle then. Source: operator-framework/api `bundleloader.go` `loadBundle`. */
const checkDecoding: Check<'format'> = ({ csv, crds }, { error }) => {
  for (const crd of crds)
    for (const { path, message, fix } of judgeDefinition(crd).undecodable)
      error('crd/form', [crd, path], message, fix);
  if (csv === undefined) return;
  for (const { path, message, fix, isReadable } of shapeProblems(csv))
    if (!isReadable) error('bundle/invalid-field', [csv, path], message, fix);
  const version = fieldAt(csv.value, 'spec', 'version');
  if (typeof version === 'string' && parseTolerantVersion(version) === undefined) {
    const message = `spec.version ${JSON.stringify(version)} is not a semantic version`;
    error(
      'bundle/invalid-version',
      [csv, ['spec', 'version']],
      message,
      'write three numbers, such as 0.1.0, without v',
    );
  }
  const release = fieldAt(csv.value, 'spec', 'release');
  if (typeof release === 'string' && !isRelease(release)) {
    const message = `spec.release ${JSON.stringify(release)} is not valid: identifiers with dots between them`;
    error('bundle/invalid-version', [csv, ['spec', 'release']], message, 'write a number, such as 1');
  }
};

const usual = ['candidate', 'fast', 'stable'];

/** Names of channels by convention. Source: operator-framework/api `good_practices.go` `validateHubChannels`, which operator-sdk never reaches. */
const checkChannelNames: Check<'opsdk'> = ({ annotations: file }, { warn }, { selected }) => {
  // Who asks for conventions hears of them.
  if (file === undefined || !selected.has('good-practices')) return;
  for (const key of [annotationKeys.channels, annotationKeys.defaultChannel]) {
    const names = (annotationIn(file, key) ?? '').split(',').map((name) => name.trim());
    const odd = names.filter((name) => name !== '' && !usual.some((prefix) => name.startsWith(prefix)));
    if (odd.length === 0) continue;
    const message = `the names of channels begin with ${usual.join(', ')} by convention, got ${odd.join(', ')}`;
    warn(
      'bundle/channel-name',
      [file, ['annotations', key]],
      message,
      'rename it, or keep it if users know it',
    );
    return;
  }
};

const known = ['OwnNamespace', 'SingleNamespace', 'MultiNamespace', 'AllNamespaces'];

/** Install modes that the CRD of ClusterServiceVersions refuses, or of which one is lost. */
const checkModes: Check<'opsdk'> = ({ csv }, { error }) => {
  if (csv === undefined) return;
  const modes = installModesOf(csv).map(({ type }) => type);
  for (const [index, mode] of modes.entries()) {
    const place = [csv, [...installModesPath, index, 'type']] as const;
    if (mode !== '' && !known.includes(mode)) {
      const message = `unknown install mode ${mode}; expected one of ${known.join(', ')}`;
      error('bundle/install-modes', place, message, 'correct its name');
    } else if (mode !== '' && modes.indexOf(mode) < index) {
      const message = `the install mode ${mode} is listed twice`;
      error('bundle/install-modes', place, message, 'remove one of the two');
    }
  }
};

/** Source: operator-framework/api `crd.go`; apiextensions `ValidateCustomResourceDefinition`. */
const checkDefinitionRules: Check<'crd'> = ({ crds }, { error }) => {
  for (const crd of crds) {
    const namespace = crdNamespaceOf(crd);
    if (namespace !== '')
      error(
        'bundle/namespaced-object',
        [crd, ['metadata', 'namespace']],
        `the CustomResourceDefinition ${crd.name} has the namespace ${namespace}; definitions have none`,
        'remove metadata.namespace',
      );
    if (crd.name === '')
      error('crd/name', [crd, ['metadata']], 'the definition has no metadata.name', 'write <plural>.<group>');
    for (const { path, code, message, fix } of judgeDefinition(crd).upstream)
      error(code as 'crd/form', [crd, path], message, fix);
  }
};

/** Objects of versions that no supported Kubernetes has. Definitions of v1beta1 are reported with the definitions. */
const checkRemovedApis: Check<'opsdk'> = ({ objects }, { error }) => {
  for (const object of objects) {
    const minor =
      object.kind === 'CustomResourceDefinition' ? undefined : allRemoved(object.apiVersion, object.kind);
    if (minor === undefined) continue;
    error(
      'bundle/removed-api',
      [object, ['apiVersion']],
      `${bundleObjectName(object)} is of ${object.apiVersion}, which Kubernetes 1.${minor} removed`,
      `use the version that follows: https://kubernetes.io/docs/reference/using-api/deprecation-guide/#v1-${minor}`,
    );
  }
};

/** Reports what OLM v1 would refuse in a bundle that OLM v0 installs: warnings, as an operator may be for OLM v0 only. */
const checkOlmV1: Check<'opsdk'> = ({ csv, dependencies, properties }, { warn }) => {
  if (csv === undefined) return;
  const documents = { csv, dependencies, properties };
  const problems = olmV1Problems({
    csv: csv.value,
    dependencies: dependencies?.value,
    properties: properties?.value,
  });
  for (const { document, path, message, fix } of problems)
    warn('bundle/not-for-olm-v1', [documents[document] ?? csv, path], message, ...fix);
};

/** Refuses what cannot be read as an object at all. Source: apimachinery `Unstructured.UnmarshalJSON`. */
const checkSupportedKinds: Check<'format'> = ({ objects }, { error }) => {
  for (const object of objects) {
    if (object.kind === '')
      error(
        'io/not-an-object',
        [object, []],
        'the object has no kind',
        'complete the object, or remove the file',
      );
  }
};

/** Source: operator-framework/api `annotations.go` `ValidateAnnotationNames`. */
const checkAnnotationNames: Check<'csv'> = ({ csv }, report) => {
  if (csv !== undefined) reportAnnotationNames(csv, report);
};

/** The rules of the validators that always run. */
export const defaultChecks: { readonly [V in DefaultValidator]: readonly Check<V>[] } = {
  format: [checkSupportedKinds, checkAnnotations, checkDependencies, checkDecoding],
  content: [checkBundleObjects],
  bundle: [checkOwnedCrds, checkServiceAccounts, checkBundleSize, checkReleaseName, checkRelatedImages],
  csv: [
    checkCsvNames,
    checkExamples,
    checkInstallModes,
    checkMinKubeVersion,
    checkRequiredFields,
    checkAnnotationNames,
    checkApiVersion,
  ],
  crd: [checkDefinitionRules],
  opsdk: [
    checkObjectsFurther,
    checkRemovedApis,
    checkBudgets,
    checkAnnotationValues,
    checkChannelNames,
    checkProperties,
    checkShape,
    checkModes,
    checkOlmV1,
    checkIconContent,
    checkTexts,
    checkDeployments,
    checkWebhooks,
    checkSchemas,
    checkDockerfile,
  ],
};

/** Returns the namespace of a definition, which none can have. */
function crdNamespaceOf(crd: BundleObject): string {
  const { namespace } = jsonMapOf(crd.value['metadata']);
  return typeof namespace === 'string' ? namespace : '';
}
