import {
  invalidValue,
  required,
  type FieldError,
  isObject,
  listOf,
  objectOf,
  type JsonObject,
  dns1035Problems,
} from '../../../../kubernetes/objects/index.ts';
import { jsonTextOf } from '../../../../base/util/json-map.ts';
import { unsupportedHere } from '../../status-error.ts';
import { type BuiltInEntry, ensureObject, setDefaults } from '../served-kind.ts';

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
  for (const port of listOf(spec['ports']).filter(isObject)) {
    setDefaults(port, { protocol: 'TCP' });
    if (port['targetPort'] === 0 || port['targetPort'] === '') port['targetPort'] = port['port'] ?? 0;
  }
}

function addressed(object: JsonObject, before?: JsonObject): void {
  const spec = ensureObject(object, 'spec');
  if (spec['type'] !== 'ClusterIP') return;
  const old = objectOf(before?.['spec']);
  for (const field of ['clusterIP', 'clusterIPs', 'ipFamilies', 'ipFamilyPolicy'])
    if (spec[field] === undefined && old[field] !== undefined) spec[field] = old[field];
  const address = jsonTextOf(spec['clusterIP']) || newAddress();
  setDefaults(spec, {
    clusterIP: address,
    clusterIPs: [address],
    ipFamilies: ['IPv4'],
    ipFamilyPolicy: 'SingleStack',
  });
}

function errorsOf(object: JsonObject): readonly FieldError[] {
  const spec = objectOf(object['spec']);
  const ports = listOf(spec['ports']).filter(isObject);
  const errors: FieldError[] = [];
  if (ports.length === 0 && spec['clusterIP'] !== 'None') errors.push(required('spec.ports'));
  const range = 'must be between 1 and 65535, inclusive';
  for (const [index, port] of ports.entries()) {
    const at = `spec.ports[${index}]`;
    if (ports.length > 1 && port['name'] === undefined) errors.push(required(`${at}.name`));
    const number = port['port'];
    if (typeof number === 'number' && (number < 1 || number > 65_535))
      errors.push(invalidValue(`${at}.port`, number, range));
    const target = port['targetPort'];
    if (typeof target === 'number' && (target < 1 || target > 65_535))
      errors.push(invalidValue(`${at}.targetPort`, target, range));
  }
  return errors;
}

function changeErrors(now: JsonObject, before: JsonObject): readonly FieldError[] {
  const [address, old] = [objectOf(now['spec'])['clusterIP'], objectOf(before['spec'])['clusterIP']];
  if (address === old) return errorsOf(now);
  throw unsupportedHere('a change of the clusterIP of a Service');
}

function refuse(_verb: string, object: JsonObject): void {
  const { type, externalName, sessionAffinity } = objectOf(object['spec']);
  if (type !== 'ClusterIP' && type !== undefined)
    throw unsupportedHere(`Services of type ${jsonTextOf(type)}`);
  if (externalName !== undefined) throw unsupportedHere('externalName of a Service');
  if (sessionAffinity !== 'None' && sessionAffinity !== undefined)
    throw unsupportedHere('sessionAffinity of a Service');
}

export const serviceRules: Readonly<Record<string, BuiltInEntry>> = {
  'v1 Service': {
    nameRule: dns1035Problems,
    hasGeneration: false,
    unconditionalUpdate: true,
    returnsDeleted: true,
    normalize,
    prepareCreate: (object) => {
      object['status'] = { loadBalancer: {} };
      addressed(object);
    },
    prepareUpdate: addressed,
    validate: errorsOf,
    validateUpdate: changeErrors,
    refuse,
  },
};
