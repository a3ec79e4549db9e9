export type BuildCode =
  | 'build/entry-not-found'
  | 'build/invalid-outfile'
  | 'build/bundle-failed'
  | 'build/bundle-warning'
  | 'build/forbidden-package'
  | 'build/invalid-manifest-call'
  | 'build/manifest-not-found'
  | 'build/manifest-kind'
  | 'build/unknown-field'
  | 'build/wrong-type'
  | 'build/missing-field'
  | 'build/invalid-value'
  | 'build/unchecked-manifest';
