import { isIP } from 'node:net';
import {
  FieldSet,
  forbiddenValue,
  invalidValue,
  isObject,
  listOf,
  objectOf,
  required,
  subdomainProblems,
  unsupportedValue,
  labelProblems,
  type FieldError,
  type Json,
  type JsonObject,
} from '../../../../kubernetes/objects/index.ts';
import { jsonTextOf } from '../../../../base/util/json-map.ts';
import { setDefaults, type BuiltInEntry } from '../served-kind.ts';
import { cidrErrors, isStrictPart, parseCidr } from './addresses.ts';
import {
  nameErrors,
  neededNameErrors,
  objectsOf,
  choiceErrors,
  portNameProblems,
  portNumberErrors,
  problemErrors,
  selectorErrors,
  specOf,
} from './checks.ts';

function ingressErrors(object: JsonObject): readonly FieldError[] {
  const spec = specOf(object);
  const { defaultBackend, rules } = spec;
  const errors: FieldError[] = [];
  if (listOf(rules).length === 0 && defaultBackend === undefined)
    errors.push(invalidValue('spec', null, 'either `defaultBackend` or `rules` must be specified'));
  if (isObject(defaultBackend)) errors.push(...backendErrors(defaultBackend, 'spec.defaultBackend'));
  for (const [index, rule] of objectsOf(rules).entries()) {
    const at = `spec.rules[${index}]`;
    errors.push(...hostErrors(rule['host'], `${at}.host`));
    if (!isObject(rule['http'])) continue;
    const paths = objectsOf(rule['http']['paths']);
    if (paths.length === 0) errors.push(required(`${at}.http.paths`));
    for (const [number, path] of paths.entries())
      errors.push(...pathErrors(path, `${at}.http.paths[${number}]`));
  }
  for (const [index, tls] of objectsOf(spec['tls']).entries()) {
    for (const [number, host] of listOf(tls['hosts']).entries())
      errors.push(...hostNameErrors(host, `spec.tls[${index}].hosts[${number}]`));
    errors.push(...nameErrors(tls['secretName'], `spec.tls[${index}].secretName`, subdomainProblems));
  }
  errors.push(...problemErrors(spec['ingressClassName'], 'spec.ingressClassName', subdomainProblems));
  return errors;
}

const ingressClass = 'kubernetes.io/ingress.class';

const classAnnotation = (object: JsonObject): Json | undefined =>
  objectOf(objectOf(object['metadata'])['annotations'])[ingressClass];

/** Returns an error if the class of a new Ingress is set twice, differently. */
function classErrors(object: JsonObject): readonly FieldError[] {
  const annotation = classAnnotation(object);
  const { ingressClassName: name } = specOf(object);
  if (annotation === undefined || name === undefined || annotation === name) return [];
  return [
    invalidValue(
      `annotations.${ingressClass}`,
      annotation,
      'must match `ingressClassName` when both are specified',
    ),
  ];
}

function hostErrors(host: Json | undefined, field: string): readonly FieldError[] {
  const name = jsonTextOf(host);
  if (name === '') return [];
  const isAddress = isIP(name) > 0;
  return [
    ...(isAddress ? [invalidValue(field, name, 'must be a DNS name, not an IP address')] : []),
    ...hostNameErrors(name, field),
  ];
}

const wildcardText =
  "a wildcard DNS-1123 subdomain must start with '*.', followed by a valid DNS subdomain, which must consist of lower case alphanumeric characters, '-' or '.' and end with an alphanumeric character (e.g. '*.example.com', regex used for validation is '\\*\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')";

function hostNameErrors(host: Json | undefined, field: string): readonly FieldError[] {
  const name = jsonTextOf(host);
  if (!name.includes('*'))
    return subdomainProblems(name).map((problem) => invalidValue(field, name, problem));
  const isValid = /^\*\.[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/.test(name);
  return isValid ? [] : [invalidValue(field, name, wildcardText)];
}

function pathErrors(rule: JsonObject, at: string): readonly FieldError[] {
  const { pathType } = rule;
  const path = jsonTextOf(rule['path']);
  const field = `${at}.path`;
  if (pathType === undefined || pathType === null)
    return [required(`${at}.pathType`, 'pathType must be specified')];
  const errors: FieldError[] = [];
  if (pathType === 'Exact' || pathType === 'Prefix') {
    if (!path.startsWith('/')) errors.push(invalidValue(field, path, 'must be an absolute path'));
    for (const part of ['//', '/./', '/../', '%2f', '%2F'])
      if (path.includes(part)) errors.push(invalidValue(field, path, `must not contain '${part}'`));
    for (const end of ['/..', '/.'])
      if (path.endsWith(end)) errors.push(invalidValue(field, path, `cannot end with '${end}'`));
  } else if (pathType === 'ImplementationSpecific') {
    if (path !== '' && !path.startsWith('/'))
      errors.push(invalidValue(field, path, 'must be an absolute path'));
  } else
    errors.push(unsupportedValue(`${at}.pathType`, pathType, ['Exact', 'ImplementationSpecific', 'Prefix']));
  return [...errors, ...backendErrors(objectOf(rule['backend']), `${at}.backend`)];
}

function backendErrors({ resource, service }: JsonObject, at: string): readonly FieldError[] {
  if (isObject(resource) && isObject(service))
    return [invalidValue(at, '', 'cannot set both resource and service backends')];
  if (isObject(resource))
    return [
      ...problemErrors(resource['apiGroup'], `${at}.resource.apiGroup`, subdomainProblems),
      ...['kind', 'name'].flatMap((name) => neededNameErrors(resource[name], `${at}.resource.${name}`)),
    ];
  if (!isObject(service)) return [invalidValue(at, '', 'resource or service backend is required')];
  const { name, number } = objectOf(service['port']);
  const own = jsonTextOf(service['name']);
  const errors: FieldError[] =
    own === '' ? [required(`${at}.service.name`)] : [...nameErrors(own, `${at}.service.name`, labelProblems)];
  const hasName = jsonTextOf(name) !== '';
  const hasNumber = number !== undefined && number !== 0;
  if (hasName && hasNumber) errors.push(invalidValue(at, '', 'cannot set both port name & port number'));
  else if (hasName) errors.push(...nameErrors(name, `${at}.service.port.name`, portNameProblems));
  else if (hasNumber) errors.push(...portNumberErrors(number, `${at}.service.port.number`));
  else errors.push(required(at, 'port name or number is required'));
  return errors;
}

function normalizePolicy(object: JsonObject): void {
  const spec = specOf(object);
  const rules = [...objectsOf(spec['ingress']), ...objectsOf(spec['egress'])];
  for (const rule of rules)
    for (const port of objectsOf(rule['ports'])) setDefaults(port, { protocol: 'TCP' });
  if (listOf(spec['policyTypes']).length === 0)
    spec['policyTypes'] = listOf(spec['egress']).length > 0 ? ['Ingress', 'Egress'] : ['Ingress'];
}

function policyErrors(object: JsonObject, before?: JsonObject): readonly FieldError[] {
  const spec = specOf(object);
  const errors: FieldError[] = [...selectorErrors(spec['podSelector'], 'spec.podSelector')];
  const known = cidrsOf(before);
  for (const [direction, peers] of [
    ['ingress', 'from'],
    ['egress', 'to'],
  ] as const)
    for (const [index, rule] of objectsOf(spec[direction]).entries()) {
      const at = `spec.${direction}[${index}]`;
      for (const [number, port] of objectsOf(rule['ports']).entries())
        errors.push(...policyPortErrors(port, `${at}.ports[${number}]`));
      for (const [number, peer] of listOf(rule[peers]).entries())
        errors.push(...peerErrors(objectOf(peer), `${at}.${peers}[${number}]`, known));
    }
  const types = listOf(spec['policyTypes']);
  if (types.length > 2)
    return [
      ...errors,
      invalidValue('spec.policyTypes', [...types], 'may not specify more than two policyTypes'),
    ];
  for (const [index, type] of types.entries())
    errors.push(...choiceErrors(type, `spec.policyTypes[${index}]`, ['Ingress', 'Egress']));
  return errors;
}

function policyPortErrors({ protocol, port, endPort }: JsonObject, at: string): readonly FieldError[] {
  const errors = [...choiceErrors(protocol, `${at}.protocol`, ['TCP', 'UDP', 'SCTP'])];
  const end = `${at}.endPort`;
  if (typeof port === 'string') {
    if (endPort !== undefined)
      errors.push(invalidValue(end, endPort, 'may not be specified when `port` is non-numeric'));
    errors.push(...portNameProblems(port).map((problem) => invalidValue(`${at}.port`, port, problem)));
  } else if (typeof port === 'number') {
    errors.push(...portNumberErrors(port, `${at}.port`));
    if (typeof endPort === 'number' && endPort < port)
      errors.push(invalidValue(end, endPort, 'must be greater than or equal to `port`'));
    errors.push(...portNumberErrors(endPort, end));
  } else if (endPort !== undefined)
    errors.push(invalidValue(end, endPort, 'may not be specified when `port` is not specified'));
  return errors;
}

function peerErrors(peer: JsonObject, at: string, known: ReadonlySet<string>): readonly FieldError[] {
  const { podSelector, namespaceSelector, ipBlock } = peer;
  const errors: FieldError[] = [];
  for (const [name, selector] of Object.entries({ podSelector, namespaceSelector }))
    if (selector !== undefined) errors.push(...selectorErrors(selector, `${at}.${name}`));
  if (isObject(ipBlock)) errors.push(...blockErrors(ipBlock, `${at}.ipBlock`, known));
  const count = [podSelector, namespaceSelector, ipBlock].filter((each) => each !== undefined).length;
  if (count === 0) errors.push(required(at, 'must specify a peer'));
  else if (count > 1 && ipBlock !== undefined)
    errors.push(forbiddenValue(at, 'may not specify both ipBlock and another peer'));
  return errors;
}

/** Returns the errors of an IP block. CIDR values that the policy had before are not checked again. */
function blockErrors(block: JsonObject, at: string, known: ReadonlySet<string>): readonly FieldError[] {
  const cidr = jsonTextOf(block['cidr']);
  if (cidr === '') return [required(`${at}.cidr`)];
  const errors = known.has(cidr) ? [] : [...cidrErrors(cidr, `${at}.cidr`)];
  const whole = parseCidr(cidr);
  if (whole === undefined) return errors;
  for (const [index, item] of listOf(block['except']).entries()) {
    const field = `${at}.except[${index}]`;
    const text = jsonTextOf(item);
    if (!known.has(text)) errors.push(...cidrErrors(text, field));
    const part = parseCidr(text);
    if (part !== undefined && !isStrictPart(part, whole))
      errors.push(invalidValue(field, text, 'must be a strict subset of `cidr`'));
  }
  return errors;
}

function cidrsOf(object: JsonObject | undefined): ReadonlySet<string> {
  const { ingress, egress } = specOf(object ?? {});
  const peers = [...objectsOf(ingress), ...objectsOf(egress)].flatMap(({ from, to }) => [
    ...objectsOf(from),
    ...objectsOf(to),
  ]);
  return new Set(
    peers.flatMap(({ ipBlock }) => {
      const { cidr, except } = objectOf(ipBlock);
      return [cidr ?? '', ...listOf(except)].map(jsonTextOf);
    }),
  );
}

const spec = FieldSet.of(['f:spec']);
const usual = { hasGeneration: true, unconditionalUpdate: true, returnsDeleted: false } as const;

export const networkingRules: Readonly<Record<string, BuiltInEntry>> = {
  'networking.k8s.io/v1 Ingress': {
    ...usual,
    statusIgnores: spec,
    prepareCreate: (object) => void (object['status'] = { loadBalancer: {} }),
    validate: (object) => [...ingressErrors(object), ...classErrors(object)],
    validateUpdate: ingressErrors,
    warnings: (now, before) =>
      before === undefined &&
      classAnnotation(now) !== undefined &&
      specOf(now)['ingressClassName'] === undefined
        ? [
            `annotation ${JSON.stringify(ingressClass)} is deprecated, please use 'spec.ingressClassName' instead`,
          ]
        : [],
  },
  'networking.k8s.io/v1 NetworkPolicy': {
    ...usual,
    normalize: normalizePolicy,
    validate: (object) => policyErrors(object),
    validateUpdate: policyErrors,
  },
};
