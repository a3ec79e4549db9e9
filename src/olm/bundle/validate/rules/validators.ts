/** Names of validators. Validators of operator-framework keep their original names; op-sdk adds its own. */
export type ValidatorName = keyof typeof validators;

/** Names of the default validators, which run whichever optional validators the user selects. */
export type DefaultValidator = {
  [V in ValidatorName]: (typeof validators)[V]['runs'] extends 'always' ? V : never;
}[ValidatorName];

export interface ValidatorInfo {
  /**
   * Condition under which the validator runs. `always`: every time. `optional`: if selected. `named`: only if selected by name; the
   * selection `all` does not include the validator, because it contacts other services.
   */
  readonly runs: 'always' | 'optional' | 'named';
  readonly suite?: 'operatorframework';
  /** Description in one line, for `--list-optional` and the reference documentation. */
  readonly description: string;
  /** Source code or document from which the validator's rules come. */
  readonly source: string;
}

const api = 'operator-framework/api pkg/validation/internal';

/** All validators. They run and report in this order. */
export const validators = {
  format: {
    runs: 'always',
    description: 'folders, files, annotations and dependencies',
    source:
      'operator-registry pkg/lib/bundle/validate.go, operator-framework/api pkg/manifests/bundleloader.go',
  },
  content: {
    runs: 'always',
    description: 'kinds that OLM installs, and their metadata',
    source: 'operator-sdk internal/registry/validate.go',
  },
  bundle: {
    runs: 'always',
    description: 'what the files of the bundle say about each other, and its size',
    source: `${api}/bundle.go`,
  },
  csv: {
    runs: 'always',
    description: 'the ClusterServiceVersion',
    source: `${api}/csv.go`,
  },
  crd: {
    runs: 'always',
    description: 'CustomResourceDefinitions, all but their schemas',
    source: `${api}/crd.go`,
  },
  operatorhubv2: {
    runs: 'optional',
    suite: 'operatorframework',
    description: 'what OperatorHub.io shows about an operator',
    source: `${api}/operatorhubv2.go`,
  },
  capabilities: {
    runs: 'optional',
    suite: 'operatorframework',
    description: 'the capability level',
    source: `${api}/standardcapabilities.go`,
  },
  categories: {
    runs: 'optional',
    suite: 'operatorframework',
    description: 'the categories (OPERATOR_BUNDLE_CATEGORIES names a file with others)',
    source: `${api}/standardcategories.go`,
  },
  'alpha-deprecated-apis': {
    runs: 'optional',
    suite: 'operatorframework',
    description: 'APIs that Kubernetes 1.22, 1.25 and 1.26 removed (k8s-version=VERSION)',
    source: `${api}/removed_apis.go`,
  },
  'good-practices': {
    runs: 'optional',
    suite: 'operatorframework',
    description: 'resource requests, descriptions, names',
    source: `${api}/good_practices.go`,
  },
  operatorhub: {
    runs: 'optional',
    description: 'deprecated: operatorhubv2, capabilities and categories in one',
    source: `${api}/operatorhub.go`,
  },
  community: {
    runs: 'optional',
    description: 'deprecated: OpenShift versions of bundles with removed APIs (index-path=FILE)',
    source: `${api}/community.go`,
  },
  object: {
    runs: 'optional',
    description: 'PodDisruptionBudgets, PriorityClasses, Roles and ClusterRoles that harm a cluster',
    source: `${api}/object.go`,
  },
  operatorgroup: {
    runs: 'optional',
    description: 'annotations of OperatorGroups',
    source: `${api}/operatorgroup.go`,
  },
  multiarch: {
    runs: 'named',
    description: 'platforms of images, which registries are asked for; not among all',
    source: `${api}/multiarch.go`,
  },
  opsdk: {
    runs: 'always',
    description: 'what the API server and OLM v1 refuse, and the validators above do not look at',
    source:
      'kube-apiserver, operator-controller internal/operator-controller/rukpak/render/registryv1/validators',
  },
} as const satisfies Readonly<Record<string, ValidatorInfo>>;

export const validatorNames = Object.keys(validators) as readonly ValidatorName[];

/** Returns the description, the source and the run condition of a validator. */
export function validatorInfo(name: ValidatorName): ValidatorInfo {
  return validators[name];
}

/** Names of the default validators, which run whichever optional validators the user selects. */
export const defaultValidators: readonly DefaultValidator[] = validatorNames.filter(isDefault);

/** Returns true for a default validator, which runs whichever optional validators the user selects. */
export function isDefault(name: ValidatorName): name is DefaultValidator {
  return validators[name].runs === 'always';
}

/** Names of the validators that users can select. */
export const optionalValidators: readonly ValidatorName[] = validatorNames.filter(
  (name) => validators[name].runs !== 'always',
);

/** Names of the optional validators that read only the bundle and do not contact other services. The selection `all` includes them. */
export const offlineValidators: readonly ValidatorName[] = validatorNames.filter(
  (name) => validators[name].runs === 'optional',
);
