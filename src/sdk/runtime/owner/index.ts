/** Ownership of objects: references for the garbage collector, and the checks that the API server does not make. */
export {
  ownedBy,
  ownerReference,
  setControllerReference,
  checkOwners,
  objectName,
} from './owner-reference.ts';
