/**
 * Changes between two versions of CustomResourceDefinitions, and whom they affect: one rule per concern (`rules/`), one table of
 * codes with their verdicts (`change-codes.ts`), one walk through the schema (`compare-schemas.ts`). Pure: definitions in,
 * changes out. Does not load TypeScript.
 */
export type { CrdChange } from './change.ts';
export {
  changeCodes,
  ratchetingNote,
  severities,
  type Affected,
  type ChangeCode,
  type ChangeKind,
  type Severity,
} from './change-codes.ts';
export { conversionNote } from './conversion-note.ts';
export type { Definition } from './definition.ts';
export { diffCrds } from './diff-crds.ts';
export { placeOfChange } from './place-of-change.ts';
export { readDefinitions, type PlacedDocument, type ReadDefinitions } from './read-definitions.ts';
export { renderMarkdown } from './render-markdown.ts';
export { renderText } from './render-text.ts';
export { readWaivers } from './read-waivers.ts';
export { codeFix, isChangeCode, severitiesReader, type Severities } from './severities.ts';
export { isDocumentation, reasonOf, summarize, summaryText, type ChangeSummary } from './summarize.ts';
export { storageLosses } from './version-loss.ts';
export { waiveChanges, type Waiver } from './waivers.ts';
