export type ImportCode =
  | 'import/no-crd'
  | 'import/different-crds'
  | 'import/not-faithful'
  | 'import/skipped-file'
  | 'import/source'
  | 'import/download';
