import type {
  SchemaCode,
  ManifestsCode,
  BuildCode,
  ImportCode,
  ImportV1beta1Code,
  ScaffoldCode,
  ProjectCode,
} from './compiler.ts';
import type {
  BundleValidateCode,
  BundleCode,
  CatalogCode,
  OlmCode,
  OlmChoiceCode,
  OlmRunCode,
} from './olm.ts';
import type { CrdCode, DiffCode, KustomizeCode, CliCode, IoCode, OciCode } from './files.ts';
import type { ClusterCode, KubeCode, RuntimeCode, NetCode } from './cluster.ts';
import type { TestenvCode, TestapiCode, TestingCode } from './testing-tools.ts';

export type {
  BuildCode,
  ManifestsCode,
  SchemaCode,
  ImportCode,
  ImportV1beta1Code,
  ScaffoldCode,
  ProjectCode,
} from './compiler.ts';
export type {
  BundleValidateCode,
  BundleCode,
  CatalogCode,
  OlmCode,
  OlmChoiceCode,
  OlmRunCode,
} from './olm.ts';
export type { CliCode, CrdCode, DiffCode, KustomizeCode, IoCode, OciCode } from './files.ts';
export type { ClusterCode, KubeCode, RuntimeCode, NetCode } from './cluster.ts';
export type { TestapiCode, TestenvCode, TestingCode } from './testing-tools.ts';

/** Every code that op-sdk can report, `<room>/<kebab-name>`. `cli/explanations` explains each of them. */
export type ErrorCode =
  | BuildCode
  | BundleValidateCode
  | BundleCode
  | CatalogCode
  | CliCode
  | ClusterCode
  | CrdCode
  | DiffCode
  | ImportV1beta1Code
  | ImportCode
  | IoCode
  | KubeCode
  | KustomizeCode
  | ManifestsCode
  | NetCode
  | OciCode
  | OlmChoiceCode
  | OlmRunCode
  | OlmCode
  | ProjectCode
  | RuntimeCode
  | ScaffoldCode
  | SchemaCode
  | TestapiCode
  | TestenvCode
  | TestingCode;

/** 2 for a flag or argument value, 70 for a defect, 130 for an interrupt, 1 for everything else. */
export type ExitCode = 1 | 2 | 70 | 130;

/** The codes that do not end a command with 1. Those not listed do; a table of all of them would go into every operator. */
const exitCodes: Readonly<Partial<Record<ErrorCode, ExitCode>>> = {
  'build/invalid-outfile': 2,
  'bundle/not-a-folder': 2,
  'cli/defect': 70,
  'cli/interrupted': 130,
  'cli/invalid-value': 2,
  'cli/missing-value': 2,
  'cli/unexpected-argument': 2,
  'cli/unknown-command': 2,
  'cli/unknown-flag': 2,
  'cluster/image-not-used': 2,
  'diff/stdin-twice': 2,
  'import/source': 2,
  'manifests/apis-dir': 2,
  'manifests/output-dir': 2,
  'oci/archive-form': 2,
  'oci/ca-file': 2,
  'oci/invalid-destination': 2,
  'oci/invalid-reference': 2,
  'oci/no-registry-named': 2,
  'olm/flag-of-other-version': 2,
  'runtime/invalid-address': 2,
  'runtime/invalid-flag-value': 2,
  'runtime/unknown-flag': 2,
  'schema/not-structural': 70,
  'testenv/invalid-version': 2,
};

/** The codes of findings that do not fail a command, unless `--strict` says so. */
const warnings: ReadonlySet<ErrorCode> = new Set([
  'bundle/scorecard-leftovers',
  'bundle/scorecard-selection',
  'catalog/hidden-version',
  'catalog/no-package',
  'catalog/unknown-schema',
  'catalog/update-loop',
  'cluster/audit-open-ended',
  'cluster/audit-unused',
  'cluster/conversion-left-out',
  'crd/nearly-too-large',
  'crd/printer-column-path',
  'crd/printer-column-type',
  'crd/repeated-column',
  'crd/scale-path',
  'crd/unknown-field',
  'diff/waiver-ambiguous',
  'diff/waiver-expired',
  'diff/waiver-unused',
  'import/skipped-file',
  'import/v1beta1-lost',
  'kustomize/folded-text',
  'manifests/conversion-ca',
  'manifests/conversion-not-added',
  'manifests/grants-permissions',
  'manifests/identical-versions',
  'manifests/large-crd',
  'manifests/name-clash',
  'manifests/no-conversion',
  'manifests/reads-all-secrets',
  'manifests/role-namespace',
  'manifests/status-without-field',
  'manifests/unknown-scope',
  'manifests/unserved',
  'manifests/unusual-name',
  'manifests/useless-rbac-rule',
  'manifests/webhook-blocks-operator',
  'manifests/webhook-not-added',
  'manifests/webhook-not-listed',
  'manifests/wide-permission',
  'oci/login-not-used',
  'oci/login-unchecked',
  'oci/login-unencrypted',
  'olm/catalog-not-serving',
  'olm/no-manifests',
  'project/unlisted-package',
  'project/watch-namespace-kept',
  'schema/bounds',
  'schema/default-for-people',
  'schema/example',
  'schema/float',
  'schema/int64-maximum',
  'schema/map-of-objects',
  'schema/no-effect',
  'schema/nullable-enum-tag',
  'schema/pattern-delimiters',
  'schema/required-undeclared',
  'schema/unbounded-cel',
  'schema/unit',
  'schema/unknown-x-descriptor',
  'schema/unused-allow',
  'schema/unused-descriptor',
]);

/** The exit code of a command that ends with this code. */
export function exitCodeFor(code: ErrorCode): ExitCode {
  return exitCodes[code] ?? 1;
}

/** The exit code of a command that ends with these codes: 2 if a flag or argument value is among them, else 1. */
export function exitCodeOf(codes: readonly ErrorCode[]): 1 | 2 {
  return codes.some((code) => exitCodeFor(code) === 2) ? 2 : 1;
}

export function severityOf(code: ErrorCode): 'error' | 'warning' {
  return warnings.has(code) ? 'warning' : 'error';
}

/** Every code that is a warning, sorted. */
export const warningCodes: readonly ErrorCode[] = [...warnings];
