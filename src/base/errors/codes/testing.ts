export type TestingCode =
  | 'testing/fast-check-missing'
  | 'testing/no-schema'
  | 'testing/no-valid-objects'
  | 'testing/round-trip-failed';
