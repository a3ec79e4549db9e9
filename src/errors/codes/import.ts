export type ImportCode =
  | 'import/no-crd'
  | 'import/invalid-crd'
  | 'import/different-crds'
  | 'import/not-faithful'
  | 'import/dropped-keyword'
  | 'import/skipped-file'
  | 'import/source'
  | 'import/download';
