import { ownedBy, type ApplyObject } from 'opsdk';
import type { StatefulSet } from 'opsdk/k8s/apps/v1';
import type { Service } from 'opsdk/k8s/core/v1';
import type { RedisEnterpriseCluster } from '../api/app/v1alpha1/redis-enterprise-cluster.ts';

/** The labels of all Pods of a cluster. */
export function labelsOf({ metadata }: RedisEnterpriseCluster) {
  return { 'app.kubernetes.io/name': 'redis-enterprise', 'app.kubernetes.io/instance': metadata.name };
}

/** The Service by which the nodes find each other, ready or not. */
export function desiredService(cluster: RedisEnterpriseCluster): ApplyObject<Service> {
  const labels = labelsOf(cluster);
  return {
    metadata: { name: cluster.metadata.name, labels, ...ownedBy(cluster) },
    spec: {
      clusterIP: 'None',
      publishNotReadyAddresses: true,
      selector: labels,
      ports: [
        { name: 'cluster', port: 8001 },
        { name: 'api', port: 9443 },
      ],
    },
  };
}

/** The nodes. They start together: none waits for the others. */
export function desiredStatefulSet(cluster: RedisEnterpriseCluster): ApplyObject<StatefulSet> {
  const { name } = cluster.metadata;
  const { nodes, image, resources, securityContext } = cluster.spec;
  const labels = labelsOf(cluster);
  return {
    metadata: { name, labels, ...ownedBy(cluster) },
    spec: {
      serviceName: name,
      replicas: nodes,
      podManagementPolicy: 'Parallel',
      selector: { matchLabels: labels },
      template: {
        metadata: { labels },
        spec: {
          securityContext,
          containers: [
            {
              name: 'redis-enterprise',
              image,
              resources,
              ports: [
                { name: 'cluster', containerPort: 8001 },
                { name: 'api', containerPort: 9443 },
              ],
              readinessProbe: { tcpSocket: { port: 9443 }, periodSeconds: 5 },
            },
          ],
        },
      },
    },
  };
}
