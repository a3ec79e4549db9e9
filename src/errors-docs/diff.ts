import type { DiffCode } from '../errors/index.ts';
import type { Explanation } from './explanation.ts';

export const diffExplanations = {
  'diff/nothing-to-compare': {
    title: 'No CustomResourceDefinition to compare was found',
    explain:
      '`op-sdk crd diff` got a file, a folder, standard input or a project without one. Reporting "no changes" would be wrong: usually the path is wrong, or the command before the pipe has failed.',
  },
  'diff/duplicate': {
    title: 'A CustomResourceDefinition appears twice',
    explain: 'It is unclear which of the two is meant. The usual cause is a folder with several releases.',
  },
  'diff/stdin-twice': {
    title: 'Standard input cannot be both sides of a comparison',
    explain: '`-` may stand for the old or for the new definitions, not for both.',
  },
} satisfies Readonly<Record<DiffCode, Explanation>>;
