import { fromV1beta1, checkCrd, type Violation } from '../../../kubernetes/crd/index.ts';
import { isJsonMap } from '../../../base/util/json-map.ts';
import { fieldAt } from './fields.ts';
import type { BundleObject } from './types.ts';

/** Violations of a CustomResourceDefinition, grouped by the tool that reports them. */
interface CrdVerdict {
  /** Violations by values of a type that Go cannot decode. Such values make the entire bundle unreadable to Go. */
  readonly undecodable: readonly Violation[];
  /** Violations that operator-framework's validator of CustomResourceDefinitions reports. */
  readonly upstream: readonly Violation[];
  /**
   * Violations that operator-framework's validator does not report: errors in schemas and in the status subresource, and problems that only
   * the API server or etcd refuses.
   */
  readonly dropped: readonly Violation[];
}

/**
 * Maximum number of violations in each list; larger than the number of findings that are shown. The limit exists because a malicious
 * definition may have as many violations as values.
 */
const MOST_KEPT = 1000;

const verdicts = new WeakMap<BundleObject, CrdVerdict>();

/** Judges a CustomResourceDefinition once; all validators share the result. */
export function judgeDefinition(crd: BundleObject): CrdVerdict {
  const known = verdicts.get(crd);
  if (known !== undefined) return known;
  const verdict = judge(crd);
  verdicts.set(crd, verdict);
  return verdict;
}

function judge(crd: BundleObject): CrdVerdict {
  const undecodable: Violation[] = [];
  const upstream: Violation[] = [];
  const dropped: Violation[] = [];
  let duplicates = 0;
  const keep = (list: Violation[], violation: Violation): void => {
    if (list.length < MOST_KEPT) list.push(violation);
  };
  for (const violation of violationsOf(crd)) {
    const { code } = violation;
    if (isUndecodable(crd, violation)) keep(undecodable, violation);
    // One error stands for all versions that are declared twice.
    else if (isUpstream(violation) && (code !== 'crd/duplicate-version' || ++duplicates === 1))
      keep(upstream, violation);
    else keep(dropped, violation);
  }
  return { undecodable, upstream, dropped };
}

function violationsOf(crd: BundleObject): readonly Violation[] {
  if (crd.apiVersion === 'apiextensions.k8s.io/v1') return checkCrd(crd.value);
  // Convert from v1beta1, which supported Kubernetes versions no longer serve.
  const { document, findings, origin } = fromV1beta1(crd.value, () => ({ file: crd.file }));
  if (document === undefined)
    return findings.map(({ message, fix = [] }) => ({
      path: ['spec'],
      code: 'crd/form',
      message,
      fix: fix[0] ?? '',
    }));
  return [
    ...keptFields(crd),
    ...checkCrd(document).map((violation) => ({ ...violation, path: origin(violation.path) })),
  ];
}

/** Reports that `preserveUnknownFields` is not false. It defaults to true in v1beta1, but must be false in v1. */
function keptFields(crd: BundleObject): readonly Violation[] {
  if (fieldAt(crd.value, 'spec', 'preserveUnknownFields') === false) return [];
  return [
    {
      path: ['spec', 'preserveUnknownFields'],
      code: 'crd/preserve-unknown-fields',
      message: 'spec.preserveUnknownFields must be false; in v1beta1 it is true if it is not given',
      fix: 'write the definition as apiextensions.k8s.io/v1',
    },
  ];
}

/** Returns true if the violation is a value whose type Go cannot decode; false if it is a missing value. */
function isUndecodable(crd: BundleObject, { code, path }: Violation): boolean {
  if (code !== 'crd/form' || crd.apiVersion !== 'apiextensions.k8s.io/v1') return false;
  if (path.includes('openAPIV3Schema')) return true;
  const value = fieldAt(crd.value, ...path);
  if (path.at(-1) === 'scope') return value !== undefined && typeof value !== 'string';
  if (path.at(-1) === 'versions') return value !== undefined && value !== null && !Array.isArray(value);
  if (path.at(-1) === 'schema') return value !== undefined && value !== null && !isJsonMap(value);
  return value !== undefined && value !== null && value !== '';
}

/** Codes of problems for which operator-framework's validator does not check. */
const further = new Set(['crd/too-large', 'crd/nearly-too-large', 'crd/unknown-field']);
const warnings = new Set([
  'crd/printer-column-path',
  'crd/printer-column-type',
  'crd/repeated-column',
  'crd/scale-path',
]);

/**
 * Returns true if operator-framework's validator reports the violation. This validator does not check the fields of schemas and of status.
 * Source: operator-framework/api `crd.go` `validateInternalCRD`.
 */
function isUpstream({ code, path }: Violation): boolean {
  if (further.has(code) || warnings.has(code)) return false;
  if (path[0] === 'metadata') return true;
  const keys = path.map(String);
  // A missing schema counts as an error of the schema, so operator-framework's validator does not report it.
  if (code === 'crd/form' && keys.at(-1) === 'schema') return false;
  return !keys.some(
    (key) => key.includes('openAPIV3Schema') || key.includes('status') || key === 'validation',
  );
}
