/**
 * The error class, the stable codes, and the text of a finding.
 * This room ships in operators, so the codes are explained elsewhere, in `cli/explanations`. Everyone may import this room; it imports nobody.
 */
export type { Finding, FindingCode, Where } from './finding.ts';
export { OpSdkError, isOpSdkError } from './op-sdk-error.ts';
export { FindingList } from './finding-list.ts';
export * from './codes/index.ts';
export { formatFinding, formatFindings, type FormatOptions } from './format.ts';
export { messageOf } from './message-of.ts';
