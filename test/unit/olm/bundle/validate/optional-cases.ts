import type { ValidatorName } from '../../../../../src/olm/bundle/validate/rules/validators.ts';
import type { Loose } from '../objects.ts';
import { addObject, deploymentOf } from './bundle-folder.ts';
import { owned, push } from './cases.ts';

/** A change of the valid bundle, the code that it gives in a validator, and how often at which level. */
export type OptionalCase = readonly [
  validator: ValidatorName,
  code: string,
  counts: string,
  change: (bundle: Loose) => void,
  values?: { readonly kubeVersion?: string },
];

const annotate =
  (key: string, value: string) =>
  (b: Loose): void =>
    void (b.csv.metadata.annotations[key] = value);
const spec =
  (field: string, value: Loose) =>
  (b: Loose): void =>
    void (b.csv.spec[field] = value);
const role = (...rules: Loose[]): ((b: Loose) => void) => {
  return (b) => {
    b.files['manifests/role.yaml'] = {
      apiVersion: 'rbac.authorization.k8s.io/v1',
      kind: 'Role',
      metadata: { name: 'a' },
      rules,
    };
  };
};
const budget =
  (fields: Loose) =>
  (b: Loose): void => {
    b.files['manifests/b.yaml'] = {
      apiVersion: 'policy/v1',
      kind: 'PodDisruptionBudget',
      metadata: { name: 'a' },
      spec: fields,
    };
  };
const old = (b: Loose): void => addObject(b, 'policy/v1beta1', 'PodDisruptionBudget', { name: 'a' });
const oldRole = (b: Loose): void => addObject(b, 'rbac.authorization.k8s.io/v1beta1', 'Role', { name: 'a' });
const permission = (rule: Loose): ((b: Loose) => void) => {
  return (b) => {
    push(b.csv.spec.install.spec.clusterPermissions[0].rules as Loose[], rule);
  };
};
const min = (version: string, change: (b: Loose) => void): ((b: Loose) => void) => {
  return (b) => {
    b.csv.spec.minKubeVersion = version;
    change(b);
  };
};

/** What the optional validators say, with the numbers of the reference. */
export const optionalCases: readonly OptionalCase[] = [
  ['operatorhubv2', 'bundle/no-provider', '1 error', spec('provider', { name: ' ' })],
  ['operatorhubv2', 'bundle/invalid-maintainer', '1 error', spec('maintainers', [{ name: 'A', email: '' }])],
  ['operatorhubv2', 'bundle/invalid-maintainer', '2 error', spec('maintainers', [{ email: 'a b' }])],
  [
    'operatorhubv2',
    'bundle/invalid-maintainer',
    '',
    spec('maintainers', [{ name: 'A', email: 'A <a@b.c>' }]),
  ],
  ['operatorhubv2', 'bundle/invalid-link', '1 error', spec('links', [{ name: 'A', url: 'b.c' }])],
  ['operatorhubv2', 'bundle/invalid-link', '', spec('links', [{ name: 'A', url: 'https://b.c/d e' }])],
  ['operatorhubv2', 'bundle/no-version', '1 error', spec('version', '0.0.0')],
  [
    'operatorhubv2',
    'bundle/invalid-icon',
    '1 error',
    spec('icon', [{ base64data: 'a', mediatype: 'image/bmp' }]),
  ],
  ['operatorhubv2', 'bundle/invalid-icon', '2 error', spec('icon', [{ mediatype: 'image/png' }, {}])],
  ['operatorhubv2', 'bundle/no-icon', '1 warning', () => undefined],
  ['operatorhubv2', 'bundle/no-min-kube-version', '1 warning', spec('minKubeVersion', '')],
  ['operatorhubv2', 'bundle/invalid-version', '1 error', spec('minKubeVersion', '1.32')],
  ['operatorhubv2', 'bundle/removed-api', '1 error', old],
  ['operatorhub', 'bundle/deprecated-validator', '1 warning', () => undefined],
  ['operatorhub', 'bundle/capability-level', '1 error', annotate('capabilities', 'Some')],
  ['capabilities', 'bundle/capability-level', '1 error', annotate('capabilities', 'Some')],
  ['capabilities', 'bundle/capability-level', '', annotate('capabilities', 'Auto Pilot')],
  ['categories', 'bundle/category', '2 error', annotate('categories', 'Storage, Some,')],
  ['categories', 'bundle/category', '', annotate('categories', 'Storage , Big Data')],
  ['alpha-deprecated-apis', 'bundle/removed-api', '1 error', old],
  ['alpha-deprecated-apis', 'bundle/removed-api', '1 warning', min('1.24.0', old)],
  ['alpha-deprecated-apis', 'bundle/removed-api', '1 error', min('1.24.0', old), { kubeVersion: '1.25' }],
  ['alpha-deprecated-apis', 'bundle/removed-api', '2 warning', min('', (b) => (old(b), oldRole(b)))],
  [
    'alpha-deprecated-apis',
    'bundle/removed-api',
    '1 error',
    (b) => (owned(b)[0].resources = [{ name: '', kind: 'CronJob', version: 'batch/v1beta1' }]),
  ],
  [
    'alpha-deprecated-apis',
    'bundle/removed-api',
    '1 warning',
    permission({ apiGroups: ['policy'], resources: ['podsecuritypolicies'], verbs: ['use'] }),
  ],
  ['alpha-deprecated-apis', 'bundle/invalid-version', '1 error', () => undefined, { kubeVersion: 'new' }],
  ['good-practices', 'bundle/no-deployment', '1 error', (b) => delete b.csv.spec.install.spec.deployments],
  ['good-practices', 'bundle/no-resource-requests', '1 warning', () => undefined],
  [
    'good-practices',
    'bundle/no-resource-requests',
    '',
    (b) => (deploymentOf(b).spec.template.spec.containers[0].resources = { requests: {} }),
  ],
  ['good-practices', 'bundle/no-crd-description', '1 warning', () => undefined],
  [
    'good-practices',
    'bundle/creates-crds',
    '1 warning',
    permission({ apiGroups: ['apiextensions.k8s.io'], resources: ['*'], verbs: ['patch'] }),
  ],
  ['good-practices', 'bundle/name-convention', '2 warning', (b) => (b.csv.metadata.name = 'web-1.2')],
  ['object', 'bundle/disruption-budget', '1 error', budget({ maxUnavailable: '50%' })],
  ['object', 'bundle/disruption-budget', '1 error', budget({ minAvailable: '100%' })],
  ['object', 'bundle/disruption-budget', '', budget({ maxUnavailable: 1 })],
  [
    'object',
    'bundle/global-priority-class',
    '1 error',
    (b) =>
      (b.files['manifests/p.yaml'] = {
        apiVersion: 'scheduling.k8s.io/v1',
        kind: 'PriorityClass',
        metadata: { name: 'a' },
        value: 1,
        globalDefault: true,
      }),
  ],
  [
    'object',
    'bundle/budget-permission',
    '1 warning',
    role({ apiGroups: ['policy'], resources: ['poddisruptionbudgets'], verbs: ['*'] }),
  ],
  [
    'object',
    'bundle/default-scc-permission',
    '1 error',
    role({
      apiGroups: ['security.openshift.io'],
      resources: ['securitycontextconstraints'],
      resourceNames: ['anyuid'],
      verbs: ['update'],
    }),
  ],
  [
    'operatorgroup',
    'bundle/annotation-case',
    '1 error',
    (b) =>
      addObject(b, 'operators.coreos.com/v1', 'OperatorGroup', {
        name: 'a',
        annotations: { 'olm.providedapis': '' },
      }),
  ],
  ['community', 'bundle/openshift-version', '1 error', oldRole],
  ['community', 'bundle/openshift-label', '2 warning', oldRole],
  [
    'community',
    'bundle/openshift-version',
    '',
    (b) => {
      oldRole(b);
      annotate('olm.properties', '[{"type":"olm.maxOpenShiftVersion","value":"4.8"}]')(b);
    },
  ],
];
