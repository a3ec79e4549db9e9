import type { FindingList } from '../../base/errors/index.ts';
import type { JsonMap } from '../../base/util/json-map.ts';
import type { PlacedObject } from '../../kubernetes/yaml/index.ts';
import { csvNameProblem } from './validate/name-rules.ts';
import { isSemver, isVersionRange } from './validate/semver.ts';

/** Fields of a release about former releases and the cluster: they follow from no manifest. */
export interface ReleaseFields {
  /** The ClusterServiceVersion that this one is the update of. */
  readonly replaces?: string;
  /** ClusterServiceVersions that nobody updates to any more, and that this one is the update of too. */
  readonly skips?: readonly string[];
  /** The versions that this one is the update of, such as `>=1.0.0 <1.2.0`: the annotation `olm.skipRange`. */
  readonly skipRange?: string;
  /** The oldest Kubernetes that the operator works on, such as `1.32.0`. */
  readonly minKubeVersion?: string;
}

/** One of the fields, and how it is given and judged. */
export interface ReleaseField {
  /** The key of package.json's `opsdk`, and of the parsed flags. */
  readonly key: keyof ReleaseFields;
  readonly flag: string;
  readonly isList: boolean;
  /** Returns the fault of a value, or of an item of the list; undefined if it is valid. */
  readonly check: (value: string) => string | undefined;
  readonly fix: string;
}

const named = {
  check: (name: string): string | undefined => {
    const problem = csvNameProblem(name);
    return problem === undefined ? undefined : `it is not the name of a ClusterServiceVersion: ${problem}`;
  },
  fix: 'write <package>.v<version>, such as memcached-operator.v0.0.1',
};

/** All fields that a release has. Source: operator-framework/api `ClusterServiceVersionSpec`, OLM "Creating an update graph". */
export const releaseFields: readonly ReleaseField[] = [
  { ...named, key: 'replaces', flag: '--replaces', isList: false },
  { ...named, key: 'skips', flag: '--skips', isList: true },
  {
    key: 'skipRange',
    flag: '--skip-range',
    isList: false,
    check: (range) => (isVersionRange(range) ? undefined : 'it is not a range of semantic versions'),
    fix: 'write a range such as ">=1.0.0 <1.2.0"',
  },
  {
    key: 'minKubeVersion',
    flag: '--min-kube-version',
    isList: false,
    check: (version) => (isSemver(version) ? undefined : 'it is not a semantic version of three numbers'),
    fix: 'write three numbers, such as 1.32.0',
  },
];

/** The fields as parts of a ClusterServiceVersion: those of the spec, and the annotations. */
export function releaseParts({ replaces, skips = [], skipRange, minKubeVersion }: ReleaseFields): {
  readonly spec: JsonMap;
  readonly annotations: Readonly<Record<string, string>>;
} {
  return {
    spec: {
      ...(replaces === undefined ? {} : { replaces }),
      ...(skips.length === 0 ? {} : { skips }),
      ...(minKubeVersion === undefined ? {} : { minKubeVersion }),
    },
    annotations: skipRange === undefined ? {} : { 'olm.skipRange': skipRange },
  };
}

/** Notes a release that would be the update of itself. */
export function checkUpdateOfItself(
  findings: FindingList,
  spec: JsonMap,
  name: string,
  where: PlacedObject['where'],
): void {
  const { replaces, skips } = spec;
  const isSkipped = Array.isArray(skips) && (skips as unknown[]).includes(name);
  for (const field of [...(replaces === name ? ['replaces'] : []), ...(isSkipped ? ['skips'] : [])])
    findings.add({
      code: 'bundle/replaces-itself',
      message: `spec.${field} names ${name}, which is this version itself`,
      where,
      fix: ['name the version before, or give another --version'],
    });
}
