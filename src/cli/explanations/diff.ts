import type { DiffCode } from '../../base/errors/index.ts';
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
    title: 'A waiver is about several changes',
    explain:
      'A warning. Several changes have its code, definition and path, such as two CEL rules that are new in one object, and all of them are waived, also those that nobody has looked at. Name the one that is accepted by its `message`, as `op-sdk crd diff -o json` prints it.',
  },
  'diff/waiver-expired': {
    title: 'A waiver has expired',
    explain:
      'A warning. The day in `until` has passed, in UTC, and the change counts again. Remove the waiver once the change is released, or decide again and set another date.',
  },
  'diff/waiver-unused': {
    title: 'A waiver is about no change',
    explain:
      'A warning. None of the changes has its code, definition, version and path: the change was taken back, or is part of both sides by now, or the waiver has a mistake and the change that it was meant for counts.',
  },
} satisfies Readonly<Record<DiffCode, Explanation>>;
