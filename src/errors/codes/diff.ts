export type DiffCode =
  'diff/nothing-to-compare' | 'diff/definition' | 'diff/schema' | 'diff/duplicate' | 'diff/stdin-twice';
