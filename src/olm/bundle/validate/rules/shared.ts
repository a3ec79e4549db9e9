import type { BundleRules } from './rule.ts';

/** Rules that the checks of several modules report. */
export const sharedRules = {
  'bundle/invalid-field': {
    validators: { format: 'error', opsdk: 'either' },
    title: 'A field of the ClusterServiceVersion has the wrong type',
    explain: 'OLM could not read the ClusterServiceVersion.',
  },
  'bundle/removed-crd-version': {
    validators: { format: 'error', opsdk: 'error' },
    title: 'A CustomResourceDefinition of a removed version',
    explain: 'apiextensions.k8s.io/v1beta1 was removed in Kubernetes 1.22. No supported cluster accepts it.',
  },
  'bundle/invalid-version': {
    validators: {
      format: 'error',
      csv: 'error',
      operatorhubv2: 'error',
      'alpha-deprecated-apis': 'error',
      operatorhub: 'error',
      opsdk: 'error',
    },
    title: 'A version is not valid',
    explain:
      'Versions are full semantic versions: three numbers, without a leading v. See https://semver.org.',
  },
  'io/not-an-object': {
    validators: { format: 'error', content: 'error', opsdk: 'error' },
  },
  'io/cannot-read': {
    validators: { format: 'error' },
  },
  'io/too-large': {
    validators: { format: 'error' },
  },
  'io/yaml-syntax': {
    validators: { format: 'error' },
  },
  'io/yaml-not-json': {
    validators: { format: 'error' },
  },
  'bundle/kind-not-supported': {
    validators: { content: 'error', opsdk: 'warning' },
    title: 'OLM cannot install this kind',
    explain:
      'OLM installs a fixed set of kinds from the files of a bundle, and custom resources only as examples of the kinds that the bundle contains. It refuses bundles with other objects.',
  },
  'bundle/invalid-metadata': {
    validators: { content: 'error', opsdk: 'error' },
    title: 'The metadata of an object are not valid',
    explain: 'The API server would refuse the object: names, labels, annotations and finalizers have rules.',
  },
  'bundle/namespaced-object': {
    validators: { content: 'error', crd: 'error' },
    title: 'An object has a namespace',
    explain:
      'OLM installs everything into the namespace that its user chooses, and refuses objects that name one.',
  },
  'bundle/duplicate-crd': {
    validators: { bundle: 'error', opsdk: 'error' },
    title: 'A CustomResourceDefinition appears twice',
    explain: 'Only one of them could be installed.',
  },
  'bundle/invalid-csv-name': {
    validators: { csv: 'error', opsdk: 'error' },
    title: 'The name of a ClusterServiceVersion is not valid',
    explain:
      'It is the name of an object and the value of a label: a DNS subdomain of at most 63 characters.',
  },
  'bundle/conversion-webhook': {
    validators: { csv: 'error', opsdk: 'error' },
    title: 'A conversion webhook cannot work',
    explain:
      'Objects are converted for the whole cluster: the operator must own the CustomResourceDefinition, support the install mode AllNamespaces only, and be the only one that converts it.',
  },
  'bundle/no-min-kube-version': {
    validators: { csv: 'warning', operatorhubv2: 'warning', operatorhub: 'warning' },
    title: 'The oldest supported Kubernetes version is missing',
    explain: 'Without spec.minKubeVersion OLM installs the operator on clusters of any age.',
  },
  'bundle/missing-field': {
    validators: { csv: 'error', opsdk: 'either' },
    title: 'A field of the ClusterServiceVersion is missing',
    explain: 'OLM cannot install the operator without it.',
  },
  'bundle/annotation-case': {
    validators: { csv: 'error', operatorgroup: 'error' },
    title: 'An annotation is in the wrong case',
    explain: 'OLM finds its annotations by their exact names.',
  },
  'bundle/properties-annotation': {
    validators: { csv: 'warning', operatorgroup: 'warning' },
    title: 'Properties in the old annotation',
    explain:
      'Properties belong in metadata/properties.yaml; the annotation olm.properties is no longer used.',
  },
  'bundle/invalid-icon': {
    validators: { operatorhubv2: 'error', operatorhub: 'error', opsdk: 'error' },
    title: 'The icon of the operator cannot be shown',
    explain: 'spec.icon holds one image in base64 with its media type: GIF, JPEG, PNG or SVG.',
  },
  'bundle/removed-api': {
    validators: {
      operatorhubv2: 'either',
      'alpha-deprecated-apis': 'either',
      operatorhub: 'either',
      opsdk: 'error',
    },
    title: 'The bundle uses an API that Kubernetes has removed',
    explain:
      'An object of a version that a Kubernetes has removed cannot be created there. Whether this is an error depends on the Kubernetes that the bundle is for: spec.minKubeVersion, or k8s-version of `--optional-values`. The validator opsdk reports objects that no supported Kubernetes takes.',
  },
  'bundle/no-deployment': {
    validators: { 'good-practices': 'error', opsdk: 'warning' },
    title: 'The operator has no Deployment',
    explain:
      'OLM runs operators as Deployments only: what a ClusterServiceVersion installs is its list of Deployments. Other workloads would be left out of the bundle.',
  },
  'bundle/disruption-budget': {
    validators: { object: 'error', opsdk: 'error' },
    title: 'A PodDisruptionBudget blocks the maintenance of nodes',
    explain:
      'A budget that allows no Pod to be evicted keeps nodes from being drained. maxUnavailable is above 0, minAvailable below 100%; the API server takes one of the two, as a number or a percentage. The validator object refuses every percentage as maxUnavailable, as the one of operator-framework does.',
  },
  'io/yaml-ambiguous': {
    validators: { opsdk: 'warning' },
  },
} as const satisfies BundleRules;

export type SharedRules = typeof sharedRules;
