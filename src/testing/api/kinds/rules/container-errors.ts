import {
  duplicateValue,
  forbiddenValue,
  invalidValue,
  isObject,
  listOf,
  objectOf,
  required,
  type FieldError,
  type Json,
  type JsonObject,
} from '../../../../kubernetes/objects/index.ts';
import { jsonTextOf } from '../../../../base/util/json-map.ts';
import { choiceErrors, nameErrors, objectsOf, portNameProblems, portNumberErrors } from './checks.ts';
import { envErrors, envFromErrors } from './environment.ts';
import { lifecycleErrors, probeErrors, probes } from './handlers.ts';
import { pullPolicyErrors } from './pod-volumes.ts';
import { requirementErrors } from './resources.ts';
import { securityErrors } from './security.ts';
import { backstepErrors, localPathErrors } from './volume-sources.ts';

/** State of a Pod that the checks of its containers share. */
export interface PodParts {
  readonly spec: JsonObject;
  readonly volumes: ReadonlyMap<string, JsonObject>;
  readonly path: string;
}

const graceOf = ({ spec }: PodParts): number => Number(spec['terminationGracePeriodSeconds'] ?? 0);

/** Returns the errors of the containers of a Pod. Source: kubernetes `validateContainers`. */
export function containerErrors(pod: PodParts): readonly FieldError[] {
  const path = `${pod.path}.containers`;
  const containers = objectsOf(pod.spec['containers']);
  if (containers.length === 0) return [required(path)];
  const names = new Set<Json>();
  const errors = containers.flatMap((container, index) => {
    const at = `${path}[${index}]`;
    const { name = '' } = container;
    const own = [
      ...commonErrors(container, pod, at),
      ...(names.has(name) ? [duplicateValue(`${at}.name`, name)] : []),
      ...handlerErrors(container, pod, at),
      ...restartErrors(container, at),
    ];
    names.add(name);
    return own;
  });
  return [...errors, ...hostPortErrors(containers, path)];
}

function handlerErrors(container: JsonObject, pod: PodParts, at: string): readonly FieldError[] {
  return [
    ...lifecycleErrors(container['lifecycle'], `${at}.lifecycle`, graceOf(pod)),
    ...probes.flatMap((probe) => probeErrors(probe, container[probe], `${at}.${probe}`, graceOf(pod))),
  ];
}

/** Returns the errors of the init containers of a Pod. Source: kubernetes `validateInitContainers`. */
export function initContainerErrors(pod: PodParts): readonly FieldError[] {
  const path = `${pod.path}.initContainers`;
  const names = new Set(objectsOf(pod.spec['containers']).map(({ name = '' }) => name));
  return objectsOf(pod.spec['initContainers']).flatMap((container, index) => {
    const at = `${path}[${index}]`;
    const { name = '', restartPolicy } = container;
    const errors = [
      ...commonErrors(container, pod, at),
      // The server does not check the rules of an init container without a policy.
      ...(restartPolicy === undefined
        ? restartErrors(container, at).slice(0, 1)
        : restartErrors(container, at)),
      ...(names.has(name) ? [duplicateValue(`${at}.name`, name)] : []),
      // The server counts the ports of each container by itself, from 0.
      ...hostPortErrors([container], path),
    ];
    if (name !== '') names.add(name);
    if (restartPolicy === 'Always') return [...errors, ...handlerErrors(container, pod, at)];
    for (const field of ['lifecycle', ...probes])
      if (container[field] !== undefined)
        errors.push(
          forbiddenValue(`${at}.${field}`, 'may not be set for init containers without restartPolicy=Always'),
        );
    for (const [number, { restartPolicy: policy }] of objectsOf(container['resizePolicy']).entries())
      if (policy === 'RestartContainer')
        errors.push(
          invalidValue(
            `${at}.resizePolicy[${number}].restartPolicy`,
            policy,
            "must not be set to 'RestartContainer' for non-sidecar initContainers",
          ),
        );
    return errors;
  });
}

function restartErrors(container: JsonObject, at: string): readonly FieldError[] {
  const { restartPolicy: policy } = container;
  const rules = objectsOf(container['restartPolicyRules']);
  const errors: FieldError[] =
    policy === undefined && rules.length > 0
      ? [required(`${at}.restartPolicy`, 'must specify restartPolicy when restart rules are used')]
      : [...choiceErrors(policy, `${at}.restartPolicy`, ['Always', 'Never', 'OnFailure'])];
  for (const [index, { action = '', exitCodes }] of rules.entries()) {
    const rule = `${at}.restartPolicyRules[${index}]`;
    errors.push(
      ...choiceErrors(action, `${rule}.action`, ['Restart', 'RestartAllContainers']),
      ...(isObject(exitCodes)
        ? choiceErrors(exitCodes['operator'] ?? '', `${rule}.exitCodes.operator`, ['In', 'NotIn'])
        : [required(`${rule}.exitCodes`, 'must be specified')]),
    );
  }
  return errors;
}

function commonErrors(container: JsonObject, pod: PodParts, at: string): readonly FieldError[] {
  const { name = '', securityContext } = container;
  return [
    ...(name === '' ? [required(`${at}.name`)] : nameErrors(name, `${at}.name`)),
    ...(jsonTextOf(container['image']) === '' ? [required(`${at}.image`)] : []),
    ...choiceErrors(container['terminationMessagePolicy'], `${at}.terminationMessagePolicy`, [
      'File',
      'FallbackToLogsOnError',
    ]),
    ...containerPortErrors(container['ports'], `${at}.ports`),
    ...envErrors(container['env'], `${at}.env`),
    ...envFromErrors(container['envFrom'], `${at}.envFrom`),
    ...mountErrors(container, pod.volumes, `${at}.volumeMounts`),
    ...deviceErrors(container, pod.volumes, `${at}.volumeDevices`),
    ...pullPolicyErrors(container['imagePullPolicy'], `${at}.imagePullPolicy`),
    ...requirementErrors(objectOf(container['resources']), `${at}.resources`),
    ...resizeErrors(container['resizePolicy'], pod.spec, `${at}.resizePolicy`),
    ...securityErrors(objectOf(securityContext), `${at}.securityContext`, pod.spec['hostUsers'] !== false),
  ];
}

function containerPortErrors(ports: Json | undefined, path: string): readonly FieldError[] {
  const names = new Set<string>();
  return objectsOf(ports).flatMap((port, index) => {
    const at = `${path}[${index}]`;
    const name = jsonTextOf(port['name']);
    const problems = name === '' ? [] : portNameProblems(name);
    const errors = problems.map((problem) => invalidValue(`${at}.name`, name, problem));
    if (problems.length === 0 && names.has(name)) errors.push(duplicateValue(`${at}.name`, name));
    else if (name !== '' && problems.length === 0) names.add(name);
    const number = port['containerPort'] ?? 0;
    if (number === 0) errors.push(required(`${at}.containerPort`));
    else errors.push(...portNumberErrors(number, `${at}.containerPort`));
    if (port['hostPort'] !== 0) errors.push(...portNumberErrors(port['hostPort'], `${at}.hostPort`));
    errors.push(...choiceErrors(port['protocol'], `${at}.protocol`, ['SCTP', 'TCP', 'UDP']));
    return errors;
  });
}

/** Returns the errors of ports of the host that two containers want. Source: kubernetes `AccumulateUniqueHostPorts`. */
function hostPortErrors(containers: readonly JsonObject[], path: string): readonly FieldError[] {
  const known = new Set<string>();
  return containers.flatMap(({ ports }, index) =>
    objectsOf(ports).flatMap(({ protocol, hostIP, hostPort = 0 }, number) => {
      if (hostPort === 0) return [];
      const text = `${jsonTextOf(protocol)}/${jsonTextOf(hostIP)}/${Number(hostPort)}`;
      const isKnown = known.has(text);
      known.add(text);
      return isKnown ? [duplicateValue(`${path}[${index}].ports[${number}].hostPort`, text)] : [];
    }),
  );
}

function resizeErrors(list: Json | undefined, spec: JsonObject, path: string): readonly FieldError[] {
  const known = new Set<Json>();
  return objectsOf(list).flatMap(({ resourceName: name = '', restartPolicy: policy = '' }, index) => {
    const isKnown = known.has(name);
    known.add(name);
    const one = (value: Json, choices: readonly string[]): readonly FieldError[] =>
      value === '' ? [required(path)] : choiceErrors(value, path, choices);
    return [
      ...(isKnown ? [duplicateValue(`${path}[${index}]`, name)] : []),
      ...one(name, ['cpu', 'memory']),
      ...one(policy, ['NotRequired', 'RestartContainer']),
      ...(spec['restartPolicy'] === 'Never' && policy !== 'NotRequired'
        ? [invalidValue(path, policy, "must be 'NotRequired' when pod `restartPolicy` is 'Never'")]
        : []),
    ];
  });
}

function mountErrors(
  container: JsonObject,
  volumes: ReadonlyMap<string, JsonObject>,
  path: string,
): readonly FieldError[] {
  const paths = new Set<string>();
  const devices = objectsOf(container['volumeDevices']);
  return objectsOf(container['volumeMounts']).flatMap((mount, index) => {
    const at = `${path}[${index}]`;
    const [name, where] = [jsonTextOf(mount['name']), jsonTextOf(mount['mountPath'])];
    const errors: FieldError[] = [];
    if (name === '') errors.push(required(`${at}.name`));
    if (!volumes.has(name)) errors.push(notFoundValue(`${at}.name`, name));
    if (where === '') errors.push(required(`${at}.mountPath`));
    if (paths.has(where)) errors.push(invalidValue(`${at}.mountPath`, where, 'must be unique'));
    paths.add(where);
    if (devices.some((device) => device['name'] === name))
      errors.push(invalidValue(`${at}.name`, name, 'must not already exist in volumeDevices'));
    if (devices.some((device) => device['devicePath'] === where))
      errors.push(
        invalidValue(`${at}.mountPath`, where, 'must not already exist as a path in volumeDevices'),
      );
    return [...errors, ...subPathErrors(mount, at, path), ...propagationErrors(mount, container, path)];
  });
}

const notFoundValue = (field: string, value: string): FieldError => ({
  type: 'FieldValueNotFound',
  field,
  body: `Not found: ${JSON.stringify(value)}`,
});

/** Returns the errors of the parts of volumes that are mounted. The server does not name the mount in the paths of most of these errors. */
function subPathErrors(
  { subPath, subPathExpr }: JsonObject,
  at: string,
  path: string,
): readonly FieldError[] {
  const [fixed, expression] = [jsonTextOf(subPath), jsonTextOf(subPathExpr)];
  return [
    ...localPathErrors(fixed, `${path}.subPath`),
    ...(fixed !== '' && expression !== ''
      ? [invalidValue(`${at}.subPathExpr`, expression, 'subPathExpr and subPath are mutually exclusive')]
      : []),
    ...localPathErrors(expression, `${path}.subPathExpr`),
  ];
}

function propagationErrors(mount: JsonObject, container: JsonObject, path: string): readonly FieldError[] {
  const { mountPropagation: propagation, recursiveReadOnly: recursive, readOnly } = mount;
  const errors = [
    ...choiceErrors(propagation, `${path}.mountPropagation`, ['Bidirectional', 'HostToContainer', 'None']),
  ];
  if (propagation === 'Bidirectional' && objectOf(container['securityContext'])['privileged'] !== true)
    errors.push(
      forbiddenValue(
        `${path}.mountPropagation`,
        'Bidirectional mount propagation is available only to privileged containers',
      ),
    );
  const field = `${path}.recursiveReadOnly`;
  if (recursive !== 'Enabled' && recursive !== 'IfPossible')
    return [...errors, ...choiceErrors(recursive, field, ['Disabled', 'Enabled', 'IfPossible'])];
  if (readOnly !== true) errors.push(forbiddenValue(field, 'may only be specified when readOnly is true'));
  if (propagation !== undefined && propagation !== 'None')
    errors.push(
      forbiddenValue(field, 'may only be specified when mountPropagation is None or not specified'),
    );
  return errors;
}

function deviceErrors(
  container: JsonObject,
  volumes: ReadonlyMap<string, JsonObject>,
  path: string,
): readonly FieldError[] {
  const mounts = objectsOf(container['volumeMounts']);
  const names = new Set<string>();
  const paths = new Set<string>();
  return objectsOf(container['volumeDevices']).flatMap((device, index) => {
    const at = `${path}[${index}]`;
    const [name, where] = [jsonTextOf(device['name']), jsonTextOf(device['devicePath'])];
    const volume = volumes.get(name);
    const errors: FieldError[] = [];
    if (name === '') errors.push(required(`${at}.name`));
    if (names.has(name)) errors.push(invalidValue(`${at}.name`, name, 'must be unique'));
    if (volume === undefined) errors.push(notFoundValue(`${at}.name`, name));
    else if (!isObject(volume['persistentVolumeClaim']) && !isObject(volume['ephemeral']))
      errors.push(
        invalidValue(
          `${at}.name`,
          name,
          'can only use volume source type of PersistentVolumeClaim or Ephemeral for block mode',
        ),
      );
    if (where === '') errors.push(required(`${at}.devicePath`));
    if (paths.has(where)) errors.push(invalidValue(`${at}.devicePath`, where, 'must be unique'));
    if (backstepErrors(where, '').length > 0)
      errors.push(invalidValue(`${at}.devicePath`, where, "can not contain backsteps ('..')"));
    else paths.add(where);
    if (mounts.some((mount) => mount['name'] === name))
      errors.push(invalidValue(`${at}.name`, name, 'must not already exist in volumeMounts'));
    if (mounts.some((mount) => mount['mountPath'] === where))
      errors.push(
        invalidValue(`${at}.devicePath`, where, 'must not already exist as a path in volumeMounts'),
      );
    if (name !== '') names.add(name);
    return errors;
  });
}

/** Returns the errors of variables from files of volumes that cannot hold them. Source: kubernetes `validateFileKeyRefVolumes`. */
export function fileVolumeErrors({ spec, path }: PodParts): readonly FieldError[] {
  const volumes = new Map(objectsOf(spec['volumes']).map((volume) => [volume['name'] ?? '', volume]));
  return ['initContainers', 'containers'].flatMap((list) =>
    objectsOf(spec[list]).flatMap(({ env }, index) =>
      listOf(env).flatMap((variable, number) => {
        const file = objectOf(objectOf(variable)['valueFrom'])['fileKeyRef'];
        if (!isObject(file)) return [];
        const name = jsonTextOf(file['volumeName']);
        const field = `${path}.${list}[${index}].env[${number}].valueFrom.fileKeyRef.volumeName`;
        const volume = volumes.get(name);
        if (volume === undefined) return [notFoundValue(field, name)];
        return isObject(volume['emptyDir'])
          ? []
          : [invalidValue(field, name, 'referenced volume must be of type emptyDir')];
      }),
    ),
  );
}
