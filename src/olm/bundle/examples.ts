import { withArticle } from '../../base/util/words.ts';
import type { FindingList } from '../../base/errors/index.ts';
import { groupOf } from '../../base/util/kubernetes-words.ts';
import type { PlacedObject, ManifestObject } from '../../kubernetes/yaml/index.ts';
import { compareCodeUnits, sortKeys, type JsonMap, asText, isJsonMap } from '../../base/util/json-map.ts';
import { displayName } from '../../base/util/kube-version.ts';

/** Custom resources of the bundle's own kinds, and the rest. */
interface Examples {
  /** The value of the annotation `alm-examples`: a JSON list, as consoles read it. */
  readonly almExamples: string;
  readonly rest: readonly PlacedObject[];
}

/** Extracts the custom resources of the operator's own kinds from `objects`; warns of served versions without an example. */
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
      message: `${owned.kind} ${owned.version} has no example; consoles offer one to fill in`,
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

/** The part after the plural in the name of a CustomResourceDefinition. */
function groupOfCrd({ object }: PlacedObject): string {
  return object.metadata.name.slice(object.metadata.name.indexOf('.') + 1);
}

/** Kind and version of an entry of `spec.customresourcedefinitions.owned`. */
export interface OwnedName {
  /** `<plural>.<group>` */
  readonly name: string;
  readonly kind: string;
  readonly version: string;
}

/** One served version of a kind that the operator brings, as its CustomResourceDefinition describes it. */
export interface OwnedKind extends OwnedName {
  readonly displayName: string;
  /** The description of the schema's root; absent if it has none. */
  readonly description?: string;
}

/**
 * Returns the entries of all served versions of a CustomResourceDefinition. Like operator-sdk, omits versions that are not served: OLM
 * would wait for them forever ("CRD version not served"), and validators accept only one version of a kind. Source: operator-sdk
 * `internal/generate/clusterserviceversion` and `internal/util/k8sutil`, operator-lifecycle-manager
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

/** Returns true if an entry, perhaps of a base, is of this kind and version. */
export function describesKind(entry: JsonMap | OwnedName, owned: OwnedName): boolean {
  return entry.name === owned.name && entry.kind === owned.kind && entry.version === owned.version;
}

/** Sorts entries by name, then version. */
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
 * The kinds that OLM installs from files beside the ClusterServiceVersion, by group.
 * Source: operator-registry `pkg/lib/bundle/supported_resources.go`; the groups are those of the kinds' owners.
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

/** Returns true if OLM installs an object of this kind from a file of the bundle. */
export function isInstallable({ apiVersion, kind }: Pick<ManifestObject, 'apiVersion' | 'kind'>): boolean {
  return kindsByGroup[groupOf(apiVersion)]?.includes(kind) ?? false;
}

/** The kinds that a bundle may hold, for messages: sorted, without groups. */
export const installableKinds: readonly string[] = Object.values(kindsByGroup).flat().sort();
