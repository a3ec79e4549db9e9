import {
  isObject,
  listOf as items,
  objectOf,
  type JsonObject,
} from '../../../src/kubernetes/objects/index.ts';
import type { Random } from '../random.ts';
import type { TypeRule } from './generate.ts';
import { address, listOf, objectName, one, port, text } from './values.ts';

const host = one('example.com', '*.example.com', 'a.b.c');
const portName = one('http', 'dns-tcp', 'a1');

/** Kinds of the network: Services, Ingresses, policies, EndpointSlices. */
export const networkRules: Readonly<Record<string, TypeRule>> = {
  ServiceSpec: {
    always: ['ports'],
    // Services of other types, with session affinity, or with more than one address, are refused by the test API.
    without: [
      ...['externalName', 'sessionAffinity', 'sessionAffinityConfig', 'ipFamilies', 'ipFamilyPolicy'],
      ...['clusterIPs', 'healthCheckNodePort', 'allocateLoadBalancerNodePorts', 'externalTrafficPolicy'],
      ...['loadBalancerClass', 'loadBalancerIP', 'loadBalancerSourceRanges', 'type'],
    ],
    // The test API assigns addresses in a way of its own.
    steady: ['clusterIP'],
    fields: {
      clusterIP: one('None', ''),
      externalIPs: listOf(address),
      trafficDistribution: one('PreferClose', 'PreferSameZone', 'PreferSameNode'),
    },
    tidy: ({ ports }) => named(items(ports).map(objectOf)),
  },
  ServicePort: {
    without: ['nodePort'],
    fields: { port, targetPort: one(80, 'http', 8080), appProtocol: one('http', 'example.com/x') },
  },
  IngressSpec: { oneOf: [['rules', 'rules', 'defaultBackend']], density: 0.4 },
  IngressRule: { fields: { host }, always: ['http'], density: 0.6 },
  IngressBackend: { oneOf: [['service', 'service', 'resource']] },
  IngressServiceBackend: { always: ['port'], fields: { name: text } },
  ServiceBackendPort: { oneOf: [['name', 'number']], fields: { name: portName, number: port } },
  HTTPIngressPath: { always: ['path'], fields: { path: one('/', '/a', '/a/b') } },
  IngressTLS: { density: 0.6, fields: { hosts: listOf(host), secretName: objectName } },
  NetworkPolicySpec: { always: ['podSelector'], density: 0.5, fields: { policyTypes: policyTypes } },
  NetworkPolicyPort: {
    density: 0.5,
    fields: { port: one(80, 443, 'http') },
    tidy: (rule, random) => {
      if (typeof rule['port'] === 'number') rule['endPort'] = random.pick([rule['port'], 65_535]);
      else delete rule['endPort'];
    },
  },
  NetworkPolicyPeer: { oneOf: [['podSelector', 'namespaceSelector', 'ipBlock']] },
  IPBlock: {
    fields: {
      cidr: one('10.0.0.0/8', '192.168.0.0/16', 'fd00::/8'),
      except: one(['10.1.0.0/16'], ['10.1.0.0/16', '10.2.3.0/24']),
    },
    tidy: (block) => {
      if (block['cidr'] !== '10.0.0.0/8') delete block['except'];
    },
  },
  EndpointSlice: { always: ['endpoints'], density: 0.6, tidy: tidySlice },
  Endpoint: {
    without: ['deprecatedTopology'],
    fields: { addresses: listOf(address), hostname: text, nodeName: objectName, zone: text },
  },
  EndpointPort: { fields: { name: portName, port, appProtocol: one('http', 'example.com/x') }, density: 0.6 },
  ForZone: { fields: { name: text } },
  ForNode: { fields: { name: objectName } },
};

function policyTypes(random: Random): string[] {
  return random.pick([['Ingress'], ['Egress'], ['Ingress', 'Egress']]);
}

function named(ports: readonly JsonObject[]): void {
  for (const [index, each] of ports.entries()) {
    if (ports.length > 1) each['name'] = `p${index}`;
    each['port'] = Number(each['port']) + index;
    if (Number(each['port']) > 65_535) each['port'] = 3000 + index;
  }
}

function tidySlice(slice: JsonObject): void {
  named(items(slice['ports']).map(objectOf));
  const addresses = { IPv4: '10.1.2.3', IPv6: 'fd00::1', FQDN: 'a.example.com' };
  const own = addresses[slice['addressType'] as keyof typeof addresses];
  for (const endpoint of items(slice['endpoints']).filter((each) => isObject(each)))
    if (slice['addressType'] !== 'IPv4') endpoint['addresses'] = [own];
}
