import type { DiffCode } from '../errors/index.ts';
import type { Explanation } from './explanation.ts';

export const diffExplanations = {
  'diff/nothing-to-compare': {
    title: 'There is no CustomResourceDefinition to compare',
    explain:
      '`op-sdk crd diff` was given a file, a folder, standard input or a project without one. That nothing changed would be the wrong answer: most often the path is wrong, or the command before the pipe has failed.',
  },
  'diff/definition': {
    title: 'A CustomResourceDefinition cannot be read',
    explain:
      'Something that the comparison needs is missing or has the wrong type; the API server would refuse the definition, too.',
  },
  'diff/schema': {
    title: 'The API server would refuse the schema of a CustomResourceDefinition',
    explain:
      'Whether a change is compatible can only be said of schemas that the API server takes. In the new definition this is an error. In the old one it is a warning: such definitions exist on clusters, from the time of v1beta1; the verdicts about what the message names are not certain then.',
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
