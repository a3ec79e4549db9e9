import { isIP } from 'node:net';
import {
  duplicateValue,
  forbiddenValue,
  invalidValue,
  labelErrors,
  labelProblems,
  listOf,
  objectOf,
  qualifiedNameProblems,
  required,
  type FieldError,
  type Json,
  type JsonObject,
} from '../../../../kubernetes/objects/index.ts';
import { isEqualJson, jsonTextOf } from '../../../../base/util/json-map.ts';
import { unsupportedHere } from '../../status-error.ts';
import { type BuiltInEntry, ensureObject, setDefaults } from '../served-kind.ts';
import { addressErrors, addressWarnings, endpointAddressErrors } from './addresses.ts';
import {
  choiceErrors,
  nameErrors,
  objectsOf,
  portErrors,
  portNumberErrors,
  problemErrors,
  specOf,
} from './checks.ts';

let lastAddress = 10;

/** Returns an IP address in the range of Services. Tests must not rely on a specific address. */
function newAddress(): string {
  lastAddress = (lastAddress % 60_000) + 1;
  return `10.0.${Math.floor(lastAddress / 250)}.${(lastAddress % 250) + 1}`;
}

function normalize(object: JsonObject): void {
  const spec = ensureObject(object, 'spec');
  setDefaults(spec, { sessionAffinity: 'None', type: 'ClusterIP' });
  if (spec['type'] === 'ClusterIP') setDefaults(spec, { internalTrafficPolicy: 'Cluster' });
  if (listOf(spec['externalIPs']).length > 0) setDefaults(spec, { externalTrafficPolicy: 'Cluster' });
  for (const port of objectsOf(spec['ports'])) {
    setDefaults(port, { protocol: 'TCP' });
    if (port['targetPort'] === 0 || port['targetPort'] === '') port['targetPort'] = port['port'] ?? 0;
  }
}

const isHeadless = (spec: JsonObject): boolean => spec['clusterIP'] === 'None';

/** Returns true for a Service without an address and without a selector: it has both families, whatever the cluster has. */
const isOpen = (spec: JsonObject): boolean =>
  isHeadless(spec) && Object.keys(objectOf(spec['selector'])).length === 0;

function addressed(object: JsonObject, before?: JsonObject): void {
  const spec = ensureObject(object, 'spec');
  if (spec['type'] !== 'ClusterIP') return;
  const old = objectOf(before?.['spec']);
  const given = jsonTextOf(spec['clusterIP']);
  if (given === '') delete spec['clusterIP'];
  else setDefaults(spec, { clusterIPs: [given] });
  for (const field of ['clusterIP', 'clusterIPs', 'ipFamilies', 'ipFamilyPolicy'])
    if (spec[field] === undefined && old[field] !== undefined) spec[field] = old[field];
  const wasExternal = listOf(old['externalIPs']).length > 0;
  if (wasExternal && listOf(spec['externalIPs']).length === 0)
    dropUnchanged(spec, old, 'externalTrafficPolicy');
  const address = jsonTextOf(spec['clusterIP']) || newAddress();
  setDefaults(spec, {
    clusterIP: address,
    clusterIPs: [address],
    ipFamilies: isOpen(spec) ? ['IPv4', 'IPv6'] : ['IPv4'],
    ipFamilyPolicy: isOpen(spec) ? 'RequireDualStack' : 'SingleStack',
  });
}

function dropUnchanged(spec: JsonObject, old: JsonObject, name: string): void {
  if (isEqualJson(spec[name] ?? null, old[name] ?? null)) delete spec[name];
}

/** Returns the errors of a Service. Source: kubernetes `validateService`. */
function errorsOf(object: JsonObject, before?: JsonObject): readonly FieldError[] {
  const spec = specOf(object);
  const old = before === undefined ? undefined : specOf(before);
  // The server assigns addresses first.
  const unassigned = clusterAddressErrors(spec);
  if (unassigned.length > 0) return unassigned;
  const ports = objectsOf(spec['ports']);
  const errors: FieldError[] = [...addressChanges(spec, old)];
  if (ports.length === 0 && !isHeadless(spec)) errors.push(required('spec.ports'));
  const names = new Set<string>();
  const known = new Set<string>();
  for (const [index, port] of ports.entries()) {
    const at = `spec.ports[${index}]`;
    errors.push(...servicePortErrors(port, ports.length > 1, names, at));
    const key = `${jsonTextOf(port['protocol'])} ${Number(port['port'] ?? 0)}`;
    if (known.has(key)) errors.push(duplicatePort(port, at));
    known.add(key);
  }
  errors.push(...labelErrors(spec['selector'], 'spec.selector'));
  const existing = listOf(old?.['externalIPs']);
  for (const [index, address] of listOf(spec['externalIPs']).entries()) {
    const field = `spec.externalIPs[${index}]`;
    const text = jsonTextOf(address);
    const own = existing.includes(address) ? [] : addressErrors(text, field);
    errors.push(...own, ...(own.length > 0 || isIP(text) === 0 ? [] : endpointAddressErrors(text, field)));
  }
  errors.push(...trafficErrors(spec));
  return errors.length > 0 ? errors : familyErrors(spec);
}

/** Returns the error of a Service that needs two families of addresses: this cluster has one, like that of a control plane. */
function familyErrors(spec: JsonObject): readonly FieldError[] {
  if (spec['ipFamilyPolicy'] !== 'RequireDualStack' || isOpen(spec)) return [];
  const detail = 'this cluster is not configured for dual-stack services';
  return [invalidValue('spec.ipFamilyPolicy', 'RequireDualStack', detail)];
}

function servicePortErrors(
  port: JsonObject,
  needsName: boolean,
  names: Set<string>,
  at: string,
): readonly FieldError[] {
  const name = jsonTextOf(port['name']);
  const errors: FieldError[] =
    name === '' ? (needsName ? [required(`${at}.name`)] : []) : [...nameErrors(name, `${at}.name`)];
  if (names.has(name)) errors.push(duplicateValue(`${at}.name`, name));
  if (name !== '') names.add(name);
  errors.push(
    ...portNumberErrors(port['port'] ?? 0, `${at}.port`),
    ...choiceErrors(port['protocol'], `${at}.protocol`, ['SCTP', 'TCP', 'UDP']),
    ...portErrors(port['targetPort'], `${at}.targetPort`),
    ...problemErrors(port['appProtocol'], `${at}.appProtocol`, qualifiedNameProblems),
  );
  if (Number(port['nodePort'] ?? 0) !== 0)
    errors.push(forbiddenValue(`${at}.nodePort`, "may not be used when `type` is 'ClusterIP'"));
  return errors;
}

/** Returns the error of a port that another one equals, with the fields by which ports are compared in the order of their Go type. */
function duplicatePort({ protocol = '', port = 0 }: JsonObject, field: string): FieldError {
  const shown = { Name: '', Protocol: protocol, AppProtocol: null, Port: port, TargetPort: 0, NodePort: 0 };
  return {
    type: 'FieldValueDuplicate',
    field,
    body: `Duplicate value: ${JSON.stringify(shown)}`,
  };
}

function clusterAddressErrors(spec: JsonObject): readonly FieldError[] {
  const [address, addresses] = [jsonTextOf(spec['clusterIP']), listOf(spec['clusterIPs'])];
  const field = 'spec.clusterIPs';
  if (address !== '' && addresses[0] !== address)
    return [invalidValue(field, [...addresses], 'first value must match `clusterIP`')];
  return addresses.flatMap((each, index) =>
    index === 0 && each === 'None' ? [] : addressErrors(jsonTextOf(each), `${field}[${index}]`),
  );
}

function addressChanges({ clusterIPs }: JsonObject, old: JsonObject | undefined): readonly FieldError[] {
  const before = listOf(old?.['clusterIPs'])[0];
  return before === undefined || before === listOf(clusterIPs)[0]
    ? []
    : [invalidValue('spec.clusterIPs[0]', [...listOf(clusterIPs)], 'may not change once set')];
}

function trafficErrors(spec: JsonObject): readonly FieldError[] {
  const { externalTrafficPolicy: external, healthCheckNodePort: health } = spec;
  const isExternal = listOf(spec['externalIPs']).length > 0;
  return [
    ...(isExternal
      ? choiceErrors(external, 'spec.externalTrafficPolicy', ['Cluster', 'Local'])
      : external === undefined
        ? []
        : [
            invalidValue(
              'spec.externalTrafficPolicy',
              external,
              'may only be set for externally-accessible services',
            ),
          ]),
    ...(Number(health ?? 0) === 0
      ? []
      : [
          invalidValue(
            'spec.healthCheckNodePort',
            health ?? 0,
            "may only be set when `type` is 'LoadBalancer' and `externalTrafficPolicy` is 'Local'",
          ),
        ]),
    ...choiceErrors(spec['internalTrafficPolicy'], 'spec.internalTrafficPolicy', ['Cluster', 'Local']),
    ...choiceErrors(spec['trafficDistribution'], 'spec.trafficDistribution', [
      'PreferClose',
      'PreferSameZone',
      'PreferSameNode',
    ]),
  ];
}

function warnings(object: JsonObject): readonly string[] {
  const spec = specOf(object);
  const addresses = listOf(spec['externalIPs']).map(jsonTextOf);
  const found = addresses.flatMap((address, index) =>
    isIP(address) === 0 ? [] : addressWarnings(address, `spec.externalIPs[${index}]`),
  );
  if (addresses.length > 0)
    found.unshift(...(isHeadless(spec) ? ['spec.externalIPs is ignored for headless services'] : []));
  if (addresses.length > 0 && !isHeadless(spec))
    found.push('spec.externalIPs is deprecated and may no longer be implemented in some clusters');
  if (spec['trafficDistribution'] === 'PreferClose')
    found.push('spec.trafficDistribution: "PreferClose" is deprecated; use "PreferSameZone"');
  return found;
}

/** Fields that only Services of other types have, or that this server does not compute. */
const refused = [
  ...['externalName', 'sessionAffinityConfig', 'allocateLoadBalancerNodePorts', 'loadBalancerClass'],
  ...['loadBalancerIP', 'loadBalancerSourceRanges'],
];

function refuse(_verb: string, object: JsonObject): void {
  const spec = specOf(object);
  const { type, sessionAffinity } = spec;
  if (type !== 'ClusterIP' && type !== undefined)
    throw unsupportedHere(`Services of type ${jsonTextOf(type)}`);
  if (sessionAffinity !== 'None' && sessionAffinity !== undefined)
    throw unsupportedHere('sessionAffinity of a Service');
  const isSet = (value: Json | undefined): boolean => value !== undefined && value !== '';
  const name = refused.find((each) => isSet(spec[each]));
  if (name !== undefined) throw unsupportedHere(`${name} of a Service`);
}

export const serviceRules: Readonly<Record<string, BuiltInEntry>> = {
  'v1 Service': {
    nameRule: labelProblems,
    hasGeneration: false,
    unconditionalUpdate: true,
    returnsDeleted: true,
    normalize,
    prepareCreate: (object) => {
      object['status'] = { loadBalancer: {} };
      addressed(object);
    },
    prepareUpdate: addressed,
    validate: (object) => errorsOf(object),
    validateUpdate: errorsOf,
    warnings,
    refuse,
  },
};
