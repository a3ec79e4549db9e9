import type { OlmCode } from '../../base/errors/index.ts';
import type { Explanation } from './explanation.ts';

export const olmExplanations = {
  'olm/catalog-not-serving': {
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
} satisfies Record<OlmCode, Explanation>;
