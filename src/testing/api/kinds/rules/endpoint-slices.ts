import { isIP, isIPv4, isIPv6 } from 'node:net';
import {
  duplicateValue,
  invalidValue,
  labelProblems,
  labelValueProblems,
  listOf,
  objectOf,
  qualifiedNameProblems,
  required,
  subdomainProblems,
  type FieldError,
  type Json,
  type JsonObject,
} from '../../../../kubernetes/objects/index.ts';
import { isEqualJson, jsonTextOf } from '../../../../base/util/json-map.ts';
import { setDefaults, type BuiltInEntry } from '../served-kind.ts';
import { addressErrors, addressWarnings, canonicalErrors, endpointAddressErrors } from './addresses.ts';
import { choiceErrors, immutable, nameErrors, objectsOf, problemErrors } from './checks.ts';

/** Returns the errors of an EndpointSlice. Source: kubernetes `pkg/apis/discovery/validation`. */
function sliceErrors(object: JsonObject, before?: JsonObject): readonly FieldError[] {
  const type = jsonTextOf(object['addressType']);
  const errors: FieldError[] =
    type === ''
      ? [required('addressType')]
      : [...choiceErrors(type, 'addressType', ['FQDN', 'IPv4', 'IPv6'])];
  const names = new Set<string>();
  for (const [index, port] of objectsOf(object['ports']).entries()) {
    const at = `ports[${index}]`;
    const { appProtocol } = port;
    const name = jsonTextOf(port['name']);
    errors.push(...nameErrors(name, `${at}.name`));
    if (names.has(name)) errors.push(duplicateValue(`${at}.name`, name));
    names.add(name);
    errors.push(...choiceErrors(port['protocol'], `${at}.protocol`, ['SCTP', 'TCP', 'UDP']));
    errors.push(...problemErrors(appProtocol, `${at}.appProtocol`, qualifiedNameProblems));
  }
  // Endpoints that have not changed are not checked again.
  if (before !== undefined && isEqualJson(object['endpoints'] ?? null, before['endpoints'] ?? null))
    return errors;
  for (const [index, endpoint] of objectsOf(object['endpoints']).entries())
    errors.push(...endpointErrors(endpoint, type, `endpoints[${index}]`));
  return errors;
}

function endpointErrors(endpoint: JsonObject, type: string, at: string): readonly FieldError[] {
  const addresses = listOf(endpoint['addresses']).map(jsonTextOf);
  const errors: FieldError[] = addresses.length === 0 ? [required(`${at}.addresses`)] : [];
  for (const [index, address] of addresses.entries())
    errors.push(...typedAddressErrors(address, type, `${at}.addresses`, index));
  errors.push(
    ...problemErrors(endpoint['nodeName'], `${at}.nodeName`, subdomainProblems),
    ...problemErrors(endpoint['hostname'], `${at}.hostname`, labelProblems),
  );
  const { forZones, forNodes } = objectOf(endpoint['hints']);
  return [
    ...errors,
    ...hintErrors(forZones, `${at}.hints.forZones`, labelValueProblems),
    ...hintErrors(forNodes, `${at}.hints.forNodes`, subdomainProblems),
  ];
}

function hintErrors(
  list: Json | undefined,
  path: string,
  rule: (name: string) => readonly string[],
): readonly FieldError[] {
  const names = new Set<string>();
  return objectsOf(list).flatMap((hint, index) => {
    const field = `${path}[${index}].name`;
    const name = jsonTextOf(hint['name']);
    const isKnown = names.has(name);
    names.add(name);
    return [...(isKnown ? [duplicateValue(field, name)] : []), ...problemErrors(name, field, rule)];
  });
}

function typedAddressErrors(
  address: string,
  type: string,
  path: string,
  index: number,
): readonly FieldError[] {
  const field = `${path}[${index}]`;
  if (type === 'FQDN') return domainErrors(address, field);
  if (type !== 'IPv4' && type !== 'IPv6') return [];
  const errors = type === 'IPv4' ? addressErrors(address, field) : canonicalErrors(address, field);
  if (errors.length > 0) return errors;
  const isRight = type === 'IPv4' ? isIPv4(address) : isIPv6(address);
  return [
    ...(isRight ? [] : [invalidValue(path, address, `must be an ${type} address`)]),
    ...endpointAddressErrors(address, field),
  ];
}

/** Returns the errors of a fully qualified domain name. Source: apimachinery `IsFullyQualifiedDomainName`. */
function domainErrors(address: string, field: string): readonly FieldError[] {
  if (address === '') return [required(field)];
  const name = address.replace(/\.$/, '');
  const labels = name.split('.');
  const problems = subdomainProblems(name);
  if (problems.length > 0) return [invalidValue(field, name, problems.join(','))];
  if (labels.length < 2)
    return [invalidValue(field, name, 'should be a domain with at least two segments separated by dots')];
  const wrong = labels.find((label) => labelProblems(label).length > 0);
  return wrong === undefined ? [] : [invalidValue(field, wrong, labelProblems(wrong).join(','))];
}

function warnings(object: JsonObject, before?: JsonObject): readonly string[] {
  const isDeprecated = before === undefined && object['addressType'] === 'FQDN';
  return [
    ...(isDeprecated ? ['spec.addressType: FQDN endpoints are deprecated'] : []),
    ...objectsOf(object['endpoints']).flatMap(({ addresses }, index) =>
      listOf(addresses)
        .map(jsonTextOf)
        .flatMap((address, number) =>
          isIP(address) === 0 ? [] : addressWarnings(address, `endpoints[${index}].addresses[${number}]`),
        ),
    ),
  ];
}

/** Drops a field that clients of this version cannot write. */
function dropTopology(object: JsonObject): void {
  for (const endpoint of objectsOf(object['endpoints'])) delete endpoint['deprecatedTopology'];
}

export const endpointSliceRules: Readonly<Record<string, BuiltInEntry>> = {
  'discovery.k8s.io/v1 EndpointSlice': {
    hasGeneration: true,
    unconditionalUpdate: true,
    returnsDeleted: false,
    generationFields: ['addressType', 'endpoints', 'ports', 'metadata.labels'],
    normalize: (object) => {
      for (const port of objectsOf(object['ports'])) setDefaults(port, { name: '', protocol: 'TCP' });
    },
    prepareCreate: dropTopology,
    validate: (object) => sliceErrors(object),
    validateUpdate: (now, before) => [
      ...sliceErrors(now, before),
      ...immutable(now['addressType'], before['addressType'], 'addressType', null),
    ],
    warnings,
  },
};
