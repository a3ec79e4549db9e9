import type { DiffCode } from '../errors/index.ts';
import type { Explanation } from './explanation.ts';

export const diffExplanations = {
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
      '`git:REF` and `git:REF:PATH` are read with `git`, from the objects of the repository; the message is that of git. Usual causes: the commit or the path does not exist, or the clone is shallow, as CI makes them: fetch the branch first, such as by `fetch-depth: 0` of actions/checkout.',
  },
} satisfies Readonly<Record<DiffCode, Explanation>>;
