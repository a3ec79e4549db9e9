import type { Finding } from '../../base/errors/index.ts';
import { collectRules } from './collect-rules.ts';
import { isNamespaced, readKinds, throwUnique, type ManifestOptions } from './generate-manifests.ts';
import type { NeededRule } from './rbac/needed-rule.ts';
import { uniqueFindings } from './unique-findings.ts';

/** Why an operator has the permissions that its role grants. */
export interface ExplainedPermissions {
  /** Each permission that a line of the sources needs, in the order in which the sources are read; several may say the same. */
  readonly rules: readonly NeededRule[];
  readonly warnings: readonly Finding[];
}

/**
 * The permissions of a project, each with the lines that need it. Reads files and writes none.
 * @throws OpSdkError with everything that is wrong in all files, as `generateManifests`
 */
export function explainPermissions(options: ManifestOptions): ExplainedPermissions {
  const { kinds, program, declared, findings } = readKinds(options);
  const { rules, warnings } = collectRules(findings, program, declared, kinds, isNamespaced(options));
  throwUnique(findings);
  return { rules, warnings: uniqueFindings(warnings) };
}
