import { reportRemovedApis } from '../removed-apis.ts';
import { reportCapabilities, reportCategories } from '../standard-values.ts';
import { reportAnnotationNames } from '../annotations.ts';
import { reportHubMetadata } from '../hub-metadata.ts';
import { ruleModule, type BundleRules, type Check } from './rule.ts';
import type { SharedRules } from './shared.ts';

const rules = {
  'bundle/no-provider': {
    validators: { operatorhubv2: 'error', operatorhub: 'error' },
    title: 'Nobody is named as the provider of the operator',
    explain: 'OperatorHub.io shows spec.provider.name of the ClusterServiceVersion beside the operator.',
  },
  'bundle/invalid-maintainer': {
    validators: { operatorhubv2: 'error', operatorhub: 'error' },
    title: 'A maintainer of the operator cannot be reached',
    explain:
      'Each entry of spec.maintainers has a name and a mail address (RFC 5322), which OperatorHub.io shows.',
  },
  'bundle/invalid-link': {
    validators: { operatorhubv2: 'error', operatorhub: 'error' },
    title: 'A link of the operator leads nowhere',
    explain: 'Each entry of spec.links has a name and a URL, which OperatorHub.io shows.',
  },
  'bundle/no-version': {
    validators: { operatorhubv2: 'error', operatorhub: 'error' },
    title: 'The operator has no version',
    explain: 'OperatorHub.io lists operators by spec.version, which must be above 0.0.0.',
  },
  'bundle/no-icon': {
    validators: { operatorhubv2: 'warning', operatorhub: 'warning' },
    title: 'The operator has no icon',
    explain: 'A warning. Catalogues show a placeholder for an operator without spec.icon.',
  },
  'bundle/capability-level': {
    validators: { capabilities: 'error', operatorhub: 'error' },
    title: 'Unknown capability level',
    explain:
      'The annotation capabilities of the ClusterServiceVersion is one of Basic Install, Seamless Upgrades, Full Lifecycle, Deep Insights and Auto Pilot; catalogues filter by it.',
  },
  'bundle/category': {
    validators: { categories: 'error', operatorhub: 'error' },
    title: 'Unknown category',
    explain:
      'The annotation categories of the ClusterServiceVersion has names of categories with commas between them; catalogues filter by it. The variable OPERATOR_BUNDLE_CATEGORIES may name a JSON file with other categories: {"categories": ["name"]}.',
  },
  'bundle/deprecated-validator': {
    validators: { operatorhub: 'warning' },
    title: 'The validator is deprecated',
    explain:
      'A warning. operatorhub is the former name of operatorhubv2, capabilities and categories together.',
  },
} as const satisfies BundleRules;

type Rules = typeof rules & SharedRules;

/** Checks a bundle by the rules of the validator `operatorhubv2`. Source: operator-framework/api `operatorhubv2.go`. */
const checkOperatorHubV2: Check<Rules, 'operatorhubv2'> = (bundle, report, settings) => {
  if (bundle.csv === undefined) return;
  reportHubMetadata(bundle.csv, report);
  reportRemovedApis(bundle, report, settings);
};

/** Checks a bundle by the rules of the validator `operatorhub`. Source: operator-framework/api `operatorhub.go`. */
const checkOperatorHub: Check<Rules, 'operatorhub'> = async (bundle, report, settings) => {
  const { csv, dir } = bundle;
  if (csv !== undefined) {
    reportHubMetadata(csv, report);
    reportCapabilities(csv, report);
    await reportCategories(csv, report, settings);
    reportRemovedApis(bundle, report, settings);
  }
  const message = 'the validator operatorhub is deprecated';
  report.warn(
    'bundle/deprecated-validator',
    { file: dir },
    message,
    'select operatorhubv2, capabilities and categories',
  );
};

const apiVersions = ['operators.coreos.com/v1', 'operators.coreos.com/v1alpha2'];

/** Checks the OperatorGroups of a bundle. Source: operator-framework/api `operatorgroup.go`. */
const checkOperatorGroups: Check<Rules, 'operatorgroup'> = ({ objects }, report) => {
  for (const object of objects)
    if (object.kind === 'OperatorGroup' && apiVersions.includes(object.apiVersion))
      reportAnnotationNames(object, report);
};

/** Checks the categories of the operator. Source: operator-framework/api `standardcategories.go`. */
const checkCategories: Check<Rules, 'categories'> = async ({ csv }, report, settings) => {
  if (csv !== undefined) await reportCategories(csv, report, settings);
};

/** Checks the capability level of the operator. Source: operator-framework/api `standardcapabilities.go`. */
const checkCapabilities: Check<Rules, 'capabilities'> = ({ csv }, report) => {
  if (csv !== undefined) reportCapabilities(csv, report);
};

/** Reports APIs that Kubernetes removed. Source: operator-framework/api `removed_apis.go` `AlphaDeprecatedAPIsValidator`. */
const checkDeprecatedApis: Check<Rules, 'alpha-deprecated-apis'> = (bundle, report, settings) =>
  reportRemovedApis(bundle, report, settings);

export const hubRules = ruleModule<typeof rules, Rules>(rules, {
  operatorhubv2: [checkOperatorHubV2],
  operatorhub: [checkOperatorHub],
  capabilities: [checkCapabilities],
  categories: [checkCategories],
  'alpha-deprecated-apis': [checkDeprecatedApis],
  operatorgroup: [checkOperatorGroups],
});
