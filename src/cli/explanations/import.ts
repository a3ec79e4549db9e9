import type { ImportCode } from '../../base/errors/index.ts';
import type { Explanation } from './explanation.ts';

export const importExplanations = {
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
    title: 'A file of the folder was ignored',
    explain:
      'The file mentions CustomResourceDefinitions but cannot be read as YAML or JSON, for example because it is a template that is not rendered yet. If it contains a CustomResourceDefinition that you need, name the file itself to see what is wrong with it.',
  },
  'import/source': {
    title: 'The sources to import from are missing or invalid',
    explain:
      '`op-sdk import crd` takes files, folders, https URLs and `-` for standard input, or `--from-cluster` with the names of CustomResourceDefinitions that are installed; not both.',
  },
  'import/download': {
    title: 'A URL cannot be read',
    explain:
      'The server did not answer with a file of at most 64 MB in time. HTTPS_PROXY and NO_PROXY are respected; redirections are followed to https only.',
  },
} satisfies Readonly<Record<ImportCode, Explanation>>;
