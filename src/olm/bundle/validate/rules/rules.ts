import type { CodesOf, FindingCode } from '../../../../base/errors/index.ts';
import { validatorNames, type ValidatorName } from './validators.ts';

/** Level of a rule: `either` depends on the bundle or on the options. */
type RuleLevel = 'error' | 'warning' | 'either';

/** Rules by which CustomResourceDefinitions are judged at every door; `crd` and `opsdk` share it. */
const ofDefinitions = {
  'crd/form': 'error',
  'crd/unknown-field': 'warning',
  'crd/group': 'error',
  'crd/reserved-group': 'error',
  'crd/kind': 'error',
  'crd/name': 'error',
  'crd/metadata': 'error',
  'crd/version': 'error',
  'crd/duplicate-version': 'error',
  'crd/storage-version': 'error',
  'crd/deprecation': 'error',
  'crd/printer-column': 'error',
  'crd/printer-column-path': 'warning',
  'crd/printer-column-type': 'warning',
  'crd/repeated-column': 'warning',
  'crd/scale': 'error',
  'crd/scale-path': 'warning',
  'crd/selectable-field': 'error',
  'crd/conversion': 'error',
  'crd/schema': 'error',
  'crd/cel-rule': 'error',
  'crd/preserve-unknown-fields': 'error',
  'crd/too-large': 'error',
  'crd/nearly-too-large': 'warning',
} as const satisfies Readonly<Record<CodesOf<'crd'>, RuleLevel>>;

/** Rules of OperatorHub.io: both of its validators. */
const ofHub = {
  'bundle/no-provider': 'error',
  'bundle/invalid-maintainer': 'error',
  'bundle/invalid-link': 'error',
  'bundle/no-version': 'error',
  'bundle/invalid-icon': 'error',
  'bundle/no-icon': 'warning',
  'bundle/no-min-kube-version': 'warning',
  'bundle/invalid-version': 'error',
  'bundle/removed-api': 'either',
} as const;

const ofAnnotations = {
  'bundle/annotation-case': 'error',
  'bundle/properties-annotation': 'warning',
} as const;

/**
 * Every rule: which validator has it, and at which level. The only list of them: what may be reported (by type), `explain`, and
 * docs/validation-rules.md follow it. A code that several validators have is one fault that each of them reports.
 */
export const rules = {
  format: {
    'bundle/missing-folder': 'error',
    'bundle/unexpected-file': 'error',
    'bundle/not-a-manifest': 'error',
    'bundle/empty-first-document': 'error',
    'bundle/no-annotations': 'error',
    'bundle/missing-annotation': 'error',
    'bundle/invalid-annotation': 'error',
    'bundle/invalid-dependency': 'error',
    'bundle/several-csvs': 'error',
    'bundle/invalid-field': 'error',
    'bundle/removed-crd-version': 'error',
    'bundle/invalid-version': 'error',
    'crd/form': 'error',
    'io/not-an-object': 'error',
    'io/cannot-read': 'error',
    'io/too-large': 'error',
    'io/yaml-syntax': 'error',
    'io/yaml-not-json': 'error',
  },
  content: {
    'bundle/no-csv': 'error',
    'bundle/kind-not-supported': 'error',
    'bundle/invalid-metadata': 'error',
    'bundle/namespaced-object': 'error',
    'io/not-an-object': 'error',
  },
  bundle: {
    'bundle/duplicate-crd': 'error',
    'bundle/owned-crd-missing': 'error',
    'bundle/crd-not-owned': 'error',
    'bundle/service-account-clash': 'error',
    'bundle/too-large': 'error',
    'bundle/nearly-too-large': 'warning',
    'bundle/release-name': 'error',
    'bundle/invalid-image': 'error',
  },
  csv: {
    'bundle/invalid-csv-name': 'error',
    'bundle/no-example': 'warning',
    'bundle/two-examples': 'warning',
    'bundle/invalid-example': 'error',
    'bundle/invalid-crd-name': 'error',
    'bundle/example-without-api': 'error',
    'bundle/install-modes': 'error',
    'bundle/conversion-webhook': 'error',
    'bundle/no-min-kube-version': 'warning',
    'bundle/invalid-version': 'error',
    'bundle/missing-field': 'error',
    ...ofAnnotations,
  },
  crd: { ...ofDefinitions, 'bundle/namespaced-object': 'error' },
  operatorhubv2: ofHub,
  capabilities: { 'bundle/capability-level': 'error' },
  categories: { 'bundle/category': 'error' },
  'alpha-deprecated-apis': { 'bundle/removed-api': 'either', 'bundle/invalid-version': 'error' },
  'good-practices': {
    'bundle/no-deployment': 'error',
    'bundle/no-resource-requests': 'warning',
    'bundle/no-crd-description': 'warning',
    'bundle/creates-crds': 'warning',
    'bundle/name-convention': 'warning',
  },
  operatorhub: {
    ...ofHub,
    'bundle/capability-level': 'error',
    'bundle/category': 'error',
    'bundle/deprecated-validator': 'warning',
  },
  community: { 'bundle/openshift-version': 'either', 'bundle/openshift-label': 'either' },
  object: {
    'bundle/disruption-budget': 'error',
    'bundle/global-priority-class': 'error',
    'bundle/budget-permission': 'warning',
    'bundle/default-scc-permission': 'error',
  },
  operatorgroup: ofAnnotations,
  multiarch: {
    'bundle/unsupported-platform': 'error',
    'bundle/platform-label': 'warning',
    'bundle/image-platforms': 'warning',
    'bundle/node-affinity': 'warning',
    'bundle/image-not-inspected': 'warning',
  },
  opsdk: {
    'bundle/unexpected-file': 'error',
    'bundle/not-a-manifest': 'error',
    'bundle/several-documents': 'warning',
    'bundle/invalid-annotation': 'error',
    'bundle/invalid-dependency': 'error',
    'bundle/invalid-property': 'error',
    'bundle/labels-differ': 'warning',
    'bundle/kind-not-supported': 'warning',
    'bundle/duplicate-object': 'warning',
    'bundle/duplicate-crd': 'error',
    'bundle/invalid-metadata': 'error',
    'bundle/removed-crd-version': 'error',
    'bundle/removed-api': 'error',
    'bundle/disruption-budget': 'error',
    'bundle/unknown-field': 'warning',
    'bundle/missing-field': 'either',
    'bundle/invalid-field': 'either',
    'bundle/invalid-version': 'error',
    'bundle/invalid-csv-name': 'error',
    'bundle/install-modes': 'error',
    'bundle/no-deployment': 'warning',
    'bundle/channel-name': 'warning',
    'bundle/not-for-olm-v1': 'warning',
    'bundle/invalid-icon': 'error',
    'bundle/script': 'error',
    'bundle/hidden-character': 'warning',
    'bundle/duplicate-deployment': 'error',
    'bundle/invalid-deployment': 'error',
    'bundle/unbound-service-account': 'error',
    'bundle/unknown-deployment': 'error',
    'bundle/duplicate-webhook': 'error',
    'bundle/invalid-webhook': 'error',
    'bundle/conversion-webhook': 'error',
    'bundle/forbidden-webhook-rule': 'error',
    'io/not-an-object': 'error',
    'io/yaml-ambiguous': 'warning',
    ...ofDefinitions,
  },
} as const satisfies Readonly<Record<ValidatorName, Partial<Readonly<Record<FindingCode, RuleLevel>>>>>;

type Rules = typeof rules;

/** The codes that a validator may report as errors. */
export type ErrorsOf<V extends ValidatorName> = {
  [C in keyof Rules[V]]: Rules[V][C] extends 'warning' ? never : C;
}[keyof Rules[V]];

/** The codes that a validator may report as warnings. */
export type WarningsOf<V extends ValidatorName> = {
  [C in keyof Rules[V]]: Rules[V][C] extends 'error' ? never : C;
}[keyof Rules[V]];

/** One rule of one validator. */
interface Rule {
  readonly code: FindingCode;
  readonly validator: ValidatorName;
  readonly level: RuleLevel;
}

/** All rules, in the order of the validators. */
export function allRules(): readonly Rule[] {
  return validatorNames.flatMap((validator) =>
    Object.entries(rules[validator] as Readonly<Record<FindingCode, RuleLevel>>).map(([code, level]) => ({
      code: code as FindingCode,
      validator,
      level,
    })),
  );
}
