import { ownedBy, type ApplyObject } from 'opsdk';
import type { Deployment } from 'opsdk/k8s/apps/v1';
import type { Service } from 'opsdk/k8s/core/v1';
import type { FlinkCluster } from '../api/flink/v1beta1/flink-cluster.ts';

type Component = 'jobmanager' | 'taskmanager';

export function nameOf({ metadata }: FlinkCluster, component: Component): string {
  return `${metadata.name}-${component}`;
}

/** TaskManagers that a cluster needs: as many as have its slots. */
export function taskManagersOf({ spec: { parallelism, taskManagers } }: FlinkCluster): number {
  return Math.ceil(parallelism / (taskManagers.slots ?? 1));
}

/** The Service by which TaskManagers and the operator reach the JobManager. */
export function desiredService(cluster: FlinkCluster): ApplyObject<Service> {
  const labels = labelsOf(cluster, 'jobmanager');
  const ports = { rpc: 6123, blob: 6124, rest: 8081 };
  return {
    metadata: { name: nameOf(cluster, 'jobmanager'), labels, ...ownedBy(cluster) },
    spec: { selector: labels, ports: Object.entries(ports).map(([name, port]) => ({ name, port })) },
  };
}

export function desiredJobManager(cluster: FlinkCluster): ApplyObject<Deployment> {
  return desiredDeployment(cluster, 'jobmanager', 1);
}

export function desiredTaskManagers(cluster: FlinkCluster): ApplyObject<Deployment> {
  return desiredDeployment(cluster, 'taskmanager', taskManagersOf(cluster));
}

function desiredDeployment(
  cluster: FlinkCluster,
  component: Component,
  replicas: number,
): ApplyObject<Deployment> {
  const { image, configMap, logLevel } = cluster.spec;
  const labels = labelsOf(cluster, component);
  const settings = { name: configMap, key: 'flink.properties' };
  return {
    metadata: { name: nameOf(cluster, component), labels, ...ownedBy(cluster) },
    spec: {
      replicas,
      // Two JobManagers at once would both take the TaskManagers.
      strategy: component === 'jobmanager' ? { type: 'Recreate' } : { type: 'RollingUpdate' },
      selector: { matchLabels: labels },
      template: {
        metadata: { labels },
        spec: {
          containers: [
            {
              name: component,
              image,
              args: [component],
              env: [
                { name: 'USER_PROPERTIES', valueFrom: { configMapKeyRef: settings } },
                // The image appends these to its configuration; of two equal keys the first one counts.
                { name: 'FLINK_PROPERTIES', value: `${propertiesOf(cluster)}\n$(USER_PROPERTIES)` },
                { name: 'ROOT_LOG_LEVEL', value: logLevel },
              ],
              ...(component === 'jobmanager' && {
                readinessProbe: { httpGet: { path: '/overview', port: 8081 } },
              }),
            },
          ],
        },
      },
    },
  };
}

function propertiesOf(cluster: FlinkCluster): string {
  const { jobManager, taskManagers, parallelism } = cluster.spec;
  const properties = {
    'jobmanager.rpc.address': nameOf(cluster, 'jobmanager'),
    'jobmanager.memory.process.size': `${jobManager.memoryMB}m`,
    'taskmanager.memory.process.size': `${taskManagers.memoryMB}m`,
    'taskmanager.numberOfTaskSlots': taskManagers.slots ?? 1,
    'parallelism.default': parallelism,
    // Its files are the jars that the REST API lists.
    'web.upload.dir': '/opt/flink/usrlib',
  };
  return Object.entries(properties)
    .map(([key, value]) => `${key}: ${value}`)
    .join('\n');
}

function labelsOf({ metadata }: FlinkCluster, component: Component) {
  return {
    'app.kubernetes.io/name': 'flink',
    'app.kubernetes.io/instance': metadata.name,
    'app.kubernetes.io/component': component,
  };
}
