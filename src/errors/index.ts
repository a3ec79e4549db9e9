/**
 * What can go wrong, said once: the error class, the stable codes, and how a finding is written.
 * It ships in operators, so what the codes mean is explained elsewhere, in `errors-docs`. Everyone may import this room; it imports nobody.
 */
export type { Finding, FindingCode, Where } from './finding.ts';
export { OpSdkError, isOpSdkError } from './op-sdk-error.ts';
export { FindingList } from './finding-list.ts';
export * from './codes/index.ts';
export { formatFinding, formatFindings, type FormatOptions } from './format.ts';
export { messageOf } from './message-of.ts';
