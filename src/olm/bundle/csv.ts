import type { FindingList } from '../../base/errors/index.ts';
import type { PlacedObject } from '../../kubernetes/yaml/index.ts';
import { DEFAULT_IMAGE } from './deployments.ts';
import { type JsonMap, isJsonMap } from '../../base/util/json-map.ts';
import type { ObjectReader } from './object-reader.ts';
import type { Permissions } from './permissions.ts';
import type { Container, RelatedImage } from './pin-images.ts';
import type { ReleaseFields } from './metadata.ts';

/** Parts of a ClusterServiceVersion that are computed from the input objects, not taken from the base. */
interface CsvParts {
  readonly packageName: string;
  readonly version: string;
  readonly builder: string;
  readonly projectLayout: string;
  /** Value of the annotation `createdAt`; replaces the value in the base. */
  readonly createdAt?: string | undefined;
  /** Value of the annotation `createdAt`, used only if the base has none. */
  readonly generatedAt?: string | undefined;
  /** Fields of the release, such as `replaces`; they replace the same fields of the base. */
  readonly release: ReleaseFields;
  readonly almExamples: string;
  readonly deployments: readonly JsonMap[];
  readonly permissions: Permissions;
  readonly owned: readonly JsonMap[];
  readonly webhooks: readonly JsonMap[];
  readonly relatedImages: readonly RelatedImage[];
  readonly containers: readonly Container[];
}

/** Install modes for an operator that OLM may install into any namespace and that watches all namespaces. OLM 1 supports only this mode. */
export const defaultInstallModes = [
  { type: 'OwnNamespace', supported: false },
  { type: 'SingleNamespace', supported: false },
  { type: 'MultiNamespace', supported: false },
  { type: 'AllNamespaces', supported: true },
] as const;

/** Returns the name of the ClusterServiceVersion for one version of a package. */
export function csvName(packageName: string, version: string): string {
  return `${packageName}.v${version}`;
}

/** Assembles a ClusterServiceVersion. Fields that people write come from the base; all other fields come from the objects. */
export function csvDocument(
  warnings: FindingList,
  read: ObjectReader,
  base: PlacedObject,
  parts: CsvParts,
): JsonMap {
  const spec = read.map(base, 'spec');
  const { permissions, clusterPermissions } = parts.permissions;
  const { icon, relatedImages: _images, webhookdefinitions: _webhooks, ...described } = spec;
  return {
    apiVersion: 'operators.coreos.com/v1alpha1',
    kind: 'ClusterServiceVersion',
    metadata: {
      ...metadataOf(read, base),
      annotations: annotationsOf(warnings, read, base, parts),
      name: csvName(parts.packageName, parts.version),
      namespace: 'placeholder',
    },
    spec: {
      ...described,
      ...releaseParts(parts.release).spec,
      apiservicedefinitions: read.map(base, 'spec', 'apiservicedefinitions'),
      customresourcedefinitions: {
        ...read.map(base, 'spec', 'customresourcedefinitions'),
        owned: parts.owned,
      },
      ...(isEmptyIcon(icon) ? {} : { icon }),
      install: {
        strategy: 'deployment',
        spec: {
          ...(clusterPermissions.length === 0 ? {} : { clusterPermissions }),
          ...(permissions.length === 0 ? {} : { permissions }),
          deployments: parts.deployments,
        },
      },
      installModes: spec['installModes'] ?? defaultInstallModes,
      ...(parts.relatedImages.length === 0 ? {} : { relatedImages: parts.relatedImages }),
      version: parts.version,
      ...(parts.webhooks.length === 0 ? {} : { webhookdefinitions: parts.webhooks }),
    },
  };
}

/** Returns true if an icon is absent or has no content. Catalogues refuse empty icons, which the bases of operator-sdk contain. */
export function isEmptyIcon(icon: unknown): boolean {
  if (icon === undefined || icon === null) return true;
  return (
    Array.isArray(icon) &&
    (icon as unknown[]).every((item) => isJsonMap(item) && (item['base64data'] ?? '') === '')
  );
}

/** Returns the metadata that the new ClusterServiceVersion takes from the base: only the labels, not the fields that a cluster writes. */
function metadataOf(read: ObjectReader, base: PlacedObject): JsonMap {
  const { labels } = read.map(base, 'metadata');
  return labels === undefined ? {} : { labels };
}

function annotationsOf(
  warnings: FindingList,
  read: ObjectReader,
  base: PlacedObject,
  parts: CsvParts,
): Readonly<Record<string, string>> {
  const own = read.texts(base, 'metadata', 'annotations');
  const image = containerImage(warnings, base, own['containerImage'], parts.containers);
  const hasOwnExamples = parts.almExamples === '[]' && own['alm-examples'] !== undefined;
  return {
    capabilities: 'Basic Install',
    ...(parts.generatedAt === undefined ? {} : { createdAt: parts.generatedAt }),
    ...own,
    ...releaseParts(parts.release).annotations,
    ...(hasOwnExamples ? {} : { 'alm-examples': parts.almExamples }),
    ...(image === undefined ? {} : { containerImage: image }),
    ...(parts.createdAt === undefined ? {} : { createdAt: parts.createdAt }),
    'operators.operatorframework.io/builder': parts.builder,
    'operators.operatorframework.io/project_layout': parts.projectLayout,
  };
}

/**
 * Returns the image that catalogues show: the image that the base names. If the base names none, returns the image of the only container
 * named `manager`, or of the only container if none has this name.
 */
function containerImage(
  warnings: FindingList,
  base: PlacedObject,
  own: string | undefined,
  containers: readonly Container[],
): string | undefined {
  const images = containers.map(({ container }) => container['image']);
  if (own !== undefined) {
    if (!images.includes(own)) {
      warnings.add({
        code: 'bundle/container-image',
        message: `the annotation containerImage names ${own}, an image that no container has`,
        where: base.where,
        fix: ['remove the annotation from the base: it is then filled in from the Deployment'],
      });
    }
    return own;
  }
  const managers = containers.filter(({ container }) => container['name'] === 'manager');
  const [only, ...others] = managers.length > 0 ? managers : containers;
  const image = only?.container['image'];
  // Do not return the placeholder image. Catalogues need not show it, and another check reports it.
  const isNamed = typeof image === 'string' && image !== DEFAULT_IMAGE;
  return others.length === 0 && isNamed ? image : undefined;
}

/** Splits the release fields into the parts of a ClusterServiceVersion: fields of `spec`, and annotations. */
function releaseParts({ replaces, skips = [], skipRange, minKubeVersion }: ReleaseFields): {
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
