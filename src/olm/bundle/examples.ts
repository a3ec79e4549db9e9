import { withArticle } from '../../base/util/words.ts';
import type { FindingList } from '../../base/errors/index.ts';
import { groupOf } from '../../base/util/kubernetes-words.ts';
import type { PlacedObject, ManifestObject } from '../../kubernetes/yaml/index.ts';
import { compareCodeUnits, sortKeys, type JsonMap, asText, isJsonMap } from '../../base/util/json-map.ts';
import { displayName } from '../../base/util/kube-version.ts';

/** Custom resources of the kinds that the bundle defines, and the remaining objects. */
interface Examples {
  /** Value of the annotation `alm-examples`: a list of custom resources as JSON text. Web consoles read this list. */
  readonly almExamples: string;
  readonly rest: readonly PlacedObject[];
}

/**
 * Separates custom resources of the operator's own kinds from the other `objects`. Warns of each served version of a kind without an
 * example.
 */
export function collectExamples(
  warnings: FindingList,
  crds: readonly PlacedObject[],
  objects: readonly PlacedObject[],
): Examples {
  const served = crds.flatMap((crd) => ownedKinds(crd.object).map((owned) => ({ crd, owned })));
  const isExample = ({ object }: PlacedObject): boolean =>
    served.some(({ crd, owned }) => isOfKind(object, crd, owned));
  const examples = objects.filter(isExample);
  for (const { crd, owned } of served) {
    if (examples.some(({ object }) => isOfKind(object, crd, owned))) continue;
    warnings.add({
      code: 'bundle/no-example',
      message: `${owned.kind} ${owned.version} has no example, which consoles would offer to users to fill in`,
      where: crd.where,
      fix: [
        `add ${withArticle(owned.kind)} to config/samples, and config/samples to config/manifests/kustomization.yaml`,
      ],
    });
  }
  const sorted = examples
    .map(({ object }) => object)
    .sort(
      (a, b) =>
        compareCodeUnits(a.apiVersion, b.apiVersion) ||
        compareCodeUnits(a.kind, b.kind) ||
        compareCodeUnits(a.metadata.name, b.metadata.name),
    );
  return {
    almExamples: JSON.stringify(sorted.map(sortKeys), null, 2),
    rest: objects.filter((object) => !isExample(object)),
  };
}

function isOfKind(
  { apiVersion, kind }: PlacedObject['object'],
  crd: PlacedObject,
  owned: OwnedKind,
): boolean {
  const group = groupOf(apiVersion);
  const version = apiVersion.slice(group.length + 1);
  return owned.kind === kind && owned.version === version && groupOfCrd(crd) === group;
}

/** Returns the group of a CustomResourceDefinition: the part of its name after the plural. */
function groupOfCrd({ object }: PlacedObject): string {
  return object.metadata.name.slice(object.metadata.name.indexOf('.') + 1);
}

/** Name, kind and version of an entry of `spec.customresourcedefinitions.owned`. */
export interface OwnedName {
  /** Name of the CRD: `<plural>.<group>` */
  readonly name: string;
  readonly kind: string;
  readonly version: string;
}

/** One served version of a kind that the operator defines, with the texts of its CustomResourceDefinition. */
export interface OwnedKind extends OwnedName {
  readonly displayName: string;
  /** Description of the schema's root; absent if the root has no description. */
  readonly description?: string;
}

/**
 * Returns an owned entry for each served version of a CustomResourceDefinition. Like operator-sdk, omits versions that are not served,
 * because OLM would wait for them forever ("CRD version not served"), and because validators accept only one version of a kind. Source:
 * operator-sdk `internal/generate/clusterserviceversion` and `internal/util/k8sutil`, operator-lifecycle-manager
 * `pkg/controller/operators/olm/requirements.go`, operator-framework/api `pkg/validation/internal/bundle.go`.
 * @param crd `apiextensions.k8s.io/v1`
 */
export function ownedKinds(crd: JsonMap): readonly OwnedKind[] {
  const metadata = isJsonMap(crd['metadata']) ? crd['metadata'] : {};
  const spec = isJsonMap(crd['spec']) ? crd['spec'] : {};
  const names = isJsonMap(spec['names']) ? spec['names'] : {};
  const versions = Array.isArray(spec['versions']) ? (spec['versions'] as unknown[]).filter(isJsonMap) : [];
  const kind = asText(names['kind']);
  return versions
    .filter((version) => version['served'] === true)
    .map((version) => {
      const description = descriptionOf(version);
      return {
        name: asText(metadata['name']),
        kind,
        version: asText(version['name']),
        displayName: displayName(kind),
        ...(description === undefined ? {} : { description }),
      };
    });
}

/** Returns true if an owned entry has the name, kind and version of `owned`. The entry may come from a base. */
export function describesKind(entry: JsonMap | OwnedName, owned: OwnedName): boolean {
  return entry.name === owned.name && entry.kind === owned.kind && entry.version === owned.version;
}

/** Compares two owned entries for sorting: by name, then by version. */
export function compareOwned(a: OwnedName | JsonMap, b: OwnedName | JsonMap): number {
  return (
    compareCodeUnits(asText(a.name), asText(b.name)) || compareCodeUnits(asText(a.version), asText(b.version))
  );
}

function descriptionOf(version: JsonMap): string | undefined {
  const schema = isJsonMap(version['schema']) ? version['schema']['openAPIV3Schema'] : undefined;
  const description = isJsonMap(schema) ? schema['description'] : undefined;
  return typeof description === 'string' && description !== '' ? description : undefined;
}

/**
 * Kinds that OLM installs from the files beside the ClusterServiceVersion, by API group. Source: operator-registry
 * `pkg/lib/bundle/supported_resources.go` for the kinds; the groups are the official API groups of these kinds.
 */
const kindsByGroup: Readonly<Record<string, readonly string[]>> = {
  '': ['ConfigMap', 'Secret', 'Service', 'ServiceAccount'],
  'apiextensions.k8s.io': ['CustomResourceDefinition'],
  'autoscaling.k8s.io': ['VerticalPodAutoscaler'],
  'console.openshift.io': [
    'ConsoleCLIDownload',
    'ConsoleLink',
    'ConsolePlugin',
    'ConsoleQuickStart',
    'ConsoleYAMLSample',
  ],
  'monitoring.coreos.com': ['PodMonitor', 'PrometheusRule', 'ServiceMonitor'],
  'networking.k8s.io': ['NetworkPolicy'],
  'operators.coreos.com': ['ClusterServiceVersion'],
  policy: ['PodDisruptionBudget'],
  'rbac.authorization.k8s.io': ['ClusterRole', 'ClusterRoleBinding', 'Role', 'RoleBinding'],
  'scheduling.k8s.io': ['PriorityClass'],
};

/** Returns true if OLM can install an object of this kind from a file of the bundle. */
export function isInstallable({ apiVersion, kind }: Pick<ManifestObject, 'apiVersion' | 'kind'>): boolean {
  return kindsByGroup[groupOf(apiVersion)]?.includes(kind) ?? false;
}

/** Kinds that a bundle may contain, sorted and without groups, for use in messages. */
export const installableKinds: readonly string[] = Object.values(kindsByGroup).flat().sort();
