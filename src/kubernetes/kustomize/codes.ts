import type { ExplainedCodes } from '../../base/errors/index.ts';

export const kustomizeCodes = {
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
    level: 'warning',
    title: 'kustomize prints other line breaks in a folded text',
    explain:
      'In a folded text (>), line breaks before lines that are indented more, and several of them at its end, belong to the text. kustomize 5.8 prints one more at such places, and leaves some out of a text that begins with a blank. op-sdk prints the text as YAML defines it, so the two results differ; a literal text (|) is the same in both.',
  },
  'kustomize/cannot-edit': {
    title: 'A kustomization cannot be edited by a command',
    explain:
      'Commands change single lines of files that people write, so that comments and style stay. Here the field is written in a way that does not allow it.',
  },
} satisfies ExplainedCodes;
