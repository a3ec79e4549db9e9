import {
  duplicateValue,
  forbiddenValue,
  invalidValue,
  isObject,
  labelErrors,
  listOf,
  objectOf,
  qualifiedNameProblems,
  required,
  subdomainProblems,
  unsupportedValue,
  type FieldError,
  type Json,
  type JsonObject,
  labelValueProblems,
} from '../../../../kubernetes/objects/index.ts';
import { jsonTextOf } from '../../../../base/util/json-map.ts';
import { nameErrors, objectsOf, choiceErrors } from './checks.ts';
import { containerErrors, initContainerErrors } from './container-errors.ts';

/** Volumes that a Pod has in addition to those of its spec, by name. */
type MoreVolumes = readonly string[];

/** Returns the errors of a template of Pods. Source: kubernetes `ValidatePodTemplateSpec`. */
export function templateErrors(
  template: Json | undefined,
  path: string,
  volumes: MoreVolumes = [],
): readonly FieldError[] {
  const { metadata, spec } = objectOf(template);
  const errors = [
    ...labelErrors(objectOf(metadata)['labels'], `${path}.labels`),
    ...podSpecErrors(objectOf(spec), `${path}.spec`, volumes),
  ];
  if (listOf(objectOf(spec)['ephemeralContainers']).length > 0)
    errors.push(
      forbiddenValue(`${path}.spec.ephemeralContainers`, 'ephemeral containers not allowed in pod template'),
    );
  return errors;
}

/** Returns the errors of the spec of a Pod or of a template. Source: kubernetes `ValidatePodSpec`. */
export function podSpecErrors(spec: JsonObject, path: string, more: MoreVolumes = []): readonly FieldError[] {
  const { volumes, errors } = volumeErrors(spec['volumes'], `${path}.volumes`);
  const known = new Set([...volumes, ...more]);
  const restart = spec['restartPolicy'];
  const found: FieldError[] = [
    ...errors,
    ...containerErrors(spec, known, path),
    ...initContainerErrors(spec, known, path),
    ...choiceErrors(restart, `${path}.restartPolicy`, ['Always', 'OnFailure', 'Never']),
    ...choiceErrors(spec['dnsPolicy'], `${path}.dnsPolicy`, [
      'ClusterFirstWithHostNet',
      'ClusterFirst',
      'Default',
      'None',
    ]),
    ...labelErrors(spec['nodeSelector'], `${path}.nodeSelector`),
    ...securityErrors(objectOf(spec['securityContext']), `${path}.securityContext`),
    ...(objectOf(spec['dnsConfig'])['nameservers'] === undefined && spec['dnsPolicy'] === 'None'
      ? [required(`${path}.dnsConfig${spec['dnsConfig'] === undefined ? '' : '.nameservers'}`, dnsText)]
      : []),
    ...nameErrors(spec['serviceAccountName'], `${path}.serviceAccountName`, subdomainProblems),
    ...nameErrors(spec['nodeName'], `${path}.nodeName`, subdomainProblems),
    ...deadlineErrors(spec['activeDeadlineSeconds'], `${path}.activeDeadlineSeconds`),
    ...nameErrors(spec['hostname'], `${path}.hostname`),
    ...nameErrors(spec['subdomain'], `${path}.subdomain`),
    ...tolerationErrors(spec['tolerations'], `${path}.tolerations`),
    ...nameErrors(spec['priorityClassName'], `${path}.priorityClassName`, subdomainProblems),
    ...choiceErrors(spec['preemptionPolicy'], `${path}.preemptionPolicy`, ['Never', 'PreemptLowerPriority']),
  ];
  for (const [index, secret] of listOf(spec['imagePullSecrets']).entries())
    if (jsonTextOf(objectOf(secret)['name']) === '')
      found.push(required(`${path}.imagePullSecrets[${index}].name`));
  return found;
}

const dnsText = 'must provide at least one DNS nameserver when `dnsPolicy` is None';

function deadlineErrors(value: Json | undefined, field: string): readonly FieldError[] {
  return typeof value === 'number' && (value < 1 || value > 2_147_483_647)
    ? [invalidValue(field, value, 'must be between 1 and 2147483647, inclusive')]
    : [];
}

function securityErrors(context: JsonObject, path: string): readonly FieldError[] {
  const range = 'must be between 0 and 2147483647, inclusive';
  return ['fsGroup', 'runAsUser', 'runAsGroup'].flatMap((name) => {
    const value = context[name];
    return typeof value === 'number' && (value < 0 || value > 2_147_483_647)
      ? [invalidValue(`${path}.${name}`, value, range)]
      : [];
  });
}

function volumeErrors(
  list: Json | undefined,
  path: string,
): { readonly volumes: ReadonlySet<string>; readonly errors: readonly FieldError[] } {
  const volumes = new Set<string>();
  const errors: FieldError[] = [];
  for (const [index, volume] of objectsOf(list).entries()) {
    const at = `${path}[${index}]`;
    const name = jsonTextOf(volume['name']);
    const own = [
      ...sourceErrors(volume, at),
      ...(name === '' ? [required(`${at}.name`)] : nameErrors(name, `${at}.name`)),
      ...(volumes.has(name) ? [duplicateValue(`${at}.name`, name)] : []),
    ];
    if (own.length === 0) volumes.add(name);
    errors.push(...own);
  }
  return { volumes, errors };
}

/** The sources of a volume that are checked, in the server's order, each with the field that must not be empty. */
const sources: Readonly<Record<string, string | undefined>> = {
  emptyDir: undefined,
  hostPath: 'path',
  secret: 'secretName',
  nfs: 'server',
  persistentVolumeClaim: 'claimName',
  configMap: 'name',
  downwardAPI: undefined,
  projected: undefined,
  csi: 'driver',
  ephemeral: undefined,
  image: undefined,
};

function sourceErrors(volume: JsonObject, at: string): readonly FieldError[] {
  const errors: FieldError[] = [];
  let count = 0;
  for (const [source, needed] of Object.entries(sources)) {
    const value = volume[source];
    if (!isObject(value)) continue;
    count += 1;
    if (count > 1) {
      errors.push(forbiddenValue(`${at}.${source}`, 'may not specify more than 1 volume type'));
      continue;
    }
    if (needed !== undefined && jsonTextOf(value[needed]) === '')
      errors.push(required(`${at}.${source}.${needed}`));
    errors.push(...modeErrors(value['defaultMode'], `${at}.${source}.defaultMode`));
    errors.push(...itemErrors(value['items'], source, `${at}.${source}.items`));
    if (source === 'projected') errors.push(...projectionErrors(value['sources'], `${at}.${source}.sources`));
  }
  return errors;
}

function modeErrors(mode: Json | undefined, field: string): readonly FieldError[] {
  return typeof mode === 'number' && (mode < 0 || mode > 0o777)
    ? [invalidValue(field, mode, 'must be a number between 0 and 0777 (octal), both inclusive')]
    : [];
}

function itemErrors(items: Json | undefined, source: string, path: string): readonly FieldError[] {
  return objectsOf(items).flatMap((item, index) => {
    const at = `${path}[${index}]`;
    return [
      ...(source !== 'downwardAPI' && jsonTextOf(item['key']) === '' ? [required(`${at}.key`)] : []),
      ...(jsonTextOf(item['path']) === ''
        ? [required(`${at}.path`)]
        : localPathErrors(item['path'], `${at}.path`)),
      ...modeErrors(item['mode'], `${at}.mode`),
    ];
  });
}

/** Returns the errors of a path that must stay within its volume. */
export function localPathErrors(value: Json | undefined, field: string): readonly FieldError[] {
  const path = jsonTextOf(value);
  const errors: FieldError[] = [];
  if (path.startsWith('/')) errors.push(invalidValue(field, path, 'must be a relative path'));
  if (path.split('/').includes('..')) errors.push(invalidValue(field, path, "must not contain '..'"));
  return errors;
}

function projectionErrors(list: Json | undefined, path: string): readonly FieldError[] {
  return objectsOf(list).flatMap((source, index) => {
    const at = `${path}[${index}]`;
    return ['secret', 'configMap'].flatMap((name) => {
      const value = source[name];
      if (!isObject(value)) return [];
      return [
        ...(jsonTextOf(value['name']) === '' ? [required(`${at}.${name}.name`)] : []),
        ...itemErrors(value['items'], name, `${at}.${name}.items`),
      ];
    });
  });
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
    } else errors.push(unsupportedValue(`${at}.operator`, operator, ['Equal', 'Exists']));
    if (effect !== '')
      errors.push(...choiceErrors(effect, `${at}.effect`, ['NoSchedule', 'PreferNoSchedule', 'NoExecute']));
    return errors;
  });
}
