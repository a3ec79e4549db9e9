export type TestapiCode =
  | 'testapi/unsupported'
  | 'testapi/unknown-kind'
  | 'testapi/invalid-object'
  | 'testapi/started'
  | 'testapi/not-settled'
  | 'testapi/reconcile-failed';
