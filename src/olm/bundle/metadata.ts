import { compareCodeUnits } from '../../base/util/json-map.ts';

/** A fact about the bundle: a key of `metadata/annotations.yaml` and a label of the bundle's image. */
export interface BundleAnnotation {
  readonly key: string;
  readonly value: string;
  /** `own`: not op-sdk's, kept from the file that was there. */
  readonly section: 'core' | 'test' | 'own';
}

export interface BundleFacts {
  readonly packageName: string;
  readonly channels: readonly string[];
  readonly defaultChannel?: string | undefined;
  /** The tool that made the bundle: `op-sdk-v1.2.3`. */
  readonly builder: string;
  readonly projectLayout: string;
  /** True if the bundle has a scorecard configuration. */
  readonly scorecard: boolean;
  /** Annotations that somebody added. */
  readonly own?: Readonly<Record<string, string>>;
}

/** Where the parts of a bundle lie, in its folder and in its image. */
export const bundleFolders = {
  manifests: 'manifests/',
  metadata: 'metadata/',
  scorecard: 'tests/scorecard/',
} as const;

/** The files of a bundle that have one name only, relative to its folder. */
export const bundleFiles = {
  annotations: 'metadata/annotations.yaml',
  scorecard: 'tests/scorecard/config.yaml',
  csv: (packageName: string): string => `manifests/${packageName}.clusterserviceversion.yaml`,
} as const;

/** The Dockerfile of the bundle's image, relative to the project. */
export const bundleDockerfile = 'bundle.Dockerfile';

const prefix = 'operators.operatorframework.io';

/**
 * The one table of what `metadata/annotations.yaml` and the labels of the image say.
 * Source: operator-registry `pkg/lib/bundle`, operator-sdk `internal/annotations/metrics` and `scorecard`.
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

/** Returns true if op-sdk writes this key itself; all others are somebody's own and stay. */
export function isBundleKey(key: string): boolean {
  return ['bundle', 'metrics', 'test'].some((part) => key.startsWith(`${prefix}.${part}.`));
}

/** Returns true if an annotation can be a label of the bundle's image. */
export function isImageLabel(key: string, value: unknown): value is string {
  return typeof value === 'string' && !/[\r\n]/.test(value) && /^\w[\w./-]*$/.test(key);
}

/** An annotation that was read from a bundle. */
export function asBundleAnnotation(key: string, value: string): BundleAnnotation {
  const section = key.startsWith(`${prefix}.test.`) ? 'test' : isBundleKey(key) ? 'core' : 'own';
  return { key, value, section };
}
