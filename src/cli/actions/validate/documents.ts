import type { BundleVerdict } from '../../../bundle/index.ts';
import type { BundleResult } from '../../../bundle/validate/findings/collect-findings.ts';
import { joinResults, type JoinedFinding } from '../../../bundle/validate/findings/join-results.ts';
import { fieldName } from '../../../bundle/validate/fields.ts';
import { formatWhere } from '../../../errors/format.ts';

/** The verdict on a bundle, and whether it counts as passed. */
export interface JudgedBundle {
  readonly verdict: Pick<BundleVerdict, 'dir' | 'results'>;
  readonly passed: boolean;
}

/** The document of `-o json`: of one bundle an object, of several a list. */
export function jsonDocument(judged: readonly JudgedBundle[]): unknown {
  const [only] = judged;
  if (judged.length === 1 && only !== undefined) return bundleDocument(only);
  return judged.map((each) => ({ bundle: each.verdict.dir, ...bundleDocument(each) }));
}

function bundleDocument({ verdict, passed }: JudgedBundle): {
  readonly passed: boolean;
  readonly results: unknown;
} {
  return { passed, results: verdict.results.map(resultDocument) };
}

function resultDocument({ validator, rule, level, message, where, path, fix }: BundleResult): unknown {
  const place = where !== undefined && 'file' in where ? where : undefined;
  return {
    validator,
    rule,
    level,
    message,
    file: place?.file ?? null,
    line: place?.line ?? null,
    column: place?.column ?? null,
    path: path === undefined ? null : fieldName(path),
    fix: fix.length === 0 ? null : fix.join('; '),
  };
}

/** The document of operator-sdk's `-o json-alpha1`. */
export function alpha1Document(judged: readonly JudgedBundle[]): unknown {
  const passed = judged.every((each) => each.passed);
  const findings = judged.flatMap(({ verdict }) => joinResults(verdict.results));
  // operator-sdk names warnings first, and writes null for an empty list.
  const outputs = [...findings.filter(isWarning), ...findings.filter((finding) => !isWarning(finding))].map(
    outputOf,
  );
  return { passed, outputs: outputs.length === 0 ? null : outputs };
}

const isWarning = ({ level }: JoinedFinding): boolean => level === 'warning';

function outputOf({ level, message, where }: JoinedFinding): {
  readonly type: string;
  readonly message: string;
} {
  return { type: level, message: where === undefined ? message : `${formatWhere(where)}: ${message}` };
}
