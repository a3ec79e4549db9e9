import type { DiffCode } from '../errors/index.ts';
import type { Explanation } from './explanation.ts';

export const diffExplanations = {
  'diff/nothing-to-compare': {
    title: 'There is no CustomResourceDefinition to compare',
    explain:
      '`op-sdk crd diff` was given a file, a folder, standard input or a project without one. That nothing changed would be the wrong answer: most often the path is wrong, or the command before the pipe has failed.',
  },
  'diff/duplicate': {
    title: 'A CustomResourceDefinition is there twice',
    explain:
      'Which of the two is meant cannot be known. The usual cause is a folder that holds several releases.',
  },
  'diff/stdin-twice': {
    title: 'Standard input cannot be both sides of a comparison',
    explain: '`-` may stand for the old or for the new definitions, not for both.',
  },
} satisfies Readonly<Record<DiffCode, Explanation>>;
