import type { ExplainedCodes } from '../../base/errors/index.ts';

export const ownershipCodes = {
  'cluster/kind-not-writable': {
    title: 'The objects of a kind cannot be patched',
    explain:
      'The API server computes the objects of some kinds, such as metrics and component statuses, and stores none. They have no managed fields, so `op-sdk migrate-ownership` has nothing to move.',
  },
  'cluster/unknown-field-manager': {
    title: 'The field manager that takes over is not known',
    explain:
      'An operator applies objects as `<manager>/<controller>`: the `name` of `createManager` and the name of the controller. `op-sdk migrate-ownership` reads both from the sources. A call that writes by the client of the manager does so as `<manager>`, and one with `fieldManager` in its options under that name. `op-sdk migrate-ownership` moves nothing if a name is computed, if the operator does not write the kind, or if several managers may write it: fields of the wrong manager would be removed by its next apply. Name the manager by `--to`, for one kind at a time.',
  },
  'cluster/field-manager-not-found': {
    level: 'warning',
    title: 'A former field manager owns nothing',
    explain:
      '`metadata.managedFields` of no object that was read has an entry of this manager with the operation Update. Either all has been moved already, or the name is another one. An operator of controller-runtime has the name of its binary, usually `manager`. `kubectl get --show-managed-fields -o yaml` shows it.',
  },
  'cluster/ownership-left': {
    level: 'warning',
    title: 'Fields stay with a former field manager',
    explain:
      '`op-sdk migrate-ownership` moves what was written by create, update and patch, to the object itself or to its status. The former manager has also written by server-side apply, or through another subresource such as `scale`. Who applies as this manager without such a field removes it.',
  },
  'cluster/no-managed-fields': {
    level: 'warning',
    title: 'Objects have no managed fields',
    explain:
      'Objects that were written before Kubernetes 1.18, or whose `metadata.managedFields` was emptied, say of no field who owns it. At the first server-side apply, the API server records all their present fields as owned by `before-first-apply`, and the apply removes none of them. `op-sdk migrate-ownership --from before-first-apply` moves these fields afterwards.',
  },
  'cluster/unknown-managed-fields': {
    title: 'The managed fields of an object have an unknown form',
    explain:
      'An entry of `metadata.managedFields` has an operation, a format or a step of a path that op-sdk does not know. Writing it back could lose a part of it, so nothing is written.',
  },
  'cluster/ownership-not-moved': {
    title: 'Fields stay with their former manager',
    explain:
      'The object changed each time between the read and the write, or the API server or a webhook in front of it has restored the former managed fields. If the object was busy, run the command again; it passes over what has moved. The API server restores entries whose API version it no longer serves; the message names it. Without managed fields, the object can be applied again.',
  },
} satisfies ExplainedCodes;
