// Changes a configuration so that Prometheus can use it as a process of this machine: paths of its Pod become folders, the API server is
// found by a kubeconfig in place of the files of a Pod, and endpoints, which a cluster without a network has none of, are asked of the test.
import { parse, stringify } from 'yaml';

/** Set by the test: folders by mount paths, and the address of {@link ./endpoints-discovery.ts}. */
const { PROCESS_MOUNTS = '{}', PROCESS_ENDPOINTS = '', KUBECONFIG } = process.env;

/** @param {string} text */
export default function configAsProcess(text) {
  const config = parse(withFolders(text));
  for (const source of [...(config.scrape_configs ?? []), ...(config.alerting?.alertmanagers ?? [])]) {
    const { kubernetes_sd_configs: discovered, ...rest } = source;
    for (const name of Object.keys(source)) delete source[name];
    Object.assign(source, rest);
    for (const discovery of discovered ?? []) {
      const isEndpoints = ['endpoints', 'endpointslice'].includes(discovery.role);
      if (isEndpoints)
        (source.http_sd_configs ??= []).push({ url: endpointsUrl(discovery), refresh_interval: '1s' });
      else (source.kubernetes_sd_configs ??= []).push({ kubeconfig_file: KUBECONFIG, ...discovery });
    }
  }
  return stringify(config);
}

function endpointsUrl({ namespaces }) {
  const query = new URLSearchParams((namespaces?.names ?? []).map((name) => ['namespace', name]));
  return `${PROCESS_ENDPOINTS}?${query}`;
}

function withFolders(text) {
  // The longest first: a mount may lie in another one.
  const mounts = Object.entries(JSON.parse(PROCESS_MOUNTS)).sort(([a], [b]) => b.length - a.length);
  return mounts.reduce((all, [path, folder]) => all.replaceAll(`${path}/`, `${folder}/`), text);
}
