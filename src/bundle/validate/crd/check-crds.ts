import type { BundleObject, Check, FieldPath, LoadedBundle, Report } from '../types.ts';
import { isMap } from '../../json.ts';
import { mapOf, textOf } from '../fields.ts';
import { subdomainProblem } from '../name-rules.ts';
import { checkConversion } from './check-conversion.ts';
import { checkCrdNames } from './check-names.ts';
import { checkVersions } from './check-versions.ts';

/** Says that the API server would refuse the CRD. */
export type Refuse = (path: FieldPath, message: string, fix: string) => void;

/** Groups that the API server gives only to approved APIs. Source: apiextensions `apihelpers.IsProtectedCommunityGroup`. */
const reservedGroup = /(?:^|\.)(?:k8s|kubernetes)\.io$/;
const servedVersion = 'apiextensions.k8s.io/v1';
const approval = 'api-approved.kubernetes.io';

/**
 * The CustomResourceDefinitions as the API server checks them, but for expressions of CEL.
 * Source: apiextensions-apiserver `pkg/apis/apiextensions/validation/validation.go`.
 */
export const checkCrds: Check = (bundle, report) => {
  for (const crd of bundle.crds) if (crd.apiVersion === servedVersion) checkCrd(crd, report);
  checkApiVersions(bundle, report);
};

function checkApiVersions({ crds }: LoadedBundle, { error }: Report): void {
  for (const object of crds) {
    if (object.apiVersion === servedVersion) continue;
    error(
      'bundle/removed-crd-version',
      [object, ['apiVersion']],
      `no supported Kubernetes has ${object.apiVersion} CustomResourceDefinition; v1beta1 ended with 1.22`,
      'write it as apiextensions.k8s.io/v1',
    );
  }
}

function checkCrd(crd: BundleObject, report: Report): void {
  const refuse: Refuse = (path, message, fix) =>
    report.error('bundle/invalid-crd', [crd, path], message, fix);
  const { spec } = crd.value;
  if (!isMap(spec)) {
    refuse([], 'the CustomResourceDefinition has no spec', 'write it');
    return;
  }
  const group = textOf(spec['group']);
  checkGroup(crd, group, refuse);
  const scope = spec['scope'];
  if (scope !== 'Namespaced' && scope !== 'Cluster') {
    const message =
      scope === undefined ? 'spec.scope is missing' : `there is no scope ${JSON.stringify(scope)}`;
    refuse(scope === undefined ? ['spec'] : ['spec', 'scope'], message, 'write Namespaced or Cluster');
  }
  if (spec['preserveUnknownFields'] === true) {
    const fix = 'write x-kubernetes-preserve-unknown-fields: true into the schema instead';
    refuse(['spec', 'preserveUnknownFields'], 'spec.preserveUnknownFields cannot be true any more', fix);
  }
  checkCrdNames(mapOf(spec['names']), refuse);
  const name = `${textOf(mapOf(spec['names'])['plural'])}.${group}`;
  if (crd.name !== '' && crd.name !== name) {
    const message = `the name is ${crd.name}; it must be <plural>.<group>, which is ${name}`;
    refuse(['metadata', 'name'], message, `write ${name}`);
  }
  checkVersions(crd, spec, refuse, report);
  checkConversion(spec['conversion'], refuse);
}

function checkGroup(crd: BundleObject, group: string, refuse: Refuse): void {
  const problem = subdomainProblem(group) ?? (group.includes('.') ? undefined : 'it has no dot');
  if (problem !== undefined) {
    const message = `spec.group ${JSON.stringify(group)} is not valid: ${problem}`;
    refuse(['spec', 'group'], message, 'write a domain name, such as cache.example.com');
  }
  if (!reservedGroup.test(group)) return;
  const value = textOf(mapOf(mapOf(crd.value['metadata'])['annotations'])[approval]);
  // A URL of the review, or "unapproved" and why. Source: apiextensions `apihelpers.GetAPIApprovalState`.
  if (value.startsWith('unapproved') || isUrl(value)) return;
  refuse(
    ['spec', 'group'],
    `the group ${group} is reserved for approved APIs of Kubernetes, and the annotation ${approval} names no approval`,
    'use a group below a domain of your own',
  );
}

function isUrl(value: string): boolean {
  return URL.canParse(value) && new URL(value).host !== '';
}
