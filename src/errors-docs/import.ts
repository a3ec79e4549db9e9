import type { ImportCode } from '../errors/index.ts';
import type { Explanation } from './explanation.ts';

export const importExplanations = {
  'import/no-crd': {
    title: 'There is no CustomResourceDefinition',
    explain:
      'None of the named files, folders or URLs holds an object of kind CustomResourceDefinition. Templates that do not become YAML until they are rendered, such as those of Helm charts, cannot be read: pipe the rendered manifest into `op-sdk import crd -`.',
  },
  'import/different-crds': {
    title: 'Two different CustomResourceDefinitions have one name or define one kind',
    explain:
      'Plural and group are the same, or kind and group, and the rest is not. Both would be written into the same files, and no cluster could serve both. Two equal ones are imported once.',
  },
  'import/not-faithful': {
    title: 'The imported types do not give the CustomResourceDefinition back',
    explain:
      'Before anything is written, the CRD is generated from the new types and compared with the original. They differ where the message says, so nothing was written for this CRD. `--allow-loss` writes the types all the same; `--client-only` makes types that no CRD is generated from.',
  },
  'import/skipped-file': {
    title: 'A file of the folder was passed over',
    explain:
      'The file speaks of CustomResourceDefinitions without being one, and cannot be read as YAML or JSON, as templates that are not rendered yet cannot. If it holds a CustomResourceDefinition that you want, name the file itself to see what is wrong with it.',
  },
  'import/source': {
    title: 'Nothing, or the wrong thing, to import from',
    explain:
      '`op-sdk import crd` takes files, folders, https URLs and `-` for standard input, or `--from-cluster` with the names of CustomResourceDefinitions that are installed; not both.',
  },
  'import/download': {
    title: 'A URL cannot be read',
    explain:
      'The server did not answer with a file of at most 64 MB in time. HTTPS_PROXY and NO_PROXY are respected; redirections are followed to https only.',
  },
} satisfies Readonly<Record<ImportCode, Explanation>>;
