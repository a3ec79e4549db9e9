import type { ExplainedCodes } from '../../base/errors/index.ts';

export const importCodes = {
  'import/no-crd': {
    title: 'No CustomResourceDefinition was found',
    explain:
      'None of the named files, folders or URLs holds an object of kind CustomResourceDefinition. Templates that do not become YAML until they are rendered, such as those of Helm charts, cannot be read: pipe the rendered manifest into `op-sdk import crd -`.',
  },
  'import/different-crds': {
    title: 'Two different CustomResourceDefinitions have one name or define one kind',
    explain:
      'Plural and group are the same, or kind and group, and the rest is not. Both would be written into the same files, and no cluster could serve both. Two equal ones are imported once.',
  },
  'import/not-faithful': {
    title: 'The imported types do not generate the same CustomResourceDefinition',
    explain:
      'Before anything is written, the CRD is generated from the new types and compared with the original. They differ where the message says, so nothing was written for this CRD. `--allow-loss` writes the types anyway; `--client-only` writes types that no CRD is generated from.',
  },
  'import/skipped-file': {
    level: 'warning',
    title: 'A file of the folder was ignored',
    explain:
      'The file mentions CustomResourceDefinitions but cannot be read as YAML or JSON, for example because it is a template that is not rendered yet. If it contains a CustomResourceDefinition that you need, name the file itself to see what is wrong with it.',
  },
  'import/source': {
    exitCode: 2,
    title: 'The sources to import from are missing or invalid',
    explain:
      '`op-sdk import crd` takes files, folders, https URLs and `-` for standard input, or `--from-cluster` with the names of CustomResourceDefinitions that are installed; not both.',
  },
  'import/download': {
    title: 'A URL cannot be read',
    explain:
      'The server did not answer with a file of at most 64 MB in time. HTTPS_PROXY and NO_PROXY are respected; redirections are followed to https only.',
  },
  'import/v1beta1': {
    title: 'A v1beta1 CustomResourceDefinition that cannot be converted',
    explain:
      'apiextensions.k8s.io/v1beta1 is no longer served (since Kubernetes 1.22); its definitions are converted to v1 as the API server did. What the v1beta1 API would have refused, such as a schema for all versions together with schemas of single versions, cannot be converted.',
  },
  'import/v1beta1-lost': {
    level: 'warning',
    title: 'A part of a v1beta1 CustomResourceDefinition has no exact counterpart in v1',
    explain:
      'The message says what it meant in v1beta1 and what replaces it in v1. Most frequent is `preserveUnknownFields`, which is true by default in v1beta1 and keeps unknown fields at every depth: v1 says this with `x-kubernetes-preserve-unknown-fields` at each place of the schema.',
  },
} satisfies ExplainedCodes;
