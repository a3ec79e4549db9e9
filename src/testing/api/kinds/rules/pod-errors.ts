import {
  annotationErrors,
  duplicateValue,
  forbiddenValue,
  invalidValue,
  isObject,
  labelErrors,
  labelValueProblems,
  listOf,
  objectOf,
  qualifiedNameProblems,
  required,
  subdomainProblems,
  tooLong,
  unsupportedValue,
  type FieldError,
  type Json,
  type JsonObject,
} from '../../../../kubernetes/objects/index.ts';
import { jsonTextOf } from '../../../../base/util/json-map.ts';
import { addressErrors } from './addresses.ts';
import { choiceErrors, nameErrors, objectsOf, problemErrors } from './checks.ts';
import { containerErrors, fileVolumeErrors, initContainerErrors, type PodParts } from './container-errors.ts';
import { volumeErrors } from './pod-volumes.ts';
import { requirementErrors } from './resources.ts';
import { affinityErrors, preemptionErrors, spreadErrors } from './scheduling.ts';
import { podSecurityErrors, sharingErrors } from './security.ts';

/** Options of the validation of the spec of a Pod. */
interface SpecOptions {
  /** Volumes in addition to those of the spec, by name. */
  readonly volumes?: readonly string[];
  /** Name of the Pod; absent for a template. */
  readonly pod?: string;
}

/** Returns the errors of a template of Pods. Source: kubernetes `ValidatePodTemplateSpec`. */
export function templateErrors(
  template: Json | undefined,
  path: string,
  volumes: readonly string[] = [],
): readonly FieldError[] {
  const { metadata, spec } = objectOf(template);
  const errors = [
    ...labelErrors(objectOf(metadata)['labels'], `${path}.labels`),
    ...annotationErrors(objectOf(metadata)['annotations'], `${path}.annotations`),
    ...podSpecErrors(objectOf(spec), `${path}.spec`, { volumes }),
  ];
  if (listOf(objectOf(spec)['ephemeralContainers']).length > 0)
    errors.push(
      forbiddenValue(`${path}.spec.ephemeralContainers`, 'ephemeral containers not allowed in pod template'),
    );
  return errors;
}

/** Returns the errors of the spec of a Pod or of a template. Source: kubernetes `ValidatePodSpec`. */
export function podSpecErrors(
  spec: JsonObject,
  path: string,
  { volumes: more = [], pod }: SpecOptions = {},
): readonly FieldError[] {
  const { volumes, errors } = volumeErrors(spec['volumes'], `${path}.volumes`, pod ?? '');
  const known = new Map<string, JsonObject>([
    ...more.map((name): [string, JsonObject] => [name, { persistentVolumeClaim: {} }]),
    ...volumes,
  ]);
  const parts: PodParts = { spec, volumes: known, path };
  return [
    ...errors,
    ...containerErrors(parts),
    ...initContainerErrors(parts),
    ...hostNetworkErrors(spec, path, pod !== undefined),
    ...choiceErrors(spec['restartPolicy'], `${path}.restartPolicy`, ['Always', 'OnFailure', 'Never']),
    ...choiceErrors(spec['dnsPolicy'], `${path}.dnsPolicy`, [
      'ClusterFirstWithHostNet',
      'ClusterFirst',
      'Default',
      'None',
    ]),
    ...labelErrors(spec['nodeSelector'], `${path}.nodeSelector`),
    ...podSecurityErrors(objectOf(spec['securityContext']), spec, `${path}.securityContext`),
    ...sharingErrors(spec, path),
    ...affinityErrors(objectOf(spec['affinity']), `${path}.affinity`),
    ...dnsErrors(spec, `${path}.dnsConfig`),
    ...objectsOf(spec['readinessGates']).flatMap(({ conditionType = '' }, index) =>
      problemErrors(conditionType, `${path}.readinessGates[${index}].conditionType`, qualifiedNameProblems),
    ),
    ...gateErrors(spec['schedulingGates'], `${path}.schedulingGates`),
    ...spreadErrors(spec['topologySpreadConstraints'], `${path}.topologySpreadConstraints`),
    ...identityErrors(spec, path),
    ...tolerationErrors(spec['tolerations'], `${path}.tolerations`),
    ...aliasErrors(spec['hostAliases'], `${path}.hostAliases`),
    ...preemptionErrors(spec['preemptionPolicy'], `${path}.preemptionPolicy`),
    ...(isObject(spec['overhead'])
      ? requirementErrors({ limits: spec['overhead'] }, `${path}.overhead`)
      : []),
    ...systemErrors(spec['os'], `${path}.os`),
    ...fileVolumeErrors(parts),
  ];
}

/** Returns the errors of names that a Pod states: of itself, its node, its account, and classes. */
function identityErrors(spec: JsonObject, path: string): readonly FieldError[] {
  const { hostnameOverride: override } = spec;
  const field = `${path}.hostnameOverride`;
  return [
    ...(override === undefined
      ? []
      : [
          ...(spec['setHostnameAsFQDN'] === true
            ? [forbiddenValue(field, 'may not be specified when setHostnameAsFQDN is true')]
            : []),
          ...(spec['hostNetwork'] === true
            ? [forbiddenValue(field, 'may not be specified when hostNetwork is true')]
            : []),
          ...(Buffer.byteLength(jsonTextOf(override)) > 64 ? [tooLong(field, 64)] : []),
          ...problemErrors(override, field, subdomainProblems),
        ]),
    ...nameErrors(spec['serviceAccountName'], `${path}.serviceAccountName`, subdomainProblems),
    ...nameErrors(spec['nodeName'], `${path}.nodeName`, subdomainProblems),
    ...deadlineErrors(spec['activeDeadlineSeconds'], `${path}.activeDeadlineSeconds`),
    ...nameErrors(spec['hostname'], `${path}.hostname`),
    ...nameErrors(spec['subdomain'], `${path}.subdomain`),
    ...nameErrors(spec['priorityClassName'], `${path}.priorityClassName`, subdomainProblems),
    ...problemErrors(spec['runtimeClassName'], `${path}.runtimeClassName`, subdomainProblems),
  ];
}

function deadlineErrors(value: Json | undefined, field: string): readonly FieldError[] {
  return typeof value === 'number' && (value < 1 || value > 2_147_483_647)
    ? [invalidValue(field, value, 'must be between 1 and 2147483647, inclusive')]
    : [];
}

function hostNetworkErrors(spec: JsonObject, path: string, isPod: boolean): readonly FieldError[] {
  if (spec['hostNetwork'] !== true) return [];
  return objectsOf(spec['containers']).flatMap(({ ports }, index) =>
    objectsOf(ports).flatMap(({ hostPort = 0, containerPort = 0 }, number) =>
      hostPort !== containerPort && (isPod || hostPort !== 0)
        ? [
            invalidValue(
              `${path}.containers[${index}].ports[${number}].hostPort`,
              hostPort,
              'must match `containerPort` when `hostNetwork` is true',
            ),
          ]
        : [],
    ),
  );
}

const underscoredForm = '_?[a-z0-9]([-_a-z0-9]*[a-z0-9])?(\\._?[a-z0-9]([-_a-z0-9]*[a-z0-9])?)*';
const underscored = `a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '_', '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '${underscoredForm}')`;

function searchProblems(search: string): readonly string[] {
  return [
    ...(Buffer.byteLength(search) > 253 ? ['must be no more than 253 characters'] : []),
    ...(new RegExp(`^${underscoredForm}$`).test(search) ? [] : [underscored]),
  ];
}

function dnsErrors({ dnsPolicy, dnsConfig }: JsonObject, path: string): readonly FieldError[] {
  const { nameservers, searches, options } = objectOf(dnsConfig);
  if (dnsPolicy === 'None' && dnsConfig === undefined)
    return [required(path, 'must provide `dnsConfig` when `dnsPolicy` is None')];
  const servers = listOf(nameservers);
  if (dnsPolicy === 'None' && servers.length === 0)
    return [
      required(`${path}.nameservers`, 'must provide at least one DNS nameserver when `dnsPolicy` is None'),
    ];
  return [
    ...(servers.length > 3
      ? [invalidValue(`${path}.nameservers`, [...servers], 'must not have more than 3 nameservers')]
      : []),
    ...servers.flatMap((address, index) =>
      addressErrors(jsonTextOf(address), `${path}.nameservers[${index}]`),
    ),
    ...listOf(searches).flatMap((search, index) => {
      const text = jsonTextOf(search);
      const bare = text.replace(/\.$/, '');
      return text === '.' ? [] : problemErrors(bare, `${path}.searches[${index}]`, searchProblems);
    }),
    ...objectsOf(options).flatMap(({ name }, index) =>
      jsonTextOf(name) === '' ? [required(`${path}.options[${index}]`, 'must not be empty')] : [],
    ),
  ];
}

function gateErrors(list: Json | undefined, path: string): readonly FieldError[] {
  const known = new Set<Json>();
  return objectsOf(list).flatMap(({ name = '' }, index) => {
    const field = `${path}[${index}]`;
    const isKnown = known.has(name);
    known.add(name);
    return [
      ...problemErrors(name, field, qualifiedNameProblems),
      ...(isKnown ? [duplicateValue(field, name)] : []),
    ];
  });
}

function aliasErrors(list: Json | undefined, path: string): readonly FieldError[] {
  return objectsOf(list).flatMap(({ ip, hostnames }, index) => [
    ...addressErrors(jsonTextOf(ip), `${path}[${index}].ip`),
    ...listOf(hostnames).flatMap((name, number) =>
      problemErrors(name, `${path}[${index}].hostnames[${number}]`, subdomainProblems),
    ),
  ]);
}

function systemErrors(system: Json | undefined, path: string): readonly FieldError[] {
  if (!isObject(system)) return [];
  const name = jsonTextOf(system['name']);
  if (name === '') return [required(`${path}.name`)];
  return choiceErrors(name, path, ['linux', 'windows']);
}

function tolerationErrors(list: Json | undefined, path: string): readonly FieldError[] {
  return objectsOf(list).flatMap((toleration, index) => {
    const at = `${path}[${index}]`;
    const { tolerationSeconds } = toleration;
    const [key, operator, value, effect] = ['key', 'operator', 'value', 'effect'].map((name) =>
      jsonTextOf(toleration[name]),
    ) as [string, string, string, string];
    const errors: FieldError[] = key === '' ? [] : [...nameErrors(key, `${at}.key`, qualifiedNameProblems)];
    if (key === '' && operator !== 'Exists')
      errors.push(
        invalidValue(
          `${at}.operator`,
          operator,
          'operator must be Exists when `key` is empty, which means "match all values and all keys"',
        ),
      );
    if (tolerationSeconds !== undefined && effect !== 'NoExecute')
      errors.push(
        invalidValue(`${at}.effect`, effect, "effect must be 'NoExecute' when `tolerationSeconds` is set"),
      );
    if (operator === '' || operator === 'Equal') {
      const problems = labelValueProblems(value);
      if (problems.length > 0) errors.push(invalidValue(`${at}.operator`, value, problems.join(';')));
    } else if (operator === 'Exists') {
      if (value !== '')
        errors.push(invalidValue(`${at}.operator`, value, "value must be empty when `operator` is 'Exists'"));
    } else {
      const isComparison = operator === 'Lt' || operator === 'Gt';
      const operators = isComparison ? ['Equal', 'Exists', 'Lt', 'Gt'] : ['Equal', 'Exists'];
      errors.push(unsupportedValue(`${at}.operator`, operator, operators));
    }
    if (effect !== '')
      errors.push(...choiceErrors(effect, `${at}.effect`, ['NoSchedule', 'PreferNoSchedule', 'NoExecute']));
    return errors;
  });
}
