import type { Check, BundleObject, Report } from '../types.ts';
import { csvDeployments, deploymentsPath } from '../csv-fields.ts';
import { fieldAt, listOf, mapOf, textsOf } from '../fields.ts';
import { isJsonMap, asText } from '../../../../base/util/json-map.ts';
import { isSemver } from '../semver.ts';

/** Source: operator-framework/api `good_practices.go`. */
export const checkGoodPractices: Check<'good-practices'> = ({ csv }, report) => {
  if (csv === undefined) return;
  checkRequests(csv, report);
  checkDescriptions(csv, report);
  checkDefinitionRights(csv, report);
  checkName(csv, report);
};

function checkRequests(csv: BundleObject, { error, warn }: Report<'good-practices'>): void {
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

function checkDescriptions(csv: BundleObject, { warn }: Report<'good-practices'>): void {
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

/** One warning for the bundle. */
function checkDefinitionRights(csv: BundleObject, { warn }: Report<'good-practices'>): void {
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

function checkName(csv: BundleObject, { warn }: Report<'good-practices'>): void {
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
