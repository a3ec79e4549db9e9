/**
 * What can go wrong, said once: the error classes, the catalogue of stable codes, and how a finding is written.
 * Everyone may import this room; it imports nobody.
 */
export { OpSdkError, isOpSdkError, type Finding, type FindingCode, type Where } from './op-sdk-error.ts';
export { FindingList } from './finding-list.ts';
export { catalog, exitCodeOf, type CatalogEntry, type ErrorCode } from './catalog/index.ts';
export { formatFinding, formatFindings } from './format.ts';
