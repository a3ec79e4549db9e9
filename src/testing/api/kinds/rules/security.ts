import {
  duplicateValue,
  forbiddenValue,
  invalidValue,
  isObject,
  listOf,
  required,
  unsupportedValue,
  type FieldError,
  type Json,
  type JsonObject,
} from '../../../../kubernetes/objects/index.ts';
import { jsonTextOf } from '../../../../base/util/json-map.ts';
import { choiceErrors, objectsOf } from './checks.ts';
import { localPathErrors } from './volume-sources.ts';

/** Returns an error for a number that is not the number of a user or a group. */
function idErrors(value: Json | undefined, field: string): readonly FieldError[] {
  return typeof value === 'number' && (value < 0 || value > 2_147_483_647)
    ? [invalidValue(field, value, 'must be between 0 and 2147483647, inclusive')]
    : [];
}

const profiles = ['Localhost', 'RuntimeDefault', 'Unconfined'];

function seccompErrors(profile: Json | undefined, at: string): readonly FieldError[] {
  if (!isObject(profile)) return [];
  const { type = '', localhostProfile: file } = profile;
  const field = `${at}.localhostProfile`;
  return [
    ...(type === ''
      ? [required(`${at}.type`, 'type is required when seccompProfile is set')]
      : choiceErrors(type, `${at}.type`, profiles)),
    ...(type === 'Localhost'
      ? file === undefined
        ? [required(field, 'must be set when seccomp type is Localhost')]
        : localPathErrors(file, field)
      : file === undefined
        ? []
        : [invalidValue(field, profile, 'can only be set when seccomp type is Localhost')]),
  ];
}

function appArmorErrors(profile: Json | undefined, at: string): readonly FieldError[] {
  if (!isObject(profile)) return [];
  const { type = '', localhostProfile: file } = profile;
  const field = `${at}.localhostProfile`;
  if (type === '') return [required(`${at}.type`, 'type is required when appArmorProfile is set')];
  if (!profiles.includes(jsonTextOf(type))) return [unsupportedValue(`${at}.type`, type, profiles)];
  if (type !== 'Localhost')
    return file === undefined
      ? []
      : [invalidValue(field, file, 'can only be set when AppArmor type is Localhost')];
  const text = jsonTextOf(file);
  if (file === undefined || text === '')
    return [required(field, 'must be set when AppArmor type is Localhost')];
  return text === text.trim() ? [] : [invalidValue(field, text, 'must not be padded with whitespace')];
}

const sysctlForm = '^([a-z0-9]([-_a-z0-9]*[a-z0-9])?[\\./])*[a-z0-9]([-_a-z0-9]*[a-z0-9])?$';

function sysctlErrors(list: Json | undefined, spec: JsonObject, path: string): readonly FieldError[] {
  const names = new Set<string>();
  return objectsOf(list).flatMap((sysctl, index) => {
    const field = `${path}[${index}].name`;
    const name = jsonTextOf(sysctl['name']);
    const isValid = name.length <= 253 && new RegExp(sysctlForm).test(name);
    const errors: FieldError[] = [];
    if (name === '') errors.push(required(field));
    else if (!isValid)
      errors.push(
        invalidValue(field, name, `must have at most 253 characters and match regex ${sysctlForm}`),
      );
    else if (names.has(name)) errors.push(duplicateValue(field, name));
    names.add(name);
    const dotted = name.replaceAll('/', '.');
    if (spec['hostNetwork'] === true && dotted.startsWith('net.'))
      errors.push(invalidValue(field, name, "may not be specified when 'hostNetwork' is true"));
    else if (spec['hostIPC'] === true && /^(?:kernel\.(?:shm|msg)|kernel\.sem$|fs\.mqueue\.)/.test(dotted))
      errors.push(invalidValue(field, name, "may not be specified when 'hostIPC' is true"));
    return errors;
  });
}

/** Returns the errors of the security context of a Pod. Source: kubernetes `validatePodSpecSecurityContext`. */
export function podSecurityErrors(
  context: JsonObject,
  spec: JsonObject,
  path: string,
): readonly FieldError[] {
  return [
    ...['fsGroup', 'runAsUser', 'runAsGroup'].flatMap((name) => idErrors(context[name], `${path}.${name}`)),
    ...listOf(context['supplementalGroups']).flatMap((id, index) =>
      idErrors(id, `${path}.supplementalGroups[${index}]`),
    ),
    ...sysctlErrors(context['sysctls'], spec, `${path}.sysctls`),
    ...choiceErrors(context['fsGroupChangePolicy'], `${path}.fsGroupChangePolicy`, [
      'Always',
      'OnRootMismatch',
    ]),
    ...seccompErrors(context['seccompProfile'], `${path}.seccompProfile`),
    ...appArmorErrors(context['appArmorProfile'], `${path}.appArmorProfile`),
    ...choiceErrors(context['supplementalGroupsPolicy'], `${path}.supplementalGroupsPolicy`, [
      'Merge',
      'Strict',
    ]),
    ...choiceErrors(context['seLinuxChangePolicy'], `${path}.seLinuxChangePolicy`, [
      'MountOption',
      'Recursive',
    ]),
  ];
}

/** Returns the errors of the security context of a container. Source: kubernetes `ValidateSecurityContext`. */
export function securityErrors(
  context: JsonObject,
  path: string,
  hasHostUsers: boolean,
): readonly FieldError[] {
  const { procMount, privileged, allowPrivilegeEscalation, capabilities } = context;
  const errors: FieldError[] = ['runAsUser', 'runAsGroup'].flatMap((name) =>
    idErrors(context[name], `${path}.${name}`),
  );
  errors.push(...choiceErrors(procMount, `${path}.procMount`, ['Default', 'Unmasked']));
  if (hasHostUsers && procMount === 'Unmasked')
    errors.push(invalidValue(`${path}.procMount`, procMount, '`hostUsers` must be false to use `Unmasked`'));
  errors.push(...seccompErrors(context['seccompProfile'], `${path}.seccompProfile`));
  if (allowPrivilegeEscalation === false) {
    const cannot = 'cannot set `allowPrivilegeEscalation` to false and';
    if (privileged === true) errors.push(invalidValue(path, context, `${cannot} \`privileged\` to true`));
    if (isObject(capabilities) && listOf(capabilities['add']).includes('CAP_SYS_ADMIN'))
      errors.push(invalidValue(path, context, `${cannot} \`capabilities.Add\` CAP_SYS_ADMIN`));
  }
  return [...errors, ...appArmorErrors(context['appArmorProfile'], `${path}.appArmorProfile`)];
}

/** Returns the errors of a Pod that shares namespaces of the host or of its processes in combinations that are not allowed. */
export function sharingErrors(spec: JsonObject, path: string): readonly FieldError[] {
  const { shareProcessNamespace, hostPID, hostUsers } = spec;
  const errors: FieldError[] = [];
  if (shareProcessNamespace === true && hostPID === true)
    errors.push(
      invalidValue(
        `${path}.shareProcessNamespace`,
        true,
        'ShareProcessNamespace and HostPID cannot both be enabled',
      ),
    );
  if (hostUsers !== false) return errors;
  for (const [name, shown] of [
    ['hostNetwork', 'hostNetwork'],
    ['hostPID', 'HostPID'],
    ['hostIPC', 'HostIPC'],
  ] as const)
    if (spec[name] === true) errors.push(forbiddenValue(`${path}.${shown}`, 'when `hostUsers` is false'));
  for (const list of ['initContainers', 'containers'])
    for (const [index, { volumeDevices }] of objectsOf(spec[list]).entries())
      if (listOf(volumeDevices).length > 0)
        errors.push(forbiddenValue(`${path}.${list}[${index}].volumeDevices`, 'when `hostUsers` is false'));
  return errors;
}
