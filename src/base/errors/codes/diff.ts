export type DiffCode =
  | 'diff/nothing-to-compare'
  | 'diff/duplicate'
  | 'diff/stdin-twice'
  | 'diff/invalid-object'
  | 'diff/git-failed'
  | 'diff/invalid-settings'
  | 'diff/invalid-waiver'
  | 'diff/waiver-ambiguous'
  | 'diff/waiver-expired'
  | 'diff/waiver-unused';
