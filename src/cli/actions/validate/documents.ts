import {
  type BundleVerdict,
  type BundleResult,
  isCountedError,
  joinResults,
  type JoinedFinding,
  fieldName,
} from '../../../olm/bundle/index.ts';
import { formatWhere } from '../../../base/errors/index.ts';

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

/**
 * The document of operator-sdk's `-o json-alpha1`. Its readers take an output of type `error` for a bundle that has not passed, so errors
 * that do not count are warnings there, and with `--strict` warnings are errors.
 */
export function alpha1Document(judged: readonly JudgedBundle[], strict: boolean): unknown {
  const passed = judged.every((each) => each.passed);
  const findings = judged.flatMap(({ verdict }) => joinResults(verdict.results));
  const outputs = findings.map((finding) => outputOf(finding, strict || isCountedError(finding)));
  // operator-sdk names warnings first, and writes null for an empty list.
  const ordered = [...outputs.filter(isWarning), ...outputs.filter((output) => !isWarning(output))];
  return { passed, outputs: ordered.length === 0 ? null : ordered };
}

interface Output {
  readonly type: 'error' | 'warning';
  readonly message: string;
}

const isWarning = ({ type }: Output): boolean => type === 'warning';

function outputOf({ message, where }: JoinedFinding, counts: boolean): Output {
  return {
    type: counts ? 'error' : 'warning',
    message: where === undefined ? message : `${formatWhere(where)}: ${message}`,
  };
}
