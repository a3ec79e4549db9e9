/** Ownership of objects: references for the garbage collector, and checks that the API server does not perform. */
export {
  ownedBy,
  ownerReference,
  setControllerReference,
  checkOwners,
  objectName,
} from './owner-reference.ts';
