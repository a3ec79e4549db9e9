/**
 * The error class, the stable error codes, and the text of a finding.
 * This folder ships in operators, so explanations of codes are kept elsewhere: in the `codes.ts` of the folder that reports them, or in
 * `cli/explanations` if that folder ships in operators, too. Every folder may import this one; this one imports no other folder.
 */
export {
  type Finding,
  type FindingCode,
  type Where,
  OpSdkError,
  isOpSdkError,
  formatFinding,
  formatFindings,
  type FormatOptions,
  formatWhere,
} from './op-sdk-error.ts';
export { FindingList } from './finding-list.ts';
export {
  exitCodeOf,
  severityOf,
  warningCodes,
  type CodesOf,
  type ErrorCode,
  type ExitCode,
  type ExplainedCode,
  type ExplainedCodes,
} from './codes.ts';
export { messageOf } from './message-of.ts';
