import { asText } from '../../../base/util/json-map.ts';
import { fieldAt, listOf, mapOf, textsOf } from './fields.ts';
import { minKubeVersionOf } from './csv-fields.ts';
import { isAtLeast, parseTolerantVersion, type VersionNumbers } from './semver.ts';
import type { BundleObject, Complain, FieldPath, LoadedBundle, Settings } from './types.ts';

/** Kinds that one version of Kubernetes removed, grouped by apiVersion. */
type Removed = Readonly<Record<string, readonly string[]>>;

/**
 * APIs that Kubernetes 1.22 removed. CustomResourceDefinitions are recognized by their apiVersion alone. Source: operator-framework/api
 * `removed_apis.go`.
 */
const removedIn122: Removed = {
  'apiextensions.k8s.io/v1beta1': ['CustomResourceDefinition'],
  'scheduling.k8s.io/v1beta1': ['PriorityClass'],
  'rbac.authorization.k8s.io/v1beta1': ['Role', 'ClusterRole', 'RoleBinding', 'ClusterRoleBinding'],
  'apiregistration.k8s.io/v1beta1': ['APIService'],
  'authentication.k8s.io/v1beta1': ['TokenReview'],
  'authorization.k8s.io/v1beta1': [
    'LocalSubjectAccessReview',
    'SelfSubjectAccessReview',
    'SubjectAccessReview',
  ],
  'admissionregistration.k8s.io/v1beta1': ['MutatingWebhookConfiguration', 'ValidatingWebhookConfiguration'],
  'coordination.k8s.io/v1beta1': ['Lease'],
  'extensions/v1beta1': ['Ingress'],
  'networking.k8s.io/v1beta1': ['Ingress', 'IngressClass'],
  'storage.k8s.io/v1beta1': ['CSIDriver', 'CSINode', 'StorageClass', 'VolumeAttachment'],
  'certificates.k8s.io/v1beta1': ['CertificateSigningRequest'],
};

const removedIn125: Removed = {
  'batch/v1beta1': ['CronJob'],
  'discovery.k8s.io/v1beta1': ['EndpointSlice'],
  'events.k8s.io/v1beta1': ['Event'],
  'autoscaling/v2beta1': ['HorizontalPodAutoscaler'],
  'policy/v1beta1': ['PodDisruptionBudget', 'PodSecurityPolicy'],
  'node.k8s.io/v1beta1': ['RuntimeClass'],
};

const removedIn126: Removed = { 'autoscaling/v2beta2': ['HorizontalPodAutoscaler'] };

/**
 * APIs that Kubernetes versions after 1.26 removed, and APIs that Kubernetes 1.26 removed but `removed_apis.go` does not list. Source:
 * kubernetes.io, deprecated API migration guide.
 */
const removedLater: readonly (readonly [number, Removed])[] = [
  [26, { 'flowcontrol.apiserver.k8s.io/v1beta1': ['FlowSchema', 'PriorityLevelConfiguration'] }],
  [27, { 'storage.k8s.io/v1beta1': ['CSIStorageCapacity'] }],
  [29, { 'flowcontrol.apiserver.k8s.io/v1beta2': ['FlowSchema', 'PriorityLevelConfiguration'] }],
  [32, { 'flowcontrol.apiserver.k8s.io/v1beta3': ['FlowSchema', 'PriorityLevelConfiguration'] }],
];

/** Returns the minor version of the Kubernetes release that removed a kind; undefined if no release up to 1.37 removed it. */
export function allRemoved(apiVersion: string, kind: string): number | undefined {
  const tables = [[22, removedIn122], [25, removedIn125], [26, removedIn126], ...removedLater] as const;
  return tables.find(([, removed]) => has(removed, apiVersion, kind))?.[0];
}

/** A use of a removed API in the bundle, at `path` of `object`. */
interface Use {
  readonly object: BundleObject;
  readonly path: FieldPath;
  readonly shown: string;
}

interface RemovedReport {
  readonly error: Complain<'bundle/removed-api' | 'bundle/invalid-version'>;
  readonly warn: Complain<'bundle/removed-api'>;
}

/**
 * Reports APIs that Kubernetes 1.22, 1.25 and 1.26 removed, once for each of these versions. The report is an error if `k8s-version` or
 * minKubeVersion declares that the bundle is for such a version; otherwise, it is a warning. Source: operator-framework/api
 * `removed_apis.go`.
 */
export function reportRemovedApis(
  bundle: LoadedBundle,
  report: RemovedReport,
  { kubeVersion }: Settings,
): void {
  const { csv, objects } = bundle;
  if (csv === undefined) return;
  const given = parseTolerantVersion(kubeVersion);
  const place = [csv, ['spec', 'minKubeVersion']] as const;
  if (kubeVersion !== '' && given === undefined)
    report.error(
      'bundle/invalid-version',
      place,
      `k8s-version is ${JSON.stringify(kubeVersion)}, which is not a version`,
      'write it as 1.32',
    );
  const minimum = minKubeVersionOf(csv);
  const least = parseTolerantVersion(minimum);
  if (minimum !== '' && least === undefined)
    report.error(
      'bundle/invalid-version',
      place,
      `spec.minKubeVersion ${JSON.stringify(minimum)} is not a version, so op-sdk cannot check whether the bundle uses removed APIs`,
      'write three numbers, such as 1.32.0',
    );
  const uses = objects.map((object) => ({
    object,
    path: ['apiVersion'],
    shown: `${object.kind} ${object.name}`,
  }));
  const isFor = (minor: number): boolean =>
    [given, least].some((version) => version !== undefined && isAtLeast(version, kubernetes(minor)));
  const tell = (minor: number, found: readonly Use[], isError: boolean): void => {
    const [first] = found;
    if (first === undefined) return;
    const names = found.map(({ shown }) => shown).join(', ');
    const message = `Kubernetes 1.${minor} removed APIs that the bundle uses: ${names}`;
    const fix = `use the versions that follow: https://kubernetes.io/docs/reference/using-api/deprecation-guide/#v1-${minor}`;
    report[isError ? 'error' : 'warn']('bundle/removed-api', [first.object, first.path], message, fix);
  };
  tell(22, uses.filter(isRemovedIn(removedIn122)), isFor(22));
  // Check the kinds that the ClusterServiceVersion lists as resources, instead of the apiVersion of the ClusterServiceVersion itself.
  const described = csv.apiVersion === 'operators.coreos.com/v1alpha1' ? describedUses(csv) : [];
  const others = uses.filter(({ object }) => object.apiVersion !== 'operators.coreos.com/v1alpha1');
  tell(
    25,
    [...others.filter(isRemovedIn(removedIn125)), ...described.filter(({ isRemoved }) => isRemoved)],
    isFor(25),
  );
  tell(25, csv.apiVersion === 'operators.coreos.com/v1alpha1' ? policyRights(csv, described) : [], false);
  tell(26, uses.filter(isRemovedIn(removedIn126)), isFor(26));
}

const kubernetes = (minor: number): VersionNumbers => ({ major: 1, minor, patch: 0, isPrerelease: false });

function isRemovedIn(removed: Removed): (use: Use) => boolean {
  return ({ object: { apiVersion, kind } }) => has(removed, apiVersion, kind);
}

function has(removed: Removed, apiVersion: string, kind: string): boolean {
  return Object.hasOwn(removed, apiVersion) && removed[apiVersion]?.includes(kind) === true;
}

interface Described extends Use {
  readonly kind: string;
  readonly isRemoved: boolean;
}

/** Returns the resources that a ClusterServiceVersion lists for its owned and required kinds. */
function describedUses(csv: BundleObject): readonly Described[] {
  return ['owned', 'required'].flatMap((list) => {
    const path = ['spec', 'customresourcedefinitions', list];
    return listOf(fieldAt(csv.value, ...path)).flatMap((entry, index) =>
      listOf(mapOf(entry)['resources']).map((resource, at): Described => {
        const kind = asText(mapOf(resource)['kind']);
        const version = asText(mapOf(resource)['version']);
        const isRemoved = has(removedIn125, version, kind);
        return {
          object: csv,
          path: [...path, index, 'resources', at],
          shown: `${kind} ${version}`,
          kind,
          isRemoved,
        };
      }),
    );
  });
}

/**
 * Returns the permission rules for PodSecurityPolicies, an API without a successor. These rules are always reported as warnings. Returns an
 * empty list if the ClusterServiceVersion lists PodSecurityPolicy as a resource.
 */
function policyRights(csv: BundleObject, described: readonly Described[]): readonly Use[] {
  if (described.some(({ kind }) => `${kind.toLowerCase()}s` === 'podsecuritypolicies')) return [];
  return ['clusterPermissions', 'permissions'].flatMap((list) => {
    const path = ['spec', 'install', 'spec', list];
    return listOf(fieldAt(csv.value, ...path)).flatMap((entry, index) =>
      listOf(mapOf(entry)['rules']).flatMap((value, at): readonly Use[] => {
        const rule = mapOf(value);
        if (!textsOf(rule['apiGroups']).includes('policy')) return [];
        if (!textsOf(rule['resources']).includes('podsecuritypolicies')) return [];
        return [
          {
            object: csv,
            path: [...path, index, 'rules', at],
            shown: 'podsecuritypolicies in the rules of the operator',
          },
        ];
      }),
    );
  });
}

/** Returns the objects whose APIs Kubernetes 1.22 removed. Used in messages. */
export function usesOf122({ objects }: LoadedBundle): readonly BundleObject[] {
  return objects.filter(({ apiVersion, kind }) => has(removedIn122, apiVersion, kind));
}
