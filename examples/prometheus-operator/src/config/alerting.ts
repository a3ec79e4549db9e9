import type { AlertmanagerEndpoints, Prometheus } from '../api/monitoring/v1/prometheus.ts';
import type { Assets, NamespacedAssets } from './assets.ts';
import { authorizationConfig, basicAuthConfig, tlsConfig } from './http-client.ts';
import type { Problems } from './problems.ts';
import { literal, relabelConfigs } from './relabel.ts';
import type { ConfigObject } from './render.ts';
import { jobContext, type JobContext } from './scrape.ts';

/** Files of certificates, beside the configuration that names them. */
interface Alerting {
  readonly config: ConfigObject | undefined;
  readonly files: ReadonlyMap<string, string>;
}

/** Returns where Prometheus sends alerts. All replicas send the same alert, so the label of the replica is dropped from it. */
export function alertingConfig(prometheus: Prometheus, assets: Assets, problems: Problems): Alerting {
  const { metadata, spec } = prometheus;
  const namespace = metadata.namespace ?? '';
  const own: NamespacedAssets = assets.in(namespace, problems);
  const context = jobContext(prometheus, namespace, own, problems);
  if (spec.alerting === undefined) return { config: undefined, files: own.files };
  const alertmanagers = spec.alerting.alertmanagers.map((endpoints, index) =>
    alertmanagerConfig(endpoints, `spec.alerting.alertmanagers[${index}]`, context),
  );
  const replicaLabel = spec.replicaExternalLabelName ?? 'prometheus_replica';
  const dropReplica = replicaLabel === '' ? [] : [{ action: 'labeldrop', regex: literal(replicaLabel) }];
  return { config: { alert_relabel_configs: dropReplica, alertmanagers }, files: own.files };
}

function alertmanagerConfig(
  endpoints: AlertmanagerEndpoints,
  path: string,
  context: JobContext,
): ConfigObject {
  const { problems, spec, version } = context;
  const role = spec.serviceDiscoveryRole ?? 'Endpoints';
  const apiVersion = endpoints.apiVersion?.toLowerCase() ?? 'v2';
  if (apiVersion === 'v1' && version.isAtLeast('3.0.0'))
    problems.add(`${path}.apiVersion`, 'expected v2: Prometheus 3 no longer knows v1');
  if (endpoints.basicAuth !== undefined && endpoints.authorization !== undefined)
    problems.add(path, 'at most one of basicAuth and authorization is allowed');
  if (endpoints.alertRelabelings !== undefined)
    version.require('2.51.0', `${path}.alertRelabelings`, problems);
  const prefix = role === 'EndpointSlice' ? '__meta_kubernetes_endpointslice' : '__meta_kubernetes_endpoint';
  const keepPort =
    typeof endpoints.port === 'number'
      ? { source_labels: ['__meta_kubernetes_pod_container_port_number'], regex: String(endpoints.port) }
      : { source_labels: [`${prefix}_port_name`], regex: literal(endpoints.port) };
  return {
    scheme: endpoints.scheme?.toLowerCase() ?? 'http',
    path_prefix: endpoints.pathPrefix,
    timeout: endpoints.timeout || undefined,
    enable_http2: endpoints.enableHttp2,
    api_version: apiVersion,
    basic_auth: basicAuthConfig(endpoints.basicAuth, `${path}.basicAuth`, context),
    authorization: authorizationConfig(endpoints.authorization, `${path}.authorization`, context),
    tls_config: tlsConfig(endpoints.tlsConfig, `${path}.tlsConfig`, context),
    kubernetes_sd_configs: [
      { role: role.toLowerCase(), namespaces: { names: [endpoints.namespace ?? context.namespace] } },
    ],
    relabel_configs: [
      { action: 'keep', source_labels: ['__meta_kubernetes_service_name'], regex: literal(endpoints.name) },
      { action: 'keep', ...keepPort },
      ...relabelConfigs(endpoints.relabelings, `${path}.relabelings`, version, problems),
    ],
    alert_relabel_configs:
      endpoints.alertRelabelings &&
      relabelConfigs(endpoints.alertRelabelings, `${path}.alertRelabelings`, version, problems),
  };
}
