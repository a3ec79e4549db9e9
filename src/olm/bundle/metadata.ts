import { compareCodeUnits, isJsonMap, type JsonMap } from '../../base/util/json-map.ts';
import { FindingList } from '../../base/errors/index.ts';
import { readFileOf } from '../../project/project/index.ts';
import { nameSchemas } from '../../kubernetes/objects/index.ts';
import { parseYaml } from '../../kubernetes/yaml/index.ts';
import { csvNameProblem } from './validate/owned-kinds.ts';
import { isSemver, isVersionRange, semverPattern } from './validate/semver.ts';

/** An entry of `metadata/annotations.yaml` that is also a label of the bundle's image. */
export interface BundleAnnotation {
  readonly key: string;
  readonly value: string;
  /** Group of the annotation. `own`: not written by op-sdk, but kept from the existing file. */
  readonly section: 'core' | 'test' | 'own';
}

export interface BundleFacts {
  readonly packageName: string;
  readonly channels: readonly string[];
  readonly defaultChannel?: string | undefined;
  /** Name and version of the tool that made the bundle, such as `op-sdk-v1.2.3`. */
  readonly builder: string;
  readonly projectLayout: string;
  /** True if the bundle has a scorecard configuration. */
  readonly scorecard: boolean;
  /** Annotations that somebody added to the existing annotations.yaml. */
  readonly own?: Readonly<Record<string, string>>;
}

/** Folders of a bundle's parts, both in the bundle's folder and in its image. */
export const bundleFolders = {
  manifests: 'manifests/',
  metadata: 'metadata/',
  scorecard: 'tests/scorecard/',
} as const;

/** Paths of the bundle files that have fixed names, relative to the bundle's folder. */
export const bundleFiles = {
  annotations: 'metadata/annotations.yaml',
  scorecard: 'tests/scorecard/config.yaml',
  csv: (packageName: string): string => `manifests/${packageName}.clusterserviceversion.yaml`,
} as const;

/** Path of the Dockerfile of the bundle's image, relative to the project. */
export const bundleDockerfile = 'bundle.Dockerfile';

const prefix = 'operators.operatorframework.io';

/**
 * Returns the entries of `metadata/annotations.yaml`, which are also the labels of the bundle's image. Source: operator-registry
 * `pkg/lib/bundle`, operator-sdk `internal/annotations/metrics` and `scorecard`.
 */
export function bundleAnnotations(facts: BundleFacts): readonly BundleAnnotation[] {
  const core: readonly (readonly [string, string])[] = [
    [`${prefix}.bundle.mediatype.v1`, 'registry+v1'],
    [`${prefix}.bundle.manifests.v1`, bundleFolders.manifests],
    [`${prefix}.bundle.metadata.v1`, bundleFolders.metadata],
    [`${prefix}.bundle.package.v1`, facts.packageName],
    [`${prefix}.bundle.channels.v1`, facts.channels.join(',')],
    ...(facts.defaultChannel === undefined
      ? []
      : [[`${prefix}.bundle.channel.default.v1`, facts.defaultChannel] as const]),
    [`${prefix}.metrics.builder`, facts.builder],
    [`${prefix}.metrics.mediatype.v1`, 'metrics+v1'],
    [`${prefix}.metrics.project_layout`, facts.projectLayout],
  ];
  const test: readonly (readonly [string, string])[] = facts.scorecard
    ? [
        [`${prefix}.test.mediatype.v1`, 'scorecard+v1'],
        [`${prefix}.test.config.v1`, bundleFolders.scorecard],
      ]
    : [];
  const own = Object.entries(facts.own ?? {}).filter(([key]) => !isBundleKey(key));
  return [
    ...core.map(([key, value]) => ({ key, value, section: 'core' as const })),
    ...test.map(([key, value]) => ({ key, value, section: 'test' as const })),
    ...own
      .sort(([a], [b]) => compareCodeUnits(a, b))
      .map(([key, value]) => ({ key, value, section: 'own' as const })),
  ];
}

/** Returns true if op-sdk writes this annotation key itself. All other keys belong to the project and are kept. */
export function isBundleKey(key: string): boolean {
  return ['bundle', 'metrics', 'test'].some((part) => key.startsWith(`${prefix}.${part}.`));
}

/** Returns true if an annotation can be a label of the bundle's image. */
export function isImageLabel(key: string, value: unknown): value is string {
  return typeof value === 'string' && !/[\r\n]/.test(value) && /^\w[\w./-]*$/.test(key);
}

/** Returns an annotation that was read from a bundle, with the group to which its key belongs. */
export function asBundleAnnotation(key: string, value: string): BundleAnnotation {
  const section = key.startsWith(`${prefix}.test.`) ? 'test' : isBundleKey(key) ? 'core' : 'own';
  return { key, value, section };
}

/**
 * A file of `metadata/` that people write beside the base ClusterServiceVersion. It lists the dependencies of the bundle, or its
 * properties.
 */
export interface MetadataSource {
  /** File name: `dependencies.yaml` or `properties.yaml`. */
  readonly name: string;
  /** Path of the file that was read, relative to the project. */
  readonly source: string;
  readonly document: JsonMap;
}

/**
 * File names of metadata sources. Source: operator-registry `pkg/registry/types.go`. OLM itself recognises these files by their contents.
 */
export const metadataSourceNames = ['dependencies.yaml', 'properties.yaml'] as const;

/**
 * Reads `dependencies.yaml` and `properties.yaml` from the folder of the base ClusterServiceVersion. Does not check their contents; these
 * are validated with the bundle.
 * @param root absolute
 * @param folder relative to `root`, with forward slashes, such as `config/manifests/bases`
 * @throws OpSdkError `io/yaml-*`, `bundle/invalid-object`
 */
export async function readMetadataSources(root: string, folder: string): Promise<readonly MetadataSource[]> {
  const findings = new FindingList();
  const sources: MetadataSource[] = [];
  for (const name of metadataSourceNames) {
    const source = `${folder}/${name}`;
    const text = await readFileOf(root, source);
    if (text === undefined) continue;
    const document = await findings.gather(() => parseYaml(text, source));
    if (document === undefined) continue;
    const key = name.replace('.yaml', '');
    if (isJsonMap(document.value) && Array.isArray(document.value[key]))
      sources.push({ name, source, document: document.value });
    else
      findings.add({
        code: 'bundle/invalid-object',
        message: `expected a list \`${key}\`, got ${isJsonMap(document.value) ? 'none' : JSON.stringify(document.value)}`,
        where: document.locate([key]),
        fix: [`write ${key}: with a list below it, or remove the file`],
      });
  }
  findings.throwIfAny();
  return sources;
}

/** Fields about former releases and the required cluster. They cannot be derived from any manifest, so people set them for each release. */
export interface ReleaseFields {
  /** Name of the ClusterServiceVersion that the new ClusterServiceVersion updates. */
  readonly replaces?: string;
  /** Names of ClusterServiceVersions to which OLM no longer updates. The new ClusterServiceVersion updates them too. */
  readonly skips?: readonly string[];
  /** Range of the versions that the new version updates, such as `>=1.0.0 <1.2.0`. Becomes the annotation `olm.skipRange`. */
  readonly skipRange?: string;
  /** Oldest Kubernetes version on which the operator works, such as `1.32.0`. */
  readonly minKubeVersion?: string;
}

/** A release field, with its flag and its check. */
export interface ReleaseField {
  /** Name of the field, both in the key `opsdk` of package.json and in the parsed flags. */
  readonly key: keyof ReleaseFields;
  readonly flag: string;
  readonly isList: boolean;
  /** Returns the problem with a value, or with one item of a list; undefined if it is valid. */
  readonly check: (value: string) => string | undefined;
  readonly fix: string;
  /** Text that editors show for the field. */
  readonly description: string;
  /** Keywords of JSON Schema for a value, or for one item of a list. They accept all that `check` accepts. */
  readonly keywords: JsonMap;
}

const named = {
  check: (name: string): string | undefined => {
    const problem = csvNameProblem(name);
    return problem === undefined ? undefined : `it is not the name of a ClusterServiceVersion: ${problem}`;
  },
  fix: 'write <package>.v<version>, such as memcached-operator.v0.0.1',
  keywords: { ...nameSchemas.subdomain, maxLength: 63, examples: ['memcached-operator.v0.0.1'] },
};

/** All fields of a release. Source: operator-framework/api `ClusterServiceVersionSpec`, OLM "Creating an update graph". */
export const releaseFields: readonly ReleaseField[] = [
  {
    ...named,
    key: 'replaces',
    flag: '--replaces',
    isList: false,
    description: 'Name of the ClusterServiceVersion that the new version updates.',
  },
  {
    ...named,
    key: 'skips',
    flag: '--skips',
    isList: true,
    description:
      'Names of ClusterServiceVersions to which OLM no longer updates. The new version updates them too.',
  },
  {
    key: 'skipRange',
    flag: '--skip-range',
    isList: false,
    check: (range) => (isVersionRange(range) ? undefined : 'it is not a range of semantic versions'),
    fix: 'write a range such as ">=1.0.0 <1.2.0"',
    description: 'Range of the versions that the new version updates.',
    keywords: { pattern: '\\d', examples: ['>=1.0.0 <1.2.0'] },
  },
  {
    key: 'minKubeVersion',
    flag: '--min-kube-version',
    isList: false,
    check: (version) => (isSemver(version) ? undefined : 'it is not a semantic version of three numbers'),
    fix: 'write three numbers, such as 1.32.0',
    description: 'Oldest version of Kubernetes on which the operator works.',
    keywords: { pattern: semverPattern, examples: ['1.32.0'] },
  },
];
