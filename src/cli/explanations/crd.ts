import type { CrdCode, KustomizeCode, IoCode } from '../../base/errors/index.ts';
import type { Explanation } from './explanation.ts';

/** One rule has one code, whoever meets the definition: generate, import, bundle validate, crd diff, the test control plane. */
export const crdExplanations = {
  'crd/form': {
    title: 'A CustomResourceDefinition cannot be read',
    explain:
      'A value has a type that the API server cannot decode, or a required part of the definition is missing: group, plural, kind, scope, versions with a name and a schema. The message names the path in the definition.',
  },
  'crd/unknown-field': {
    title: 'A CustomResourceDefinition has a field that the API server does not know',
    explain:
      'The API server drops it when the definition is installed. Usually it is misspelt, a keyword of JSON Schema that Kubernetes does not have, or an extension of some tool.',
  },
  'crd/group': {
    title: 'An API group is invalid',
    explain:
      'The group of a custom resource is a lower-case DNS subdomain of at most 253 characters with at least one dot, such as cache.example.com.',
  },
  'crd/reserved-group': {
    title: 'An API group belongs to Kubernetes',
    explain:
      'Groups below k8s.io and kubernetes.io are reserved for APIs that the Kubernetes project has approved. Their CustomResourceDefinitions carry the annotation api-approved.kubernetes.io with the address of the approval, or a reason that starts with "unapproved". Use a domain of your own.',
  },
  'crd/kind': {
    title: 'A kind is invalid',
    explain:
      'A kind is a word of ASCII letters and digits (dashes are possible) that starts with a letter, at most 63 characters long. Use CamelCase.',
  },
  'crd/name': {
    title: 'A name of a custom resource is invalid',
    explain:
      'plural, singular, shortNames and categories are lower-case DNS labels (letters, digits and dashes, starting with a letter, at most 63 characters); listKind is CamelCase and differs from the kind. The definition itself is called <plural>.<group>.',
  },
  'crd/metadata': {
    title: 'A label or an annotation of a CustomResourceDefinition is invalid',
    explain:
      'Keys are names of at most 63 characters, with a DNS subdomain and a slash in front if there is a prefix. Values of labels have the form of such names; values of annotations may be any text, 256 KiB together.',
  },
  'crd/version': {
    title: 'An API version is invalid',
    explain:
      'A version is a lower-case label that begins with a letter. Use v, a number, and optionally alpha or beta and a number: v1, v1alpha1, v2beta3.',
  },
  'crd/duplicate-version': {
    title: 'A version of a kind is declared twice',
    explain:
      'Each version of a kind has one schema. In TypeScript: a kind has one interface and one defineResource per version.',
  },
  'crd/storage-version': {
    title: 'A kind does not have exactly one storage version',
    explain:
      'The API server stores objects in one version: exactly one of the versions says `storage: true`.',
  },
  'crd/deprecation': {
    title: 'A deprecation warning is invalid',
    explain:
      'Only a deprecated version has a warning: one line of printable text, not empty and at most 256 bytes long.',
  },
  'crd/printer-column': {
    title: 'A printer column is invalid',
    explain:
      'A printer column has a name, one of the types integer, number, string, boolean and date, possibly a format, and a JSON path that starts with a dot.',
  },
  'crd/printer-column-path': {
    title: 'A printer column names a missing field',
    explain:
      'The path of the column names no field of the schema. The API server accepts it and shows an empty column.',
  },
  'crd/printer-column-type': {
    title: 'A printer column has another type than its field',
    explain: 'kubectl shows nothing, or `<invalid>`, when the value is not of the column type.',
  },
  'crd/repeated-column': {
    title: 'Two printer columns have the same name',
    explain: 'The API server accepts it; the reader of the table cannot tell the columns apart.',
  },
  'crd/scale': {
    title: 'The scale subresource is invalid',
    explain:
      'The scale subresource has a path below .spec with the desired number of replicas, one below .status with the observed number, and optionally one below .status or .spec with the label selector.',
  },
  'crd/scale-path': {
    title: 'A path of the scale subresource names a missing field',
    explain:
      'The API server accepts the path, but reading or writing the scale will fail: the path names no field of the schema, or one that is not an integer (for the selector, not a string).',
  },
  'crd/selectable-field': {
    title: 'A selectable field is invalid',
    explain:
      'Objects can be selected by at most 8 fields of a version, each a string, an integer or a boolean outside of lists and of metadata, named by a path in dots.',
  },
  'crd/conversion': {
    title: 'A conversion is invalid',
    explain:
      'The strategy is None, or Webhook with a clientConfig, which has either a service or an https URL with a host and without user, query and fragment, and with conversionReviewVersions, v1 among them.',
  },
  'crd/schema': {
    title: 'The API server would refuse the schema of a CustomResourceDefinition',
    explain:
      'Schemas must be structural: a type for every field, and what allOf, anyOf, oneOf and not refer to declared outside of them; defaults must fit their schema, and list types need items with an identity. They are checked as the API server (1.36) checks them. In the old definitions `op-sdk crd diff` only warns: such definitions exist on clusters, but verdicts about the part that the message names are not certain.',
  },
  'crd/cel-rule': {
    title: 'The API server would refuse a CEL rule',
    explain:
      'The rule is not CEL, names a variable, field or function that does not exist, or one of its fields is invalid: message, reason, fieldPath, oldSelf where items have no identity. Arguments of functions and costs are not checked here; `op-sdk generate manifests --verify` asks an API server.',
  },
  'crd/preserve-unknown-fields': {
    title: 'spec.preserveUnknownFields is true',
    explain:
      'apiextensions.k8s.io/v1 refuses new definitions that keep all unknown fields. x-kubernetes-preserve-unknown-fields: true in the schema says where they are kept.',
  },
  'crd/too-large': {
    title: 'A CustomResourceDefinition is too large to be stored',
    explain:
      'The API server stores the definition as JSON, and etcd takes requests of at most 1.5 MiB (1,572,864 bytes) unless its `--max-request-bytes` was raised; the API server answers "request is too large".',
  },
  'crd/nearly-too-large': {
    title: 'A CustomResourceDefinition is nearly too large to be stored',
    explain:
      'As JSON it has more than 85 % of the 1.5 MiB that etcd takes in one request; what the API server adds, or the next version of the kind, may be too much.',
  },
} satisfies Readonly<Record<CrdCode, Explanation>>;

export const kustomizeExplanations = {
  'kustomize/no-kustomization': {
    title: 'A folder has no kustomization',
    explain:
      'A folder is rendered by its kustomization.yaml, kustomization.yml or Kustomization, of which it must hold exactly one.',
  },
  'kustomize/empty': {
    title: 'A kustomization is empty',
    explain:
      'A kustomization without a single field is refused, as kustomize does: it is most likely unfinished.',
  },
  'kustomize/unsupported-field': {
    title: 'A part of kustomize that op-sdk does not support',
    explain:
      'op-sdk renders the own fields of kustomize: resources, components, ConfigMap and Secret generators, names, namespaces, labels, annotations, images, replicas, patches, replacements, variables, and configurations of these. Helm charts, plugins (`transformers`, `validators`, `generators` of other objects), other schemas (`openapi`) and remote resources need kustomize itself. Every command that takes objects reads them with `-f -`, so you can pipe the output of kustomize into it.',
  },
  'kustomize/unknown-field': {
    title: 'A kustomization has a field that kustomize does not know',
    explain: 'kustomize refuses unknown fields too: a misspelt one would silently be ignored.',
  },
  'kustomize/invalid-value': {
    title: 'A field of a kustomization has the wrong shape',
    explain:
      "The value is not what kustomize's documentation of the field asks for. The message says what it takes.",
  },
  'kustomize/missing-file': {
    title: 'A kustomization names a missing file or folder',
    explain: 'Paths are relative to the folder of the kustomization that names them.',
  },
  'kustomize/outside-root': {
    title: 'A kustomization reads a file outside of its folder',
    explain:
      "As in kustomize, a kustomization may read only files in or below its own folder, so that it means the same wherever it is included; symbolic links are followed first. It may include other folders' kustomizations.",
  },
  'kustomize/cycle': {
    title: 'Kustomizations include each other in a circle',
    explain:
      'A kustomization may not include itself, nor a folder that contains it or one of those that include it, directly or through others: kustomize refuses all of these as cycles.',
  },
  'kustomize/too-large': {
    title: 'A kustomization is too large to render',
    explain:
      'A file is too large, or folders, aliases or generated data multiply so often that rendering would exhaust the memory. Real kustomizations are thousands of times smaller.',
  },
  'kustomize/invalid-resource': {
    title: 'An object cannot be a resource',
    explain:
      'Names, namespaces, and the values of labels and annotations are strings, and annotations that kustomize uses internally (internal.config.kubernetes.io) must not be set.',
  },
  'kustomize/duplicate-resource': {
    title: 'Two resources have the same identity',
    explain:
      'Group, version, kind, namespace and name must be unique in a kustomization: one of the two would be lost. This also applies after names and namespaces were changed.',
  },
  'kustomize/no-target': {
    title: 'An entry of a kustomization matches no resource',
    explain: 'An entry that changes nothing is most likely misspelt; kustomize refuses it too.',
  },
  'kustomize/unexpected-shape': {
    title: 'A field of a resource does not have the shape that a change needs',
    explain:
      'A label, an image or another value is to be set in a field that holds something else, such as a list where a mapping belongs.',
  },
  'kustomize/ambiguous-reference': {
    title: 'A reference may mean several resources',
    explain:
      'A name in one resource refers to another one whose name changed, and several that were renamed differently match; or the objref of a variable matches several resources.',
  },
  'kustomize/invalid-patch': {
    title: 'A patch is invalid',
    explain:
      'A patch is either an object with kind and metadata.name that is merged (strategic merge), or a list of steps with op and path (JSON 6902), which needs a target.',
  },
  'kustomize/invalid-selector': {
    title: 'The target of a patch is invalid',
    explain:
      'group, version, kind, name and namespace are regular expressions of Go that match the whole text; labelSelector and annotationSelector are selectors as in `kubectl get -l`.',
  },
  'kustomize/patch-failed': {
    title: 'A patch does not fit the resource that it is for',
    explain:
      'A step of a JSON 6902 patch has a path that does not exist, a strategic merge patch has another shape than the object, or it relies on something that kustomize silently does wrong.',
  },
  'kustomize/replacement-failed': {
    title: 'A replacement or a variable cannot read its source or set its target',
    explain:
      'The path does not match the resource, or the value does not match the field: kustomize copies the text of scalars, so a number field takes numbers only.',
  },
  'kustomize/folded-text': {
    title: 'kustomize prints other line breaks in a folded text',
    explain:
      'In a folded text (>), line breaks before lines that are indented more, and several of them at its end, belong to the text. kustomize 5.8 prints one more at such places, and leaves some out of a text that begins with a blank. op-sdk prints the text as YAML defines it, so the two results differ; a literal text (|) is the same in both.',
  },
  'kustomize/cannot-edit': {
    title: 'A kustomization cannot be edited by a command',
    explain:
      'Commands change single lines of files that people write, so that comments and style stay. Here the field is written in a way that does not allow it.',
  },
} satisfies Readonly<Record<KustomizeCode, Explanation>>;

export const ioExplanations = {
  'io/cannot-read': {
    title: 'A file cannot be read',
    explain: 'The file exists but the operating system refuses to let op-sdk read it. Check its permissions.',
  },
  'io/cannot-write': {
    title: 'A file cannot be written',
    explain:
      'The operating system refuses the write: a read-only folder, missing permissions, or a full disk. Nothing was changed: all files are first written beside their targets and renamed only when every one is complete.',
  },
  'io/not-found': {
    title: 'A file or folder does not exist',
    explain: 'A file that the command needs is missing.',
  },
  'io/yaml-syntax': {
    title: 'A YAML file cannot be parsed',
    explain:
      'The file is not valid YAML, or text follows the end of its document. In files that op-sdk writes, duplicate keys and aliases that expand without limit are errors too, and duplicate keys in all files of a kustomization.',
  },
  'io/yaml-ambiguous': {
    title: 'A plain YAML value means different things to different tools',
    explain:
      "Kubernetes' own tools read YAML 1.1, in which `on`, `yes` and `n` are booleans and `0644` is octal; YAML 1.2 reads strings and decimal numbers. op-sdk refuses to guess: quote strings, write booleans as `true` and `false`, and numbers in decimal.",
  },
  'io/yaml-not-json': {
    title: 'A YAML value has no exact JSON form',
    explain:
      'Kubernetes objects are JSON. NaN, infinities, integers beyond 2^53-1, keys that are not scalars, unknown tags and aliases that contain themselves cannot be kept as they are.',
  },
  'io/not-an-object': {
    title: 'A document is not a Kubernetes object',
    explain: 'Every object of a manifest has an apiVersion, a kind and a metadata.name.',
  },
  'io/too-large': {
    title: 'A file or a stream is larger than op-sdk reads',
    explain:
      'Input is read up to a limit, so that no file or URL can use up all memory: 20 MiB of text, 1,000,000 lines, 1,000,000 escapes in quoted text, 500,000 values with aliases written out, 400 levels of nesting, for all files of one command together; `import crd` takes as much of each file. Split the input into smaller files, and run a command that reads them all together for each part.',
  },
} satisfies Readonly<Record<IoCode, Explanation>>;
