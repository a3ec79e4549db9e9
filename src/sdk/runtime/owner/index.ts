/** Ownership of objects: references for the garbage collector, and the checks that the API server does not make. */
export { ownedBy, ownerReference, setControllerReference } from './owner-reference.ts';
export { checkOwners } from './check-owners.ts';
export { objectName } from './object-name.ts';
