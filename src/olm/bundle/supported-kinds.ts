import { groupOf } from '../../base/util/api-version.ts';
import type { ManifestObject } from '../../kubernetes/yaml/manifest-object.ts';

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
