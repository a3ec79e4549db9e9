import type { BundleObject } from '../types.ts';
import { csvDeployments, deploymentsPath } from '../csv-fields.ts';
import { fieldAt, listOf, mapOf, textsOf } from '../fields.ts';
import { isJsonMap, asText } from '../../../../base/util/json-map.ts';
import { isSemver } from '../semver.ts';
import { ruleModule, type BundleRules, type Check, type Report } from './rule.ts';
import type { SharedRules } from './shared.ts';

const rules = {
  'bundle/no-resource-requests': {
    validators: { 'good-practices': 'warning' },
    title: 'A container of the operator has no resource requests',
    explain:
      'A warning. Without resources.requests the scheduler cannot plan for the operator, and a quota may refuse its Pods.',
  },
  'bundle/no-crd-description': {
    validators: { 'good-practices': 'warning' },
    title: 'A kind of the operator has no description',
    explain: 'A warning. Consoles show the description of each entry of spec.customresourcedefinitions.',
  },
  'bundle/creates-crds': {
    validators: { 'good-practices': 'warning' },
    title: 'The operator may create CustomResourceDefinitions',
    explain:
      'A warning. Definitions that an operator creates are not known to OLM, which then neither updates them nor finds conflicts with other operators.',
  },
  'bundle/name-convention': {
    validators: { 'good-practices': 'warning' },
    title: 'The name of the ClusterServiceVersion is unusual',
    explain: 'A warning. By convention it is <operator>.v<version>, such as memcached-operator.v0.1.0.',
  },
} as const satisfies BundleRules;

type Rules = typeof rules & SharedRules;

/**
 * Checks the ClusterServiceVersion for the conventions of the validator `good-practices`. Source: operator-framework/api
 * `good_practices.go`.
 */
const checkGoodPractices: Check<Rules, 'good-practices'> = ({ csv }, report) => {
  if (csv === undefined) return;
  checkRequests(csv, report);
  checkDescriptions(csv, report);
  checkDefinitionRights(csv, report);
  checkName(csv, report);
};

function checkRequests(csv: BundleObject, { error, warn }: Report<Rules, 'good-practices'>): void {
  if (!Array.isArray(fieldAt(csv.value, ...deploymentsPath))) {
    const message = 'the ClusterServiceVersion has no deployments';
    error('bundle/no-deployment', [csv, ['spec', 'install']], message, 'deploy the operator as a Deployment');
    return;
  }
  for (const { spec, path } of csvDeployments(csv)) {
    for (const [index, container] of listOf(fieldAt(spec, 'template', 'spec', 'containers')).entries()) {
      const { name, resources } = mapOf(container);
      if (isJsonMap(mapOf(resources)['requests'])) continue;
      warn(
        'bundle/no-resource-requests',
        [csv, [...path, 'spec', 'template', 'spec', 'containers', index]],
        `the container ${asText(name)} has no resource requests, so the scheduler cannot plan for it and a quota may refuse it`,
        'write resources.requests with cpu and memory',
      );
    }
  }
}

function checkDescriptions(csv: BundleObject, { warn }: Report<Rules, 'good-practices'>): void {
  for (const list of ['owned', 'required']) {
    const path = ['spec', 'customresourcedefinitions', list];
    for (const [index, entry] of listOf(fieldAt(csv.value, ...path)).entries()) {
      const { name, description } = mapOf(entry);
      if (asText(description) !== '') continue;
      const message = `the ${list} CustomResourceDefinition ${asText(name)} has no description`;
      warn('bundle/no-crd-description', [csv, [...path, index]], message, 'say what the kind is for');
    }
  }
}

const resources = ['customresourcedefinitions', '*', '[*]'];

const verbs = ['create', '*', '[*]', 'patch'];

/** Warns if the operator may create CRDs, at most once per bundle. */
function checkDefinitionRights(csv: BundleObject, { warn }: Report<Rules, 'good-practices'>): void {
  for (const list of ['permissions', 'clusterPermissions']) {
    const path = ['spec', 'install', 'spec', list];
    for (const [index, entry] of listOf(fieldAt(csv.value, ...path)).entries()) {
      const at = listOf(mapOf(entry)['rules']).findIndex((value) => {
        const rule = mapOf(value);
        return (
          textsOf(rule['apiGroups']).includes('apiextensions.k8s.io') &&
          textsOf(rule['resources']).some((resource) => resources.includes(resource)) &&
          textsOf(rule['verbs']).some((verb) => verbs.includes(verb))
        );
      });
      if (at < 0) continue;
      warn(
        'bundle/creates-crds',
        [csv, [...path, index, 'rules', at]],
        'the operator may create CustomResourceDefinitions, which OLM then neither updates nor checks',
        'put the definitions into the bundle, or depend on the operator that has them',
      );
      return;
    }
  }
}

const versionForm = /[0-9]+\.[0-9]+\.[0-9]+(?:-[0-9A-Za-z-]+(?:\.[0-9A-Za-z-]+)*)?(?:\+[0-9A-Za-z-]+)?$/;

function checkName(csv: BundleObject, { warn }: Report<Rules, 'good-practices'>): void {
  const place = [csv, ['metadata', 'name']] as const;
  const fix = 'write <operator>.v<version>, such as memcached-operator.v0.1.0';
  const [version] = versionForm.exec(csv.name) ?? [];
  if (version === undefined || !isSemver(version))
    warn('bundle/name-convention', place, `the name ${csv.name} does not end with a semantic version`, fix);
  if (csv.name.split('.v').length !== 2)
    warn(
      'bundle/name-convention',
      place,
      `the name ${csv.name} is not of the form <operator>.v<version>`,
      fix,
    );
}

export const practiceRules = ruleModule<typeof rules, Rules>(rules, {
  'good-practices': [checkGoodPractices],
});
