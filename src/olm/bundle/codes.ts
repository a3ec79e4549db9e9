import type { ExplainedCodes } from '../../base/errors/index.ts';

/** Error codes for making, publishing and testing bundles. */
export const bundleCodes = {
  'bundle/not-a-folder': {
    exitCode: 2,
    title: 'The bundle is not a folder',
    explain: '`op-sdk bundle validate` reads the folder that holds manifests/ and metadata/.',
  },
  'bundle/empty': {
    title: 'There are no objects for a bundle',
    explain:
      'The objects of the operator come from the kustomization, from files or from standard input, and there were none. A bundle without objects would install nothing and report success.',
  },
  'bundle/no-kustomization': {
    title: 'The kustomization of the bundle is missing',
    explain:
      'A bundle contains what the kustomization in config/manifests renders: the operator, its samples and its scorecard tests. `op-sdk generate kustomize manifests` creates it once.',
  },
  'bundle/no-base': {
    title: 'The base ClusterServiceVersion is missing',
    explain:
      'Name, description, provider and maintainers of the operator are in config/manifests/bases/<package>.clusterserviceversion.yaml, which `op-sdk generate kustomize manifests` creates. The rest of the ClusterServiceVersion follows from the manifests.',
  },
  'bundle/incomplete-base': {
    title: 'The base ClusterServiceVersion lacks a field',
    explain:
      'People choose operators by their names and descriptions. Fill the field in. OLM needs the display name; a missing description is a warning.',
  },
  'bundle/placeholder': {
    title: 'A placeholder was never replaced',
    explain:
      'The text is one that a scaffolding tool wrote for a person to replace, such as "Provider Name". Catalogues would show it as it is. It is a warning of `op-sdk generate bundle`, for OLM installs such a bundle, and an error of `op-sdk bundle publish`.',
  },
  'bundle/empty-icon': {
    title: 'The icon is empty',
    explain: 'Catalogues refuse an icon without data. An operator without an icon is fine.',
  },
  'bundle/foreign-csv': {
    title: 'A ClusterServiceVersion of another package',
    explain:
      'A bundle has exactly one ClusterServiceVersion, whose name is `<package>.v<version>`. The objects hold another one, or a second one.',
  },
  'bundle/invalid-object': {
    title: 'A field of an object has the wrong type',
    explain: 'The API server would refuse the object. Ignoring the field would leave out its content.',
  },
  'bundle/foreign-namespace': {
    title: 'An object would be installed into another namespace',
    explain:
      'OLM installs everything into one namespace, which its user chooses. An object with another namespace than the operator would silently be installed into the operator’s namespace.',
  },
  'bundle/fixed-namespace': {
    title: 'The Deployment has a namespace',
    explain: 'OLM may install the operator into another namespace than the manifests say.',
  },
  'bundle/missing-service-account': {
    title: 'A ServiceAccount does not exist',
    explain: 'A Deployment runs as an account that is not among the objects; its pods could not be created.',
  },
  'bundle/loose-service-account': {
    title: 'A binding for an account that no Deployment uses',
    explain:
      'Such a binding goes into the bundle as a file, with its fixed namespace. Rules in the ClusterServiceVersion follow the operator into any namespace.',
  },
  'bundle/missing-role': {
    title: 'The rules of a role are not known',
    explain:
      'A ClusterServiceVersion holds the rules of the operator, not names of roles. The role of a binding must be among the objects, with its rules.',
  },
  'bundle/rule-without-effect': {
    title: 'A rule grants nothing',
    explain:
      'Rules for non-resource URLs apply to the whole cluster only. A RoleBinding grants none of them, and the API server refuses Roles that contain them.',
  },
  'bundle/lost-field': {
    title: 'OLM does not keep a field',
    explain:
      'OLM creates this object itself, from what the ClusterServiceVersion says; other fields are lost.',
  },
  'bundle/left-out': {
    title: 'Objects are left out of the bundle',
    explain: 'OLM itself does what these objects are for.',
  },
  'bundle/cert-manager-volume': {
    title: 'A volume waits for a certificate that nothing creates',
    explain:
      'The Deployment mounts a Secret that cert-manager creates from a Certificate. Bundles contain no Certificates: OLM creates the certificates of webhooks and mounts them itself. The pod would never start.',
  },
  'bundle/webhook-field': {
    title: 'A webhook would lose its restriction',
    explain:
      'The definition of a webhook in a ClusterServiceVersion has no namespaceSelector and no matchConditions. Without them the webhook would be called for objects that it does not expect.',
  },
  'bundle/webhook-target': {
    title: 'It is not clear who answers a webhook',
    explain:
      'A ClusterServiceVersion names the Deployment and the port of each webhook. They are found by the Service of the webhook and its selector, and both must be among the objects.',
  },
  'bundle/related-image': {
    title: 'A related image is not clear',
    explain:
      'Variables named RELATED_IMAGE_<NAME> list the images that the operator needs, so that they can be copied to other registries. Each name stands for one image, which must be known in advance.',
  },
  'bundle/default-image': {
    title: 'The image of the operator is the placeholder',
    explain: 'controller:latest is the placeholder of scaffolded manifests. No registry serves it.',
  },
  'bundle/container-image': {
    title: 'The annotation containerImage is out of date',
    explain: 'Catalogues show this image, but no container of the operator runs it.',
  },
  'bundle/unknown-owned-kind': {
    title: 'The base describes a missing kind',
    explain:
      'An entry of customresourcedefinitions.owned names a kind or version that no CustomResourceDefinition of the operator serves, because it was renamed or removed.',
  },
  'bundle/crd-differs': {
    title: 'The CustomResourceDefinition differs from the sources',
    explain:
      'Descriptors come from the TypeScript sources, schemas from the CustomResourceDefinition among the objects. One names a field that the other does not have, so that one of them is out of date. `op-sdk generate manifests` writes the definition; `--no-sources` leaves the sources out.',
  },
  'bundle/replaces-itself': {
    title: 'A version replaces itself',
    explain: 'spec.replaces and spec.skips name the versions from which an upgrade leads to this one.',
  },
  'bundle/answer-invalid': {
    title: 'The description of the operator in package.json is invalid',
    explain:
      'The key `opsdk` of package.json describes the operator for OLM and its catalogues. It contains an unknown key, or a value that catalogues would refuse.',
  },
  'bundle/unknown-file': {
    title: 'A file in the bundle that op-sdk did not write',
    explain:
      'Everything in bundle/manifests is installed with the operator. Files that op-sdk wrote and no longer writes are deleted; a file that somebody else wrote or edited stays, and is installed too.',
  },
  'bundle/dockerfile-edited': {
    title: 'Lines of bundle.Dockerfile were overwritten',
    explain:
      '`op-sdk generate bundle` overwrites bundle.Dockerfile, with labels from metadata/annotations.yaml. The file contained something that the new one does not, so an image built from it differs from before.',
  },
  'bundle/publish-config': {
    title: 'The ci.yaml of the operator is invalid',
    explain:
      'Beside its versions each operator in the catalogue of OperatorHub.io has a ci.yaml: its reviewers, and how versions replace each other. `op-sdk bundle publish` adds reviewers and keeps the rest; it needs a file that the checks of the catalogue accept.',
  },
  'bundle/publish-field': {
    title: 'The catalogue of OperatorHub.io needs a field',
    explain:
      'The checks of the catalogue refuse a ClusterServiceVersion without this field, or with a value of another length. Nothing was written.',
  },
  'bundle/publish-kind': {
    title: 'The catalogue of OperatorHub.io does not take an object',
    explain:
      'OLM installs NetworkPolicies of bundles, but the checks of the catalogue refuse bundles that have one. Nothing was written.',
  },
  'bundle/publish-name': {
    title: 'The names of the operator differ',
    explain:
      'All versions of an operator have the same package, and their ClusterServiceVersions are named <package>.v<version>. Where the versions in the checkout differ among themselves, this is a warning, as it is in the checks of the catalogue.',
  },
  'bundle/publish-replaces': {
    title: 'The version that is replaced is not in the catalogue',
    explain:
      'spec.replaces of the ClusterServiceVersion names the version from which OLM updates to this one. The checks of the catalogue want it to be among the versions of the operator, and not this version itself. Nothing was written.',
  },
  'bundle/publish-updates': {
    title: 'The updates of a channel do not lead to its newest version',
    explain:
      'With updateGraph: replaces-mode, the default of ci.yaml, spec.replaces, spec.skips and olm.skipRange say which version updates which. From every version of a channel a way must lead to the newest one, without a loop; people on another version would never be updated. With semver-mode each version is updated to the next one. As a warning: a version in the checkout cannot be read.',
  },
  'bundle/version-published': {
    title: 'The version is published already',
    explain:
      'The checkout of the catalogue has a folder of this version, and its files differ from those of the bundle. People may have installed that version, so it never changes. Nothing was written.',
  },
  'bundle/scorecard-config': {
    title: 'The configuration of scorecard is invalid',
    explain:
      'The configuration lists the tests of a bundle, by default in tests/scorecard/config.yaml. A field that scorecard does not know, or a test that its image does not have, would silently test less than was meant. `op-sdk generate bundle` creates the file from config/scorecard.',
  },
  'bundle/scorecard-image': {
    title: 'A test of scorecard needs a cluster',
    explain:
      "`op-sdk scorecard --local` runs the six tests of operator-sdk's own image, which read files only. A test of another image runs in a Pod: here it has the state error. Deselect it with -l, or leave out --local.",
  },
  'bundle/scorecard-leftovers': {
    level: 'warning',
    title: 'Objects of scorecard remain on the cluster',
    explain:
      'A warning. `op-sdk scorecard` deletes its ConfigMap and its Pods when it ends, also after Ctrl-C. The API server refused to, or could not be reached. The objects do no harm; delete them by hand.',
  },
  'bundle/scorecard-selection': {
    level: 'warning',
    title: 'The selector selects no test',
    explain:
      'A warning: nothing was tested, and as in operator-sdk the command succeeds. The labels of the tests are in the configuration, and `op-sdk scorecard --list` prints them.',
  },
  'bundle/scorecard-service-account': {
    title: 'The ServiceAccount of the tests is missing',
    explain:
      'The Pods of tests run as the ServiceAccount of --service-account, else of `serviceaccount` in the configuration, else `default`. It must exist in the namespace of the Pods: create it together with the roles that the tests need.',
  },
  'bundle/scorecard-storage': {
    title: 'Storage of a test is not supported',
    explain:
      'operator-sdk copies files out of a Pod if the configuration gives the test a path of storage. Here tests say what they found in their results: remove the path. An empty `storage` is fine.',
  },
  'bundle/scorecard-too-large': {
    title: 'The bundle is too large for a ConfigMap',
    explain:
      'Pods of tests read the bundle from a ConfigMap, which holds 1 MiB: the files of the bundle together, compressed. Remove files that do not belong to it; large schemas shrink with fewer descriptions.',
  },
} satisfies ExplainedCodes;
