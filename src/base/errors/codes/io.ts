export type IoCode =
  | 'io/cannot-read'
  | 'io/cannot-write'
  | 'io/not-found'
  | 'io/yaml-syntax'
  | 'io/yaml-ambiguous'
  | 'io/yaml-not-json'
  | 'io/not-an-object'
  | 'io/too-large';
