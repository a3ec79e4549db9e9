/**
 * The error class, the stable codes, and the text of a finding.
 * This room ships in operators, so codes are explained elsewhere: in `codes.ts` of their room, or in `cli/explanations` if that room ships,
 * too. Every room may import this one; it imports no other room.
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
