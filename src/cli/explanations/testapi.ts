import type { TestapiCode } from '../../base/errors/index.ts';
import type { Explanation } from './explanation.ts';

export const testapiExplanations = {
  'testapi/unsupported': {
    title: 'The test API does not do this as the real API server would',
    explain:
      'An answer that differs from that of the real API server would make a test pass that should fail, so `createTestApi` refuses instead. docs/testing.md lists what it does. Test this against a real API server, with `startControlPlane` of `opsdk/testing`. `settle` and `advance` report it too, if the code under test swallows the error.',
  },
  'testapi/unknown-kind': {
    title: 'A kind of the test API has no schema',
    explain:
      "`createTestApi` takes the schemas of custom resources from `crds`, by default the project's own in config/crd/bases, and knows the built-in kinds that docs/testing.md lists. Generate the CRD (`op-sdk generate manifests`), or name its file in `crds`.",
  },
  'testapi/invalid-object': {
    title: 'The API server would refuse an object of a test',
    explain:
      'The objects that `createTestApi` is given are created in their order, as a client would create them. Those that the API server refuses cannot exist; the message is its own. Namespaces other than `default` must come before what is in them. A status is written after the object.',
  },
  'testapi/started': {
    title: 'A controller is added too late',
    explain: 'The first `settle` or `advance` starts the added controllers. Add all of them before.',
  },
  'testapi/not-settled': {
    title: 'The controllers do not come to rest',
    explain:
      'An object was reconciled very often within one `settle` or `advance`: each reconcile changes something that causes the next one, or asks for the next one at once. Two controllers may fight for a field, or a status may hold a time of each run.',
  },
  'testapi/reconcile-failed': {
    title: 'Objects whose last reconcile failed',
    explain:
      'When the added controllers have come to rest, `settle` and `advance` throw what the last reconcile of an object threw, because a test that goes on would look at a half-finished state. The error is the cause. Catch it where the failure is what the test is about.',
  },
} satisfies Record<TestapiCode, Explanation>;
