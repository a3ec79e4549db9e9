/**
 * The inventory of `op-sdk deploy`: an ApplySet (KEP-3659), so that what has left the manifests is found and can be deleted. A
 * Secret beside the operator lists the kinds and namespaces of the members, and each member has its label.
 * kubectl reads it, and would refuse to write it, as we do with its own.
 */
export { applySetId, partOfLabel, type ApplySetParent } from './apply-set.ts';
export { findParent } from './find-parent.ts';
export { formerOperatorFinding } from './former-operators.ts';
export { openInventory, type Inventory, type InventoryRequest } from './inventory.ts';
export { keptFinding, leftOverFinding, unreadFinding } from './leftover-findings.ts';
export { type Leftovers } from './leftovers.ts';
export { type Member } from './members.ts';
export { openRemoval } from './removal.ts';
export { pruneMembers, type PruneRequest } from './prune-members.ts';
