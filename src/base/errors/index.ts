/**
 * The error class, the stable codes, and the text of a finding.
 * This room ships in operators, so the codes are explained elsewhere, in `cli/explanations`. Everyone may import this room; it imports nobody.
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
  exitCodeFor,
  exitCodeOf,
  severityOf,
  warningCodes,
  type BuildCode,
  type BundleValidateCode,
  type BundleCode,
  type CatalogCode,
  type CliCode,
  type ClusterCode,
  type CrdCode,
  type DiffCode,
  type ImportV1beta1Code,
  type ImportCode,
  type IoCode,
  type KubeCode,
  type KustomizeCode,
  type ManifestsCode,
  type NetCode,
  type OciCode,
  type OlmChoiceCode,
  type OlmRunCode,
  type OlmCode,
  type ProjectCode,
  type RuntimeCode,
  type ScaffoldCode,
  type SchemaCode,
  type TestapiCode,
  type TestenvCode,
  type TestingCode,
  type ErrorCode,
  type ExitCode,
} from './codes/index.ts';
export { messageOf } from './message-of.ts';
