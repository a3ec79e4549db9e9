import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Pod, Service, type ServicePort } from '../../../../src/sdk/k8s/generated/core/v1.ts';
import type { KubeClient } from '../../../../src/sdk/kube/index.ts';

/** Targets of HTTP service discovery. Source: https://prometheus.io/docs/prometheus/latest/http_sd/ */
interface TargetGroup {
  readonly targets: readonly string[];
  readonly labels: Readonly<Record<string, string>>;
}

/** Answers for the discovery of the roles `endpoints` and `endpointslice` on loopback. */
export interface EndpointsDiscovery extends AsyncDisposable {
  /** URL for `http_sd_configs`; `?namespace=` restricts it, and may be repeated. */
  readonly url: string;
}

/**
 * Serves the endpoints of Services whose Pods are processes, with the labels that Prometheus gives them. The addresses of processes are
 * those of loopback, which the API server accepts in no EndpointSlice, so that Prometheus cannot discover them itself.
 * @see https://prometheus.io/docs/prometheus/latest/configuration/configuration/#kubernetes_sd_config
 */
export async function serveEndpoints(client: KubeClient): Promise<EndpointsDiscovery> {
  const answer = async (namespaces: readonly string[]): Promise<readonly TargetGroup[]> => {
    const isAsked = ({ metadata }: { readonly metadata: { readonly namespace?: string | undefined } }) =>
      namespaces.length === 0 || namespaces.includes(metadata.namespace ?? '');
    const [services, pods] = await Promise.all([client.list(Service), client.list(Pod)]);
    const running = pods.items.filter(isAsked);
    return services.items.filter(isAsked).flatMap((service) => endpointsOf(service, running));
  };
  const server = createServer((request, response) => {
    const { searchParams } = new URL(request.url ?? '', 'http://localhost');
    answer(searchParams.getAll('namespace')).then(
      (groups) => response.setHeader('content-type', 'application/json').end(JSON.stringify(groups)),
      (error: unknown) => response.writeHead(500).end(String(error)),
    );
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/endpoints`,
    async [Symbol.asyncDispose]() {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

function endpointsOf(service: Service, pods: readonly Pod[]): readonly TargetGroup[] {
  const { selector, ports = [] } = service.spec ?? {};
  if (selector === undefined) return [];
  const backends = pods.filter(
    ({ metadata, status }) =>
      metadata.namespace === service.metadata.namespace &&
      status?.podIP !== undefined &&
      Object.entries(selector).every(([key, value]) => metadata.labels?.[key] === value),
  );
  return backends.flatMap((pod) => ports.flatMap((port) => endpoint(service, port, pod)));
}

function endpoint(service: Service, port: ServicePort, pod: Pod): readonly TargetGroup[] {
  const { targetPort = port.port } = port;
  const containers = pod.spec?.containers ?? [];
  const container = containers.find(({ ports = [] }) =>
    ports.some(({ name, containerPort }) => targetPort === name || targetPort === containerPort),
  );
  const declared = container?.ports?.find(
    ({ name, containerPort }) => targetPort === name || targetPort === containerPort,
  );
  const number = typeof targetPort === 'number' ? targetPort : declared?.containerPort;
  if (number === undefined) return [];
  const ready = pod.status?.conditions?.find(({ type }) => type === 'Ready')?.status === 'True';
  const { name: serviceName = '', namespace = '', labels = {} } = service.metadata;
  const podName = pod.metadata.name ?? '';
  return [
    {
      targets: [`${pod.status?.podIP}:${number}`],
      labels: {
        __meta_kubernetes_namespace: namespace,
        __meta_kubernetes_endpoints_name: serviceName,
        __meta_kubernetes_service_name: serviceName,
        ...labelsOf('service', labels),
        __meta_kubernetes_endpoint_port_name: port.name ?? '',
        __meta_kubernetes_endpoint_ready: String(ready),
        __meta_kubernetes_endpoint_address_target_kind: 'Pod',
        __meta_kubernetes_endpoint_address_target_name: podName,
        __meta_kubernetes_endpointslice_port_name: port.name ?? '',
        __meta_kubernetes_endpointslice_endpoint_conditions_ready: String(ready),
        __meta_kubernetes_endpointslice_address_target_kind: 'Pod',
        __meta_kubernetes_endpointslice_address_target_name: podName,
        __meta_kubernetes_pod_name: podName,
        __meta_kubernetes_pod_ip: pod.status?.podIP ?? '',
        __meta_kubernetes_pod_node_name: pod.spec?.nodeName ?? '',
        __meta_kubernetes_pod_ready: String(ready),
        __meta_kubernetes_pod_phase: pod.status?.phase ?? '',
        ...labelsOf('pod', pod.metadata.labels ?? {}),
        ...(container !== undefined && { __meta_kubernetes_pod_container_name: container.name }),
        ...(declared?.name !== undefined && { __meta_kubernetes_pod_container_port_name: declared.name }),
      },
    },
  ];
}

function labelsOf(role: string, labels: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(labels).flatMap(([key, value]) => {
      const name = key.replaceAll(/[^A-Za-z0-9_]/g, '_');
      return [
        [`__meta_kubernetes_${role}_label_${name}`, value],
        [`__meta_kubernetes_${role}_labelpresent_${name}`, 'true'],
      ];
    }),
  );
}
