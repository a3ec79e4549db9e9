import type { ExplainedCodes } from '../../../base/errors/index.ts';

/** Rules of `op-sdk bundle validate`; other commands that read bundles report some of them, too. */
export const validateCodes = {
  'bundle/not-a-folder': {
    exitCode: 2,
    title: 'The bundle is not a folder',
    explain: '`op-sdk bundle validate` reads the folder that holds manifests/ and metadata/.',
  },
  'bundle/unexpected-file': {
    title: 'Something in the bundle is not a plain file',
    explain:
      'OLM reads the files of manifests/ and refuses folders and hidden files there. Symbolic links and special files would not be in the image as they appear on disk.',
  },
  'bundle/not-a-manifest': {
    title: 'A file of the bundle is not a manifest',
    explain:
      'Every file of manifests/ is read as the YAML of one object: text in UTF-8, no larger than the API server accepts, and not empty.',
  },
  'bundle/several-documents': {
    title: 'A file of the bundle holds several objects',
    explain: 'A warning. OLM reads the first document of each file and silently loses the others.',
  },
  'bundle/empty-first-document': {
    title: 'The first document of a file in the bundle is empty',
    explain:
      'OLM and all tools of operator-framework read the first document of each file. A comment or an empty line above a `---` line counts as that document, so they never see the object below it.',
  },
  'bundle/labels-differ': {
    title: 'The Dockerfile and the annotations say different things',
    explain:
      "Some tools read the labels of the bundle's image, others metadata/annotations.yaml in it. Both should be the same; OLM installs the bundle anyway, so this is a warning.",
  },
  'bundle/invalid-dependency': {
    title: 'A dependency of the bundle is not valid',
    explain:
      'metadata/dependencies.yaml lists what must be installed with the operator: kinds (olm.gvk), packages with ranges of versions (olm.package), labels (olm.label) or constraints in CEL (olm.constraint).',
  },
  'bundle/invalid-property': {
    title: 'A property of the bundle is not valid',
    explain: 'metadata/properties.yaml is a list of properties, each with a type and a value.',
  },
  'bundle/too-large': {
    title: 'The bundle is too large',
    explain:
      'OLM unpacks a bundle into a ConfigMap, which holds 1 MiB. Each file counts compressed and in base64. Of `op-sdk generate bundle`: an object has more than the 3 MiB that the API server takes, or there are more than 2,000 of them.',
  },
  'bundle/nearly-too-large': {
    title: 'The bundle will soon be too large',
    explain:
      'OLM unpacks a bundle into a ConfigMap, which holds 1 MiB. The next field of a CRD may be too much.',
  },
  'bundle/no-csv': {
    title: 'The bundle has no ClusterServiceVersion',
    explain: 'The ClusterServiceVersion says what OLM has to install. A bundle has exactly one.',
  },
  'bundle/several-csvs': {
    title: 'The bundle has several ClusterServiceVersions',
    explain: 'A bundle is one version of one operator, so it has exactly one ClusterServiceVersion.',
  },
  'bundle/invalid-metadata': {
    title: 'The metadata of an object are not valid',
    explain: 'The API server would refuse the object: names, labels, annotations and finalizers have rules.',
  },
  'bundle/namespaced-object': {
    title: 'An object has a namespace',
    explain:
      'OLM installs everything into the namespace that its user chooses, and refuses objects that name one.',
  },
  'bundle/duplicate-crd': {
    title: 'A CustomResourceDefinition appears twice',
    explain: 'Only one of them could be installed.',
  },
  'bundle/owned-crd-missing': {
    title: 'An owned kind is not in the bundle',
    explain:
      'Each entry of spec.customresourcedefinitions.owned needs a CustomResourceDefinition in the bundle that has this kind and this version.',
  },
  'bundle/crd-not-owned': {
    title: 'A kind of the bundle is not owned',
    explain:
      'OLM would install the CustomResourceDefinition without knowing that it belongs to the operator. Every CustomResourceDefinition of the bundle is listed in spec.customresourcedefinitions.owned.',
  },
  'bundle/removed-crd-version': {
    title: 'A CustomResourceDefinition of a removed version',
    explain: 'apiextensions.k8s.io/v1beta1 was removed in Kubernetes 1.22. No supported cluster accepts it.',
  },
  'bundle/service-account-clash': {
    title: 'The bundle contains a ServiceAccount that OLM creates itself',
    explain:
      'OLM creates the ServiceAccounts that the deployments of the ClusterServiceVersion run as. A ServiceAccount of that name among the files would clash with it.',
  },
  'bundle/release-name': {
    title: 'The name of the ClusterServiceVersion does not name its release',
    explain: 'With spec.release, the name is <package>-v<version>-<release>.',
  },
  'bundle/invalid-image': {
    title: 'The name of an image is not valid',
    explain:
      'Images are named [registry/]repository[:tag][@digest], without a scheme, with the repository in lower case.',
  },
  'bundle/invalid-csv-name': {
    title: 'The name of a ClusterServiceVersion is not valid',
    explain:
      'It is the name of an object and the value of a label: a DNS subdomain of at most 63 characters.',
  },
  'bundle/invalid-crd-name': {
    title: 'The name of an owned kind is not valid',
    explain: 'Owned kinds are named by their CustomResourceDefinition: <plural>.<group>.',
  },
  'bundle/invalid-field': {
    title: 'A field of the ClusterServiceVersion has the wrong type',
    explain: 'OLM could not read the ClusterServiceVersion.',
  },
  'bundle/missing-field': {
    title: 'A field of the ClusterServiceVersion is missing',
    explain: 'OLM cannot install the operator without it.',
  },
  'bundle/unknown-field': {
    title: 'The ClusterServiceVersion has a field that OLM does not know',
    explain: 'OLM drops it silently. Usually the field is misspelt or at the wrong level.',
  },
  'bundle/invalid-version': {
    title: 'A version is not valid',
    explain:
      'Versions are full semantic versions: three numbers, without a leading v. See https://semver.org.',
  },
  'bundle/no-min-kube-version': {
    title: 'The oldest supported Kubernetes version is missing',
    explain: 'Without spec.minKubeVersion OLM installs the operator on clusters of any age.',
  },
  'bundle/annotation-case': {
    title: 'An annotation is in the wrong case',
    explain: 'OLM finds its annotations by their exact names.',
  },
  'bundle/properties-annotation': {
    title: 'Properties in the old annotation',
    explain:
      'Properties belong in metadata/properties.yaml; the annotation olm.properties is no longer used.',
  },
  'bundle/two-examples': {
    title: 'Examples in two annotations',
    explain:
      'The examples are in alm-examples or in olm.examples. If both exist, the second one is not read.',
  },
  'bundle/invalid-example': {
    title: 'The examples cannot be read',
    explain: 'The annotation alm-examples is text that holds a JSON list of objects.',
  },
  'bundle/example-without-api': {
    title: 'An example of a kind that the operator does not provide',
    explain: 'Nobody could create it where only this operator is installed.',
  },
  'bundle/install-modes': {
    title: 'The install modes are not valid',
    explain:
      'spec.installModes says which namespaces the operator can watch: OwnNamespace, SingleNamespace, MultiNamespace, AllNamespaces, each once, at least one of them supported.',
  },
  'bundle/duplicate-deployment': {
    title: 'Two deployments have one name',
    explain: 'OLM creates a Deployment for each entry; the second would overwrite the first.',
  },
  'bundle/invalid-deployment': {
    title: 'The API server would refuse a deployment',
    explain: 'OLM creates a Deployment from the entry, and the API server checks it as any other.',
  },
  'bundle/unknown-deployment': {
    title: 'A deployment does not exist',
    explain:
      'A webhook or an aggregated API names the deployment that answers it, which must be one of spec.install.spec.deployments.',
  },
  'bundle/duplicate-webhook': {
    title: 'Two webhooks have one name',
    explain: 'Webhooks of one type need different names.',
  },
  'bundle/invalid-webhook': {
    title: 'A webhook is not valid',
    explain: 'OLM creates a webhook configuration from the entry; from this one it cannot.',
  },
  'bundle/conversion-webhook': {
    title: 'A conversion webhook cannot work',
    explain:
      'Objects are converted for the whole cluster: the operator must own the CustomResourceDefinition, support the install mode AllNamespaces only, and be the only one that converts it.',
  },
  'bundle/forbidden-webhook-rule': {
    title: 'A webhook intercepts too much',
    explain:
      'OLM refuses webhooks for all API groups, for its own, and for webhook configurations: they could make it impossible to remove them.',
  },
  'bundle/no-provider': {
    title: 'Nobody is named as the provider of the operator',
    explain: 'OperatorHub.io shows spec.provider.name of the ClusterServiceVersion beside the operator.',
  },
  'bundle/invalid-maintainer': {
    title: 'A maintainer of the operator cannot be reached',
    explain:
      'Each entry of spec.maintainers has a name and a mail address (RFC 5322), which OperatorHub.io shows.',
  },
  'bundle/invalid-link': {
    title: 'A link of the operator leads nowhere',
    explain: 'Each entry of spec.links has a name and a URL, which OperatorHub.io shows.',
  },
  'bundle/no-version': {
    title: 'The operator has no version',
    explain: 'OperatorHub.io lists operators by spec.version, which must be above 0.0.0.',
  },
  'bundle/invalid-icon': {
    title: 'The icon of the operator cannot be shown',
    explain: 'spec.icon holds one image in base64 with its media type: GIF, JPEG, PNG or SVG.',
  },
  'bundle/script': {
    title: 'A script in what catalogues show',
    explain:
      'Catalogues and consoles show the description as Markdown and the icon as an image. A script in them would run in the browsers of those who look at the operator, or is taken out on the way.',
  },
  'bundle/hidden-character': {
    title: 'A character that cannot be seen',
    explain:
      'A warning. A text of the ClusterServiceVersion holds a control character, or a mark that reverses the direction of text. Terminals and browsers obey such characters and do not show them, so that people read something else than what is written.',
  },
  'bundle/no-icon': {
    title: 'The operator has no icon',
    explain: 'A warning. Catalogues show a placeholder for an operator without spec.icon.',
  },
  'bundle/removed-api': {
    title: 'The bundle uses an API that Kubernetes has removed',
    explain:
      'An object of a version that a Kubernetes has removed cannot be created there. Whether this is an error depends on the Kubernetes that the bundle is for: spec.minKubeVersion, or k8s-version of `--optional-values`. The validator opsdk reports objects that no supported Kubernetes takes.',
  },
  'bundle/capability-level': {
    title: 'Unknown capability level',
    explain:
      'The annotation capabilities of the ClusterServiceVersion is one of Basic Install, Seamless Upgrades, Full Lifecycle, Deep Insights and Auto Pilot; catalogues filter by it.',
  },
  'bundle/category': {
    title: 'Unknown category',
    explain:
      'The annotation categories of the ClusterServiceVersion has names of categories with commas between them; catalogues filter by it. The variable OPERATOR_BUNDLE_CATEGORIES may name a JSON file with other categories: {"categories": ["name"]}.',
  },
  'bundle/no-resource-requests': {
    title: 'A container of the operator has no resource requests',
    explain:
      'A warning. Without resources.requests the scheduler cannot plan for the operator, and a quota may refuse its Pods.',
  },
  'bundle/no-crd-description': {
    title: 'A kind of the operator has no description',
    explain: 'A warning. Consoles show the description of each entry of spec.customresourcedefinitions.',
  },
  'bundle/creates-crds': {
    title: 'The operator may create CustomResourceDefinitions',
    explain:
      'A warning. Definitions that an operator creates are not known to OLM, which then neither updates them nor finds conflicts with other operators.',
  },
  'bundle/name-convention': {
    title: 'The name of the ClusterServiceVersion is unusual',
    explain: 'A warning. By convention it is <operator>.v<version>, such as memcached-operator.v0.1.0.',
  },
  'bundle/channel-name': {
    title: 'The name of a channel is unusual',
    explain:
      'A warning. By convention the names of channels begin with candidate, fast or stable, which tells users what to expect of them. operator-sdk has this rule in good-practices and never applies it, as it does not read the channels.',
  },
  'bundle/deprecated-validator': {
    title: 'The validator is deprecated',
    explain:
      'A warning. operatorhub is the former name of operatorhubv2, capabilities and categories together.',
  },
  'bundle/openshift-version': {
    title: 'The bundle does not say up to which OpenShift it works',
    explain:
      'A bundle that uses APIs which Kubernetes 1.22 removed cannot be installed on OpenShift 4.9. The property olm.maxOpenShiftVersion, in the annotation olm.properties, keeps OpenShift from an upgrade while the operator is installed.',
  },
  'bundle/openshift-label': {
    title: 'The index image does not say for which OpenShift the bundle is',
    explain:
      'The label com.redhat.openshift.versions of the Dockerfile that index-path names gives the versions of OpenShift that the bundle is distributed for; with APIs that Kubernetes 1.22 removed they end at 4.8.',
  },
  'bundle/unsupported-platform': {
    title: 'An image lacks a platform that the labels declare',
    explain:
      'The labels operatorframework.io/arch.<architecture>: supported and operatorframework.io/os.<system>: supported of the ClusterServiceVersion say where the operator runs, and consoles offer it there. Without labels it is linux/amd64. All images of the bundle must be for these platforms.',
  },
  'bundle/platform-label': {
    title: 'The labels do not name a platform of the image',
    explain:
      "A warning. The image of the operator is for more platforms than the labels of the ClusterServiceVersion declare, so that the operator is not offered on them. The operator's image is that of the container manager, or of all containers where none has this name.",
  },
  'bundle/image-platforms': {
    title: 'An image is for fewer platforms than the operator',
    explain:
      "A warning. A related image, or one of another container, lacks an operating system or an architecture that the labels or the operator's own image have.",
  },
  'bundle/node-affinity': {
    title: 'The node affinity of a Deployment does not fit its image',
    explain:
      'A warning. In a cluster with nodes of several architectures, Pods land on nodes that their image cannot run on unless requiredDuringSchedulingIgnoredDuringExecution names kubernetes.io/os and kubernetes.io/arch of all platforms that the image is for, and of no other.',
  },
  'bundle/image-not-inspected': {
    title: 'The platforms of an image are unknown',
    explain:
      'A warning of the validator multiarch, which asks registries for the images that the ClusterServiceVersion names. The message says why there was no answer; what depends on this image is not checked.',
  },
  'bundle/disruption-budget': {
    title: 'A PodDisruptionBudget blocks the maintenance of nodes',
    explain:
      'A budget that allows no Pod to be evicted keeps nodes from being drained. maxUnavailable is above 0, minAvailable below 100%; the API server takes one of the two, as a number or a percentage. The validator object refuses every percentage as maxUnavailable, as the one of operator-framework does.',
  },
  'bundle/global-priority-class': {
    title: 'A PriorityClass is the default of the cluster',
    explain: 'globalDefault: true changes the priority of Pods that do not belong to the operator.',
  },
  'bundle/budget-permission': {
    title: 'A role allows to create PodDisruptionBudgets',
    explain: 'A warning. Whoever may create or update budgets can keep nodes from being drained.',
  },
  'bundle/default-scc-permission': {
    title: 'A role allows to change SecurityContextConstraints of OpenShift',
    explain:
      'Those that OpenShift comes with are used by all workloads; an operator that changes them changes the security of the cluster.',
  },
} satisfies ExplainedCodes;
