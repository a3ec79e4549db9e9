import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { Assets, type AssetData, type AssetObject } from '../../src/config/assets.ts';
import {
  configFile,
  prometheusConfig,
  type PrometheusConfig,
  type SelectedMonitors,
} from '../../src/config/prometheus-config.ts';
import { podMonitor, probe, prometheus, serviceMonitor } from '../fixtures/objects.ts';
import type { Prometheus } from '../../src/api/monitoring/v1/prometheus.ts';

interface Job {
  readonly job_name: string;
  readonly relabel_configs: readonly Readonly<Record<string, unknown>>[];
  readonly [field: string]: unknown;
}

function configOf(
  monitors: Partial<SelectedMonitors>,
  {
    of = prometheus(),
    objects = [],
  }: { of?: Prometheus; objects?: readonly (readonly [AssetObject, AssetData])[] } = {},
): PrometheusConfig {
  const assets = new Assets('/etc/prometheus/config');
  const all = { serviceMonitors: [], podMonitors: [], probes: [], ...monitors };
  prometheusConfig(of, all, { assets, ruleFolders: [] });
  for (const object of assets.unread) {
    const found = objects.find(([{ kind, name }]) => kind === object.kind && name === object.name);
    assets.set(object, found?.[1]);
  }
  return prometheusConfig(of, all, { assets, ruleFolders: [] });
}

function parsed({ files }: PrometheusConfig): {
  readonly scrape_configs: readonly Job[];
  readonly [field: string]: unknown;
} {
  return parse(files.get(configFile) ?? '') as ReturnType<typeof parsed>;
}

function jobsOf(config: PrometheusConfig): readonly string[] {
  return parsed(config).scrape_configs.map(({ job_name }) => job_name);
}

function problemsOf({ leftOut }: PrometheusConfig): readonly string[] {
  return leftOut.flatMap(({ problems }) => problems);
}

const secret = (name: string, data: AssetData): readonly [AssetObject, AssetData] => [
  { kind: 'Secret', namespace: 'default', name },
  data,
];

describe('a ServiceMonitor', () => {
  it('becomes the published configuration', () => {
    const monitor = serviceMonitor('web-service-monitor', {
      selector: { matchLabels: { serviceLabel: 'webapp' } },
      endpoints: [{ port: 'http' }],
    });
    const expected = readFileSync(join(import.meta.dirname, 'web-service-monitor.expected.yaml'), 'utf8');
    expect(parsed(configOf({ serviceMonitors: [monitor] }))).toEqual(parse(expected));
  });

  it('selects by expressions', () => {
    const matchExpressions = [
      { key: 'app.kubernetes.io/name', operator: 'In', values: ['a.b', 'c'] },
      { key: 'tier', operator: 'NotIn', values: ['test'] },
      { key: 'team', operator: 'Exists' },
      { key: 'hidden', operator: 'DoesNotExist' },
    ];
    const [job] = parsed(
      configOf({ serviceMonitors: [serviceMonitor('a', { selector: { matchExpressions } })] }),
    ).scrape_configs;
    expect(job?.relabel_configs.slice(1, 5)).toEqual([
      {
        action: 'keep',
        source_labels: [
          '__meta_kubernetes_service_label_app_kubernetes_io_name',
          '__meta_kubernetes_service_labelpresent_app_kubernetes_io_name',
        ],
        regex: '(a\\.b|c);true',
      },
      {
        action: 'drop',
        source_labels: [
          '__meta_kubernetes_service_label_tier',
          '__meta_kubernetes_service_labelpresent_tier',
        ],
        regex: '(test);true',
      },
      { action: 'keep', source_labels: ['__meta_kubernetes_service_labelpresent_team'], regex: 'true' },
      { action: 'drop', source_labels: ['__meta_kubernetes_service_labelpresent_hidden'], regex: 'true' },
    ]);
  });

  it('discovers in its own namespace, in named ones, or everywhere', () => {
    const namespacesOf = (namespaceSelector: object | undefined, of?: Prometheus): unknown => {
      const monitor = serviceMonitor(
        'a',
        { ...(namespaceSelector && { namespaceSelector }) },
        { namespace: 'shop' },
      );
      const [job] = parsed(configOf({ serviceMonitors: [monitor] }, of && { of })).scrape_configs;
      return (
        job?.['kubernetes_sd_configs'] as readonly { readonly namespaces?: { readonly names: unknown } }[]
      )[0]?.namespaces?.names;
    };
    expect(namespacesOf(undefined)).toEqual(['shop']);
    expect(namespacesOf({ matchNames: [] })).toEqual(['shop']);
    expect(namespacesOf({ matchNames: ['a', 'b'] })).toEqual(['a', 'b']);
    expect(namespacesOf({ any: true })).toBeUndefined();
    expect(namespacesOf({ any: true }, prometheus({ ignoreNamespaceSelectors: true }))).toEqual(['shop']);
  });

  it('shares its targets among shards', () => {
    const [job] = parsed(
      configOf({ serviceMonitors: [serviceMonitor('a')] }, { of: prometheus({ shards: 3 }) }),
    ).scrape_configs;
    expect(job?.relabel_configs.slice(-2)).toEqual([
      { source_labels: ['__address__'], target_label: '__tmp_hash', modulus: 3, action: 'hashmod' },
      { source_labels: ['__tmp_hash'], regex: '$(SHARD)', action: 'keep' },
    ]);
  });

  it('discovers by EndpointSlices where that is asked for', () => {
    const monitors = { serviceMonitors: [serviceMonitor('a')] };
    const text = configOf(monitors, { of: prometheus({ serviceDiscoveryRole: 'EndpointSlice' }) }).files.get(
      configFile,
    );
    expect(text).toContain('"role": "endpointslice"');
    expect(text).toContain('__meta_kubernetes_endpointslice_port_name');
    expect(text).not.toContain('__meta_kubernetes_endpoint_');
  });

  it('authenticates by Secrets, whose certificates are files beside the configuration', () => {
    const monitor = serviceMonitor('a', {
      endpoints: [
        {
          port: 'https',
          scheme: 'HTTPS',
          basicAuth: { username: { name: 'web', key: 'user' }, password: { name: 'web', key: 'password' } },
          tlsConfig: { serverName: 'web' },
        },
      ],
    });
    const [job] = parsed(
      configOf(
        { serviceMonitors: [monitor] },
        { objects: [secret('web', { user: 'ada', password: 'p$(HOME)"' })] },
      ),
    ).scrape_configs;
    expect(job).toMatchObject({
      scheme: 'https',
      basic_auth: { username: 'ada', password: 'p$(HOME)"' },
      tls_config: { server_name: 'web' },
    });
  });
});

it('orders monitors by kind, namespace and name, in whatever order they come', () => {
  const [a, b] = [serviceMonitor('a', {}, { namespace: 'shop' }), serviceMonitor('b')];
  const config = configOf({ serviceMonitors: [a, b], podMonitors: [podMonitor('c')], probes: [probe('d')] });
  expect(jobsOf(config)).toEqual([
    'serviceMonitor/default/b/0',
    'serviceMonitor/shop/a/0',
    'podMonitor/default/c/0',
    'probe/default/d',
  ]);
  const reversed = configOf({
    serviceMonitors: [b, a],
    podMonitors: [podMonitor('c')],
    probes: [probe('d')],
  });
  expect(reversed.files.get(configFile)).toBe(config.files.get(configFile));
});

it('leaves variables of others to Prometheus', () => {
  const monitor = serviceMonitor('a', {
    endpoints: [
      { port: 'http', relabelings: [{ regex: '$(HOME)|$(POD_NAME)', targetLabel: 'a', action: 'replace' }] },
    ],
  });
  const text = configOf({ serviceMonitors: [monitor] }).files.get(configFile) ?? '';
  expect(text).toContain('"regex": "\\u0024(HOME)|$(POD_NAME)"');
  expect(parse(text)).toMatchObject({
    scrape_configs: [
      {
        relabel_configs: expect.arrayContaining([
          expect.objectContaining({ regex: '$(HOME)|$(POD_NAME)' }),
        ]) as unknown,
      },
    ],
  });
});

describe('a broken monitor', () => {
  it.for<readonly [string, object, string]>([
    [
      'a regular expression that RE2 cannot read',
      { relabelings: [{ regex: '(?=a)', targetLabel: 'b' }] },
      'spec.endpoints[0].relabelings[0].regex',
    ],
    [
      'no target label',
      { relabelings: [{ sourceLabels: ['a'] }] },
      'spec.endpoints[0].relabelings[0].targetLabel: is required',
    ],
    [
      'no modulus',
      { relabelings: [{ action: 'hashmod', targetLabel: 'a' }] },
      'spec.endpoints[0].relabelings[0].modulus',
    ],
    [
      'labeldrop of a label',
      { metricRelabelings: [{ action: 'labeldrop', sourceLabels: ['a'], regex: 'b' }] },
      'spec.endpoints[0].metricRelabelings[0]: the action labeldrop',
    ],
    ['a duration of three centuries', { interval: '300y' }, 'spec.endpoints[0].interval'],
    [
      'a timeout beyond its interval',
      { interval: '10s', scrapeTimeout: '11s' },
      'spec.endpoints[0].scrapeTimeout: expected at most the interval, 10s, got 11s',
    ],
    [
      'a timeout beyond the interval of the Prometheus',
      { scrapeTimeout: '31s' },
      'spec.endpoints[0].scrapeTimeout',
    ],
    [
      'a Secret that is missing',
      { authorization: { credentials: { name: 'token', key: 'a' } } },
      'spec.endpoints[0].authorization.credentials: Secret default/token does not exist',
    ],
    [
      'a key that is missing',
      { authorization: { credentials: { name: 'web', key: 'a' } } },
      'Secret default/web has no key "a"',
    ],
    ['two ways of authentication', { authorization: {}, basicAuth: {} }, 'spec.endpoints[0]: at most one of'],
    [
      'a certificate without a key',
      { tlsConfig: { cert: { secret: { name: 'web', key: 'user' } } } },
      'a certificate needs its key',
    ],
    [
      'a certificate that is none',
      { tlsConfig: { ca: { secret: { name: 'web', key: 'user' } } } },
      'expected a certificate in the form PEM',
    ],
    [
      'a file of Prometheus',
      { bearerTokenFile: '/var/run/secrets/kubernetes.io/serviceaccount/token' },
      'spec.endpoints[0].bearerTokenFile: reads a file',
    ],
    [
      'a certificate in a file of Prometheus',
      { tlsConfig: { caFile: '/etc/ca.crt' } },
      'spec.endpoints[0].tlsConfig.caFile: reads a file',
    ],
    ['an operator that does not exist', {}, 'spec.selector.matchExpressions[0].operator'],
  ])('with %s is left out, and harms no other', ([, endpoint, expected]) => {
    const selector =
      Object.keys(endpoint).length === 0 ? { matchExpressions: [{ key: 'a', operator: 'Is' }] } : {};
    const broken = serviceMonitor('broken', { selector, endpoints: [{ port: 'http', ...endpoint }] });
    const config = configOf(
      { serviceMonitors: [serviceMonitor('good'), broken] },
      { objects: [secret('web', { user: 'ada' })] },
    );
    expect(jobsOf(config)).toEqual(['serviceMonitor/default/good/0']);
    expect(problemsOf(config).join()).toContain(expected);
    expect(config.problems).toEqual([]);
  });

  it('says all that is wrong with it', () => {
    const broken = serviceMonitor('broken', {
      endpoints: [
        { port: 'a', scrapeTimeout: '2m' },
        { port: 'b', relabelings: [{ regex: '(' }] },
      ],
    });
    expect(problemsOf(configOf({ serviceMonitors: [broken] }))).toHaveLength(3);
  });

  it('is one that needs a newer Prometheus', () => {
    const monitors = { serviceMonitors: [serviceMonitor('a', { keepDroppedTargets: 10 })] };
    expect(problemsOf(configOf(monitors, { of: prometheus({ version: 'v2.42.0' }) }))).toEqual([
      'spec.keepDroppedTargets: needs Prometheus 2.47.0, got v2.42.0',
    ]);
    expect(problemsOf(configOf(monitors))).toEqual([]);
  });

  it('may read files where the Prometheus allows it', () => {
    const monitors = {
      serviceMonitors: [serviceMonitor('a', { endpoints: [{ port: 'a', bearerTokenFile: '/token' }] })],
    };
    const config = configOf(monitors, { of: prometheus({ arbitraryFSAccessThroughSMs: { deny: false } }) });
    expect(problemsOf(config)).toEqual([]);
    expect(parsed(config).scrape_configs[0]).toMatchObject({ authorization: { credentials_file: '/token' } });
  });
});

it('scrapes Pods that have not ended', () => {
  const [job] = parsed(configOf({ podMonitors: [podMonitor('a', { jobLabel: 'app' })] })).scrape_configs;
  expect(job).toMatchObject({ job_name: 'podMonitor/default/a/0', kubernetes_sd_configs: [{ role: 'pod' }] });
  expect(job?.relabel_configs).toContainEqual({
    action: 'drop',
    source_labels: ['__meta_kubernetes_pod_phase'],
    regex: '(Failed|Succeeded)',
  });
  expect(job?.relabel_configs).toContainEqual({ target_label: 'job', replacement: 'default/a' });
  expect(job?.relabel_configs).toContainEqual({
    source_labels: ['__meta_kubernetes_pod_label_app'],
    target_label: 'job',
    regex: '(.+)',
    replacement: '${1}',
  });
});

describe('a Probe', () => {
  it('asks the prober for each address', () => {
    const [job] = parsed(
      configOf({ probes: [probe('a', { jobName: 'web', params: [{ name: 'debug', values: ['true'] }] })] }),
    ).scrape_configs;
    expect(job).toMatchObject({
      metrics_path: '/probe',
      params: { module: ['http_2xx'], debug: ['true'] },
      static_configs: [{ targets: ['https://example.com'], labels: { namespace: 'default' } }],
    });
    expect(job?.relabel_configs).toEqual([
      { source_labels: ['job'], target_label: '__tmp_prometheus_job_name' },
      { source_labels: ['__address__'], target_label: '__param_target' },
      { source_labels: ['__param_target'], target_label: 'instance' },
      { target_label: '__address__', replacement: 'blackbox:9115' },
      { target_label: 'job', replacement: 'web' },
      { source_labels: ['__param_target'], target_label: '__tmp_hash', modulus: 1, action: 'hashmod' },
      { source_labels: ['__tmp_hash'], regex: '$(SHARD)', action: 'keep' },
    ]);
  });

  it('is left out without a prober and targets', () => {
    const empty = {
      apiVersion: 'monitoring.coreos.com/v1' as const,
      kind: 'Probe' as const,
      metadata: { name: 'a', namespace: 'default' },
      spec: {},
    };
    expect(problemsOf(configOf({ probes: [empty] }))).toEqual([
      'spec.prober: is required',
      'spec.targets: expected one of staticConfig and ingress',
    ]);
  });
});

it('sends alerts to the port of a Service, without the label of the replica', () => {
  const alerting = { alertmanagers: [{ name: 'alertmanager-main', namespace: 'monitoring', port: 'web' }] };
  expect(parsed(configOf({}, { of: prometheus({ alerting }) }))['alerting']).toEqual({
    alert_relabel_configs: [{ action: 'labeldrop', regex: 'prometheus_replica' }],
    alertmanagers: [
      {
        scheme: 'http',
        api_version: 'v2',
        kubernetes_sd_configs: [{ role: 'endpoints', namespaces: { names: ['monitoring'] } }],
        relabel_configs: [
          { action: 'keep', source_labels: ['__meta_kubernetes_service_name'], regex: 'alertmanager-main' },
          { action: 'keep', source_labels: ['__meta_kubernetes_endpoint_port_name'], regex: 'web' },
        ],
      },
    ],
  });
});

it('says what is wrong with the Prometheus itself', () => {
  const of = prometheus({
    version: 'v2.30.0',
    scrapeInterval: '10s',
    scrapeTimeout: '11s',
    externalLabels: { 'a-b': 'c' },
  });
  expect(configOf({}, { of }).problems).toEqual([
    'spec.version: expected at least 2.42.0, got v2.30.0',
    'spec.scrapeTimeout: expected at most scrapeInterval, 10s, got 11s',
    'spec.externalLabels.a-b: expected the name of a label, got "a-b"',
  ]);
});
