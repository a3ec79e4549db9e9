export type TestenvCode =
  | 'testenv/invalid-version'
  | 'testenv/missing-binaries'
  | 'testenv/no-binaries'
  | 'testenv/checksum-mismatch'
  | 'testenv/not-installed'
  | 'testenv/start-failed'
  | 'testenv/version-mismatch'
  | 'testenv/managed-flag'
  | 'testenv/not-running'
  | 'testenv/audit-off'
  | 'testenv/request-refused'
  | 'testenv/invalid-crd'
  | 'testenv/crd-not-established'
  | 'testenv/invalid-webhook'
  | 'testenv/webhooks-not-asked'
  | 'testenv/eventually-timeout'
  | 'testenv/foreign-file'
  | 'testenv/cannot-join';

export type TestapiCode =
  | 'testapi/unsupported'
  | 'testapi/unknown-kind'
  | 'testapi/invalid-object'
  | 'testapi/started'
  | 'testapi/not-settled'
  | 'testapi/reconcile-failed';

export type TestingCode =
  | 'testing/fast-check-missing'
  | 'testing/no-schema'
  | 'testing/no-valid-objects'
  | 'testing/round-trip-failed';
