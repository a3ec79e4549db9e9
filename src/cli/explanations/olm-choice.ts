import type { OlmChoiceCode } from '../../base/errors/index.ts';
import type { Explanation } from './explanation.ts';

export const olmChoiceExplanations = {
  'olm/group-conflict': {
    title: 'The OperatorGroup of the namespace is for other namespaces',
    explain:
      'A namespace has one OperatorGroup, which says what all its operators watch. It does not fit the bundle or --install-mode. Install as the group says, or into another namespace.',
  },
  'olm/unsupported-mode': {
    title: 'The bundle does not support an install mode',
    explain:
      'spec.installModes of the ClusterServiceVersion says which namespaces an operator can watch: all, its own, one other, or several. --install-mode names one of those that it supports.',
  },
  'olm/no-namespace': {
    title: 'The namespace of the operator does not exist',
    explain:
      'op-sdk run bundle installs into a namespace that exists: --namespace, or that of the context. It does not create one, as it would not know whether to delete it.',
  },
  'olm/already-installed': {
    title: 'The package is installed already, or is being installed',
    explain:
      'OLM installs a package once in a namespace (v0) or in a cluster (v1). Install a newer version by op-sdk run bundle-upgrade, or remove it by op-sdk cleanup. What an earlier run of the same bundle has begun is continued; a Subscription or ClusterExtension of somebody else, or of another version, is left alone.',
  },
  'olm/name-taken': {
    title: 'An object has a name that op-sdk needs',
    explain:
      'The catalogue and the Subscription or ClusterExtension of op-sdk run bundle are named by the package, as by operator-sdk. An object of that name exists that was created by somebody else, and is left alone.',
  },
  'olm/absent': {
    title: 'OLM is not on the cluster',
    explain:
      'op-sdk run bundle and op-sdk cleanup work through OLM. op-sdk olm install installs it; op-sdk olm status shows what is there.',
  },
  'olm/choose-version': {
    title: 'Both versions of OLM are on the cluster',
    explain:
      'OLM v0 and OLM v1 can be on a cluster side by side. Say which of them installs the operator: --olm v0 or --olm v1.',
  },
  'olm/flag-of-other-version': {
    title: 'A flag is for the other version of OLM',
    explain:
      '--install-mode, --index-image, --pull-secret-name and --security-context-config are for OLM v0. OLM v1 installs operators for all namespaces, reads catalogues from images, and pulls these by the credentials of its own namespace.',
  },
  'olm/package-not-installed': {
    title: 'The package is not installed',
    explain:
      'No Subscription of the namespace (OLM v0) and no ClusterExtension (OLM v1) is for this package. op-sdk run bundle installs it.',
  },
  'olm/not-installed-yet': {
    title: 'The installed version is not known yet',
    explain:
      'An upgrade starts from the version that is installed. The installation has not been finished, or it has failed: op-sdk run bundle with the bundle of that version continues it, op-sdk cleanup removes it.',
  },
  'olm/not-newer': {
    title: 'The bundle is not newer than the installed version',
    explain:
      'OLM upgrades to later versions only, by semantic versioning. To go back, remove the operator by op-sdk cleanup and install the older bundle.',
  },
  'olm/foreign-head': {
    title: 'The installed version is not the head of the catalogue',
    explain:
      'The catalogue of the installation leads to another version than the one that is installed, so that the new bundle cannot be its update. The message shows the versions of the channel.',
  },
  'olm/foreign-catalog': {
    title: 'The operator was installed from another catalogue',
    explain:
      'op-sdk run bundle-upgrade adds the new bundle to a catalogue of op-sdk run bundle. The operator was installed from one that others maintain, and that may serve other clusters. Add the bundle there, or install the operator by op-sdk run bundle.',
  },
  'olm/ca-secret': {
    title: 'The Secret of the certificate authority cannot be used',
    explain:
      '--ca-secret-name names a Secret of the namespace whose key cert.pem has the certificate authority of the registry, as for operator-sdk. --ca-file reads it from a file instead.',
  },
  'olm/index-with-database': {
    title: 'The index image has a database',
    explain:
      'Catalogues in databases (SQLite) are no longer read by opm. --index-image names an image with a file-based catalogue, to which the bundle is added, or one with opm alone.',
  },
  'olm/document-too-large': {
    title: 'A bundle does not fit into a ConfigMap',
    explain:
      'With --index-image the catalogue is put into ConfigMaps, which hold up to 1 MiB each, and a document of it cannot be divided. The image of a catalogue has no such limit.',
  },
  'olm/config-map-unreadable': {
    title: 'A ConfigMap of the catalogue cannot be read',
    explain:
      'An installation by --index-image has its catalogue in ConfigMaps, to which an upgrade adds the new bundle. One of them does not hold what op-sdk or operator-sdk has put there.',
  },
  'olm/plan-with-others': {
    title: 'The InstallPlan would install other operators too',
    explain:
      'OLM v0 puts all pending installations of a namespace into one InstallPlan. op-sdk approves only what it was asked to install. Look at the InstallPlan, and approve it yourself or install into another namespace.',
  },
  'olm/other-bundle': {
    title: 'OLM has begun to install another bundle of the same version',
    explain:
      'op-sdk run bundle and op-sdk run bundle-upgrade continue what an earlier run of the same version has begun. OLM has found the version in the catalogue of that run, and would install its image, which is not the one that this run names. Remove what was begun by op-sdk cleanup, or run the command with the former bundle.',
  },
  'olm/objects-lost': {
    title: 'Custom resources would be deleted',
    explain:
      'Deleting a CustomResourceDefinition deletes all its custom resources. OLM v1 does so when a ClusterExtension is deleted, OLM v0 leaves the definitions, and op-sdk cleanup --delete-crds deletes them. It asks on a terminal, and needs --yes elsewhere.',
  },
  'olm/timeout': {
    title: 'OLM has not installed the operator in time',
    explain:
      'The message says what was waited for last, and which object shows more. Everything stays on the cluster: the same command continues it, op-sdk cleanup removes it.',
  },
} satisfies Record<OlmChoiceCode, Explanation>;
