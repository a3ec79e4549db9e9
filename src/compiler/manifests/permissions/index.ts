/**
 * Permissions of RBAC objects, beyond their text: rules as single permissions with `*` understood, which of them include others, and
 * what two sets grant differently. Pure; nothing here reads files or sources.
 */
export { describeGrant, describeVerbs, grantJson } from './describe.ts';
export { diffAccess, summarizeAccess, type AccessChange } from './diff-access.ts';
export {
  coveredBy,
  covers,
  isOpenEnded,
  simplify,
  targetKey,
  type Grant,
  type Permission,
  type ResourceGrant,
} from './grant.ts';
export { accessTitle, readAccess, type AccessDocument, type AccessObject } from './read-access.ts';
export { renderAccessMarkdown, renderAccessText } from './render-access.ts';
export { needsByRule, needsJson, needsOf, renderNeeds, targetText, type Need } from './explain-rules.ts';
export { grantsOf } from './rule-grants.ts';
