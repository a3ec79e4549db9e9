import type { ExplainedCodes } from '../../base/errors/index.ts';

/** Codes of the findings that the rules for CustomResourceDefinitions report, in all commands. */
export const crdCodes = {
  'crd/form': {
    title: 'A CustomResourceDefinition cannot be read',
    explain:
      'A value has a type that the API server cannot decode, or a required part of the definition is missing: group, plural, kind, scope, versions with a name and a schema. The message names the path in the definition.',
  },
  'crd/unknown-field': {
    level: 'warning',
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
    level: 'warning',
    title: 'A printer column names a missing field',
    explain:
      'The path of the column names no field of the schema. The API server accepts it and shows an empty column.',
  },
  'crd/printer-column-type': {
    level: 'warning',
    title: 'A printer column has another type than its field',
    explain: 'kubectl shows nothing, or `<invalid>`, when the value is not of the column type.',
  },
  'crd/repeated-column': {
    level: 'warning',
    title: 'Two printer columns have the same name',
    explain: 'The API server accepts it; the reader of the table cannot tell the columns apart.',
  },
  'crd/scale': {
    title: 'The scale subresource is invalid',
    explain:
      'The scale subresource has a path below .spec with the desired number of replicas, one below .status with the observed number, and optionally one below .status or .spec with the label selector.',
  },
  'crd/scale-path': {
    level: 'warning',
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
      'Schemas must be structural: a type for every field, and what allOf, anyOf, oneOf and not refer to declared outside of them; defaults must fit their schema, and list types need items with an identity. They are checked as the API server checks them. In the old definitions `op-sdk crd diff` only warns: such definitions exist on clusters, but verdicts about the part that the message names are not certain.',
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
    level: 'warning',
    title: 'A CustomResourceDefinition is nearly too large to be stored',
    explain:
      'As JSON it has more than 85 % of the 1.5 MiB that etcd takes in one request; what the API server adds, or the next version of the kind, may be too much.',
  },
} satisfies ExplainedCodes;

/** Codes of errors that occur when CustomResourceDefinitions or roles are compared. */
export const diffCodes = {
  'diff/nothing-to-compare': {
    title: 'Nothing to compare was found',
    explain:
      '`op-sdk crd diff` got a file, a folder, a commit, standard input or a project without a CustomResourceDefinition, or `op-sdk rbac diff` one without a role. Reporting "no changes" would be wrong: usually the path is wrong, or the command before the pipe has failed.',
  },
  'diff/duplicate': {
    title: 'A definition or a role appears twice',
    explain: 'It is unclear which of the two is meant. The usual cause is a folder with several releases.',
  },
  'diff/stdin-twice': {
    exitCode: 2,
    title: 'Standard input cannot be both sides of a comparison',
    explain: '`-` may stand for the old or for the new side, not for both.',
  },
  'diff/invalid-object': {
    title: 'A role or a binding that is compared is invalid',
    explain:
      'A field has another type than `rbac.authorization.k8s.io/v1` says, or a required one is missing. What it permits cannot be determined, and the API server would refuse it.',
  },
  'diff/git-failed': {
    title: 'git could not show what is compared',
    explain:
      '`git:REF` and `git:REF:PATH` are read with `git`, from the objects of the repository; REF and PATH are never taken for options. Usual causes: the folder is not in a repository, the commit or the path does not exist, or the clone is shallow, as CI makes them: fetch the branch first, such as by `fetch-depth: 0` of actions/checkout. Symbolic links, submodules and pointers of Git LFS are refused: what they stand for would be missing, and its changes with it.',
  },
  'diff/invalid-settings': {
    title: 'What package.json tells `op-sdk crd diff` is invalid',
    explain:
      'The key `opsdk.crdDiff` of package.json may have `severity`, an object from codes of changes to `breaking` or `compatible`, and `waivers`, the name of a file. A code that does not exist is an error: a severity that is never used would be a verdict that nobody gets. docs/crd/diff.md lists the codes.',
  },
  'diff/invalid-waiver': {
    title: 'A waiver is invalid',
    explain:
      'A waiver needs `code`, `crd` and `path` of the change as `op-sdk crd diff` prints them, a `reason`, and the last day on which it holds (`until`); `version` and `message` may be left out. A waiver without a reason is one that nobody can review.',
  },
  'diff/waiver-ambiguous': {
    level: 'warning',
    title: 'A waiver matches several changes',
    explain:
      'A warning. Several changes have its code, definition and path, such as two CEL rules that are new in one object, and all of them are waived, also those that nobody has looked at. Name the one that is accepted by its `message`, as `op-sdk crd diff -o json` prints it.',
  },
  'diff/waiver-expired': {
    level: 'warning',
    title: 'A waiver has expired',
    explain:
      'A warning. The day in `until` has passed, in UTC, and the change counts again. Remove the waiver once the change is released, or decide again and set another date.',
  },
  'diff/waiver-unused': {
    level: 'warning',
    title: 'A waiver matches no change',
    explain:
      'A warning. None of the changes has its code, definition, version and path: the change was taken back, or is part of both sides by now, or the waiver has a mistake and the change that it was meant for counts.',
  },
} satisfies ExplainedCodes;
