export type DiffCode = 'diff/nothing-to-compare' | 'diff/duplicate' | 'diff/stdin-twice';
