import type { ExplainedCodes } from '../../base/errors/index.ts';

export const olmRunCodes = {
  'olm/catalog-image': {
    title: 'The image of the catalogue cannot be pulled',
    explain:
      'OLM v0 runs the image in a Pod, so the nodes need access to it; in OLM v1 catalogd pulls it itself, over HTTPS only. Only the Pod or the ClusterCatalog says why; OLM tries again without end.',
  },
  'olm/catalog-not-served': {
    title: 'The catalogue does not start',
    explain:
      'The image of the catalogue is there, but what is in it cannot be served. Nothing can be installed from it until then; `op-sdk catalog validate` checks the content.',
  },
  'olm/other-catalog': {
    title: 'Another catalogue blocks the installation',
    explain:
      'OLM asks all catalogues that it may choose from, and installs nothing while one of them does not answer. Repair or remove the other catalogue, or name one catalogue only: `sourceNamespace` and `source` in v0, `selector` in v1.',
  },
  'olm/not-resolvable': {
    title: 'OLM finds nothing to install',
    explain:
      'The catalogue is served, but it does not have the package, the channel or the version, or something that the operator requires. In v0 a Subscription whose requirements cannot be met blocks all others of its namespace.',
  },
  'olm/version-not-found': {
    title: 'The catalogue does not have the version',
    explain: 'OLM v1 found the package, but none of its bundles has the wanted version.',
  },
  'olm/upgrade-not-allowed': {
    title: 'No update leads to the version',
    explain:
      'OLM updates along replaces, skips and skipRange of the channels only. Add the installed version to one of them, or remove the operator and install it again.',
  },
  'olm/no-operator-group': {
    title: 'The namespace has no OperatorGroup',
    explain:
      'OLM v0 installs nothing in a namespace without an OperatorGroup, which says what namespaces operators watch. The Subscription says nothing about it.',
  },
  'olm/two-operator-groups': {
    title: 'The namespace has several OperatorGroups',
    explain:
      'OLM v0 installs nothing in a namespace with more than one OperatorGroup. The Subscription says nothing about it.',
  },
  'olm/bundle-image': {
    title: 'The image of the bundle cannot be pulled',
    explain:
      'OLM v0 runs the image in a Job in the namespace of the catalogue, so the nodes need access to it; in OLM v1 operator-controller pulls it itself, over HTTPS only. OLM tries again without end.',
  },
  'olm/bundle-unpack-failed': {
    title: 'The bundle cannot be unpacked',
    explain:
      'The Job of OLM v0 that reads the manifests out of the image of the bundle failed or took too long. OLM repeats it after some minutes.',
  },
  'olm/bundle-unreadable': {
    title: 'OLM cannot read the bundle',
    explain:
      'The bundle was read, but its manifests are not those of a bundle. OLM v0 never says so: it stays at BundleUnpacking. A known cause is a comment followed by `---` at the beginning of a manifest. `op-sdk bundle validate` finds what OLM refuses.',
  },
  'olm/missing-permission': {
    title: 'OLM may not create what the operator needs',
    explain:
      'The API server refuses objects of the bundle. In v0 an OperatorGroup with a ServiceAccount limits what OLM may create in its namespace to what that ServiceAccount may do.',
  },
  'olm/install-failed': {
    title: 'OLM cannot install the bundle',
    explain: 'OLM found the bundle, but the cluster refuses what is in it. The message is that of OLM.',
  },
  'olm/install-mode': {
    title: 'The operator does not support the install mode',
    explain:
      'The OperatorGroup of v0 chooses the namespaces to watch, and the ClusterServiceVersion must support that choice by its `installModes`. OLM v1 installs only what supports AllNamespaces.',
  },
  'olm/api-conflict': {
    title: 'Another operator owns the kind',
    explain:
      'A kind has one owner in a cluster. Another installed operator provides the same CustomResourceDefinition: remove it first.',
  },
  'olm/object-exists': {
    title: 'An object of the bundle is there already',
    explain:
      'OLM v1 does not take over objects that something else created. OLM v0 leaves the ClusterRoles of a bundle behind when its operator is removed, which blocks v1 later: delete them.',
  },
  'olm/min-kube-version': {
    title: 'The cluster is older than the operator supports',
    explain:
      '`minKubeVersion` of the ClusterServiceVersion is newer than the version of the cluster. OLM v0 waits until the cluster is updated; OLM v1 ignores the field.',
  },
  'olm/requirements-not-met': {
    title: 'Requirements of the operator are not met',
    explain:
      'The ClusterServiceVersion requires kinds, APIs or permissions that the cluster does not have, and no catalogue provides them.',
  },
  'olm/operator-image': {
    title: 'The image of the operator cannot be pulled',
    explain:
      'OLM v0 waits five minutes and begins again, OLM v1 reports that the operator is installed: neither of them says why. Push the image, and check the name in the ClusterServiceVersion.',
  },
  'olm/operator-pods': {
    title: 'The Pods of the operator cannot be created',
    explain:
      'The API server refuses the Pods of a Deployment: a quota, pod security or a missing ServiceAccount. OLM does not report it.',
  },
  'olm/operator-failing': {
    title: 'The operator does not start',
    explain:
      'Its containers end or are not created. The log of the container says more than OLM, which waits for the Deployment.',
  },
} satisfies ExplainedCodes;

/** Error codes that a judgement of an installation can have. */
export type OlmRunCode = keyof typeof olmRunCodes;
