import type { BundleValidateCode } from '../errors/index.ts';
import type { Explanation } from './explanation.ts';

/** What `op-sdk bundle validate` finds; other commands that read bundles use some of them, too. */
export const bundleValidateExplanations = {
  'bundle/not-a-folder': {
    title: 'The bundle is not a folder',
    explain:
      '`op-sdk bundle validate` reads the folder that holds manifests/ and metadata/. It does not pull images.',
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
      'OLM unpacks a bundle into a ConfigMap, which holds 1 MiB. Each file counts compressed and in base64.',
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
} satisfies Readonly<Record<BundleValidateCode, Explanation>>;
