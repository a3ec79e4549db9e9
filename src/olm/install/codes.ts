import type { ExplainedCodes } from '../../base/errors/index.ts';

/** Codes of errors and warnings about installing OLM. */
export const olmCodes = {
  'olm/catalog-not-serving': {
    level: 'warning',
    title: 'A catalogue of OLM is not served',
    explain:
      'Its image could not be pulled or read, or its Pod does not run, so OLM installs nothing from it. One ClusterCatalog that is not served also holds back ClusterExtensions that name no catalogue. The message has the reason that OLM gives.',
  },
  'olm/cert-manager-missing': {
    title: 'OLM v1 needs cert-manager',
    explain:
      'The release of OLM v1 contains Certificates and Issuers of cert-manager, which make the certificates of its webhook and its servers. The cluster does not know these kinds, so nothing was applied. Install cert-manager, wait until it runs, and run the command again.',
  },
  'olm/checksum-mismatch': {
    title: 'A downloaded manifest of OLM is another file than expected',
    explain:
      'The SHA-256 of the file differs from the one that comes with op-sdk for this release, or from those of `--sha256`. Nothing was applied or deleted. The file was damaged or replaced, or a digest is that of another file: `--sha256` is given once for each file of the release.',
  },
  'olm/download': {
    title: 'The manifests of OLM could not be downloaded',
    explain:
      'The manifests of a release come from the project on GitHub, through the proxies of the environment. Only https is accepted, as they are applied with your rights. Without access to GitHub, download the files elsewhere and name them with `--manifests`.',
  },
  'olm/in-use': {
    title: 'Operators are still managed by OLM',
    explain:
      'Subscriptions, ClusterServiceVersions or ClusterExtensions exist. Removing OLM deletes them, and with them the operators that they installed. Delete them first, or pass `--force` to delete them too. The CustomResourceDefinitions of operators installed by OLM v0 stay on the cluster.',
  },
  'olm/invalid-manifests': {
    title: 'The manifests are not those of OLM',
    explain:
      'A release of OLM has its CustomResourceDefinitions and the Deployments of its operators. One of them is missing, or the manifests are those of the other OLM, so nothing was applied. OLM v0 consists of two files, `crds.yaml` and `olm.yaml`: repeat `--manifests`, or name their folder.',
  },
  'olm/no-manifests': {
    level: 'warning',
    title: 'OLM is checked without the manifests of its release',
    explain:
      'Which objects belong to OLM is read from the manifests of its release. The installed version is unknown, its manifests could not be downloaded, or OLM is in a namespace where no release puts it; `op-sdk olm status` then checks the objects that every release has. Name the manifests with `--manifests`.',
  },
  'olm/not-confirmed': {
    title: 'The removal of OLM was not confirmed',
    explain:
      'Removing OLM deletes its namespaces and CustomResourceDefinitions with everything in them. On a terminal op-sdk asks; elsewhere it needs `--yes`.',
  },
  'olm/not-installed': {
    title: 'OLM is not on the cluster',
    explain:
      'The API server serves neither Subscriptions (OLM v0) nor ClusterExtensions (OLM v1), or not those of the OLM that `--olm` names. `op-sdk olm install` installs it.',
  },
  'olm/other-version': {
    title: 'OLM is installed in another version or place',
    explain:
      'The cluster has this OLM already, in another version or another namespace than the manifests would install. Two releases would write the same objects, so nothing was applied. Platforms such as OpenShift bring their own OLM.',
  },
  'olm/package-server-timeout': {
    title: 'The package server of OLM does not run',
    explain:
      'OLM v0 installs its package server by a ClusterServiceVersion of its own, the first thing that its operators do. It did not reach the phase Succeeded in time; the message has what OLM and the Pods say.',
  },
  'olm/unhealthy': {
    title: 'Objects of OLM are missing or unhealthy',
    explain:
      'An object of the release is not on the cluster, or is there and does not work: a Deployment without available Pods, a CustomResourceDefinition that is not established, a ClusterServiceVersion that has not succeeded. `op-sdk olm install` with the same version creates what is missing.',
  },
  'olm/unknown-release': {
    title: 'The release of the installed OLM is not known',
    explain:
      'What `op-sdk olm uninstall` deletes is read from the manifests of the release, and the cluster does not tell which release it has. Name it with `--version`, or its manifests with `--manifests`.',
  },
  'olm/unverified': {
    title: 'Nobody has vouched for the downloaded manifests of OLM',
    explain:
      'The manifests of a release are applied with the rights of a cluster administrator, and op-sdk does not know the SHA-256 of these files. On a terminal it shows the digests and asks; elsewhere it needs `--sha256 DIGEST` for each file, which `--yes` does not replace. The message has the digests of what was downloaded: compare them with a copy that came another way before you pass them on. Files named by `--manifests` are taken as they are. Nothing was applied or deleted.',
  },
} satisfies ExplainedCodes;

/**
 * Codes of two kinds of errors: invalid choices, found before anything is created on the cluster, and an installation stopped by the user.
 */
export const olmChoiceCodes = {
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
      'op-sdk run bundle and op-sdk cleanup work through OLM. op-sdk olm install installs it; op-sdk olm status lists its objects.',
  },
  'olm/choose-version': {
    title: 'Both versions of OLM are on the cluster',
    explain:
      'OLM v0 and OLM v1 can be on a cluster side by side. Say which of them installs the operator: --olm v0 or --olm v1.',
  },
  'olm/flag-of-other-version': {
    exitCode: 2,
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
} satisfies ExplainedCodes;
