import {
  duplicateValue,
  forbiddenValue,
  invalidValue,
  isObject,
  listOf,
  objectOf,
  required,
  subdomainProblems,
  type FieldError,
  type Json,
  type JsonObject,
} from '../../../../kubernetes/objects/index.ts';
import { jsonTextOf } from '../../../../base/util/json-map.ts';
import { milliValue } from '../../../../base/util/quantity.ts';
import {
  nameErrors,
  nonNegativeFields,
  objectsOf,
  choiceErrors,
  portErrors,
  portNameProblems,
  portNumberErrors,
} from './checks.ts';

const probes = ['livenessProbe', 'readinessProbe', 'startupProbe'] as const;

/** Returns the errors of the containers of a Pod. Source: kubernetes `validateContainers`. */
export function containerErrors(
  spec: JsonObject,
  volumes: ReadonlySet<string>,
  path: string,
): readonly FieldError[] {
  const containers = objectsOf(spec['containers']);
  if (containers.length === 0) return [required(`${path}.containers`)];
  const names = new Set<Json>();
  return containers.flatMap((container, index) => {
    const at = `${path}.containers[${index}]`;
    const { name = '' } = container;
    const errors = [
      ...commonErrors(container, volumes, at),
      ...(names.has(name) ? [duplicateValue(`${at}.name`, name)] : []),
      ...lifecycleErrors(container['lifecycle'], `${at}.lifecycle`),
      ...probes.flatMap((probe) => probeErrors(probe, container[probe], `${at}.${probe}`)),
    ];
    names.add(name);
    return errors;
  });
}

/** Returns the errors of the init containers of a Pod. Source: kubernetes `validateInitContainers`. */
export function initContainerErrors(
  spec: JsonObject,
  volumes: ReadonlySet<string>,
  path: string,
): readonly FieldError[] {
  const names = new Set(objectsOf(spec['containers']).map(({ name = '' }) => name));
  return objectsOf(spec['initContainers']).flatMap((container, index) => {
    const at = `${path}.initContainers[${index}]`;
    const { name = '', restartPolicy, lifecycle } = container;
    const errors = [
      ...commonErrors(container, volumes, at),
      ...choiceErrors(restartPolicy, `${at}.restartPolicy`, ['Always', 'Never', 'OnFailure']),
      ...(names.has(name) ? [duplicateValue(`${at}.name`, name)] : []),
    ];
    if (name !== '') names.add(name);
    if (restartPolicy === 'Always')
      errors.push(
        ...lifecycleErrors(lifecycle, `${at}.lifecycle`),
        ...probes.flatMap((probe) => probeErrors(probe, container[probe], `${at}.${probe}`)),
      );
    else
      for (const field of ['lifecycle', ...probes])
        if (container[field] !== undefined)
          errors.push(
            forbiddenValue(
              `${at}.${field}`,
              'may not be set for init containers without restartPolicy=Always',
            ),
          );
    return errors;
  });
}

function commonErrors(
  container: JsonObject,
  volumes: ReadonlySet<string>,
  at: string,
): readonly FieldError[] {
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
    ...mountErrors(container['volumeMounts'], volumes, `${at}.volumeMounts`),
    ...choiceErrors(container['imagePullPolicy'], `${at}.imagePullPolicy`, [
      'Always',
      'IfNotPresent',
      'Never',
    ]),
    ...resourceErrors(objectOf(container['resources']), `${at}.resources`),
    ...securityErrors(objectOf(securityContext), `${at}.securityContext`),
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
    errors.push(...portNumberErrors(port['hostPort'], `${at}.hostPort`));
    errors.push(...choiceErrors(port['protocol'], `${at}.protocol`, ['SCTP', 'TCP', 'UDP']));
    return errors;
  });
}

const variableProblem =
  "a valid environment variable name must consist only of printable ASCII characters other than '='";

function envErrors(env: Json | undefined, path: string): readonly FieldError[] {
  return objectsOf(env).flatMap((variable, index) => {
    const at = `${path}[${index}]`;
    const name = jsonTextOf(variable['name']);
    const errors: FieldError[] = [];
    if (name === '') errors.push(required(`${at}.name`));
    else if (!/^[ -<>-~]+$/.test(name)) errors.push(invalidValue(`${at}.name`, name, variableProblem));
    const source = variable['valueFrom'];
    if (!isObject(source)) return errors;
    for (const kind of ['configMapKeyRef', 'secretKeyRef']) {
      const reference = source[kind];
      if (!isObject(reference)) continue;
      const key = jsonTextOf(reference['key']);
      errors.push(
        ...subdomainProblems(jsonTextOf(reference['name'])).map((problem) =>
          invalidValue(`${at}.valueFrom.${kind}.name`, reference['name'] ?? '', problem),
        ),
      );
      if (key === '') errors.push(required(`${at}.valueFrom.${kind}.key`));
    }
    const count = Object.keys(source).length;
    if (count === 0)
      errors.push(
        invalidValue(
          `${at}.valueFrom`,
          '',
          'must specify one of: `fieldRef`, `resourceFieldRef`, `configMapKeyRef`, `secretKeyRef` or `fileKeyRef`',
        ),
      );
    else if (jsonTextOf(variable['value']) !== '')
      errors.push(invalidValue(`${at}.valueFrom`, '', 'may not be specified when `value` is not empty'));
    else if (count > 1)
      errors.push(
        invalidValue(`${at}.valueFrom`, '', 'may not have more than one field specified at a time'),
      );
    return errors;
  });
}

function envFromErrors(list: Json | undefined, path: string): readonly FieldError[] {
  return objectsOf(list).flatMap((source, index) => {
    const errors: FieldError[] = [];
    let count = 0;
    for (const kind of ['configMapRef', 'secretRef']) {
      const reference = source[kind];
      if (!isObject(reference)) continue;
      count += 1;
      for (const problem of subdomainProblems(jsonTextOf(reference['name'])))
        errors.push(invalidValue(`${path}[${index}].${kind}.name`, reference['name'] ?? '', problem));
    }
    if (count === 0)
      errors.push(invalidValue(path, '', 'must specify one of: `configMapRef` or `secretRef`'));
    if (count > 1)
      errors.push(invalidValue(path, '', 'may not have more than one field specified at a time'));
    return errors;
  });
}

function mountErrors(
  mounts: Json | undefined,
  volumes: ReadonlySet<string>,
  path: string,
): readonly FieldError[] {
  const paths = new Set<string>();
  return objectsOf(mounts).flatMap((mount, index) => {
    const at = `${path}[${index}]`;
    const [name, where] = [jsonTextOf(mount['name']), jsonTextOf(mount['mountPath'])];
    const errors: FieldError[] = [];
    if (name === '') errors.push(required(`${at}.name`));
    if (!volumes.has(name))
      errors.push({
        type: 'FieldValueNotFound',
        field: `${at}.name`,
        body: `Not found: ${JSON.stringify(name)}`,
      });
    if (where === '') errors.push(required(`${at}.mountPath`));
    if (paths.has(where)) errors.push(invalidValue(`${at}.mountPath`, where, 'must be unique'));
    paths.add(where);
    const subPath = jsonTextOf(mount['subPath']);
    if (subPath.startsWith('/'))
      errors.push(invalidValue(`${path}.subPath`, subPath, 'must be a relative path'));
    if (subPath.split('/').includes('..'))
      errors.push(invalidValue(`${path}.subPath`, subPath, "must not contain '..'"));
    return errors;
  });
}

const standardResources = /^(?:cpu|memory|ephemeral-storage|hugepages-.+)$/;

function resourceErrors({ limits, requests }: JsonObject, path: string): readonly FieldError[] {
  const errors: FieldError[] = [];
  for (const [part, amounts] of Object.entries({ limits, requests }))
    for (const [name, amount] of Object.entries(objectOf(amounts))) {
      const field = `${path}.${part}[${name}]`;
      if (!name.includes('/') && !standardResources.test(name))
        errors.push(
          invalidValue(field, name, 'must be a standard resource type or fully qualified'),
          invalidValue(field, name, 'must be a standard resource for containers'),
        );
      const text = jsonTextOf(amount);
      if (milliValue(text) < 0n) errors.push(invalidValue(field, text, 'must be greater than or equal to 0'));
      const limit = part === 'requests' ? objectOf(limits)[name] : undefined;
      if (part === 'requests' && limit === undefined && name.includes('/'))
        errors.push(required(`${path}.limits`, 'Limit must be set for non overcommitable resources'));
      if (limit === undefined) continue;
      const [wanted, most] = [milliValue(text), milliValue(jsonTextOf(limit))];
      if (name.includes('/') && wanted !== most)
        errors.push(
          invalidValue(`${path}.requests`, text, `must be equal to ${name} limit of ${jsonTextOf(limit)}`),
        );
      else if (wanted > most)
        errors.push(
          invalidValue(
            `${path}.requests`,
            text,
            `must be less than or equal to ${name} limit of ${jsonTextOf(limit)}`,
          ),
        );
    }
  return errors;
}

function securityErrors(context: JsonObject, path: string): readonly FieldError[] {
  const errors: FieldError[] = [];
  for (const name of ['runAsUser', 'runAsGroup']) {
    const value = context[name];
    if (typeof value === 'number' && (value < 0 || value > 2_147_483_647))
      errors.push(invalidValue(`${path}.${name}`, value, 'must be between 0 and 2147483647, inclusive'));
  }
  if (context['allowPrivilegeEscalation'] === false && context['privileged'] === true)
    errors.push(
      invalidValue(path, context, 'cannot set `allowPrivilegeEscalation` to false and `privileged` to true'),
    );
  return errors;
}

function lifecycleErrors(lifecycle: Json | undefined, path: string): readonly FieldError[] {
  if (!isObject(lifecycle)) return [];
  return ['postStart', 'preStop'].flatMap((name) => {
    const handler = lifecycle[name];
    return isObject(handler) ? handlerErrors(handler, `${path}.${name}`) : [];
  });
}

function probeErrors(
  kind: (typeof probes)[number],
  probe: Json | undefined,
  path: string,
): readonly FieldError[] {
  if (!isObject(probe)) return [];
  const { terminationGracePeriodSeconds: grace, successThreshold } = probe;
  const errors = [
    ...handlerErrors(probe, path),
    ...nonNegativeFields(
      probe,
      path,
      ...['initialDelaySeconds', 'timeoutSeconds', 'periodSeconds', 'successThreshold', 'failureThreshold'],
    ),
  ];
  const graceField = `${path}.terminationGracePeriodSeconds`;
  if (typeof grace === 'number' && grace <= 0)
    errors.push(invalidValue(graceField, grace, 'must be greater than 0'));
  if (kind !== 'readinessProbe' && successThreshold !== 1)
    errors.push(invalidValue(`${path}.successThreshold`, successThreshold ?? 0, 'must be 1'));
  if (kind === 'readinessProbe' && grace !== undefined)
    errors.push(invalidValue(graceField, grace, 'must not be set for readinessProbes'));
  return errors;
}

const handlers = ['exec', 'httpGet', 'tcpSocket', 'grpc', 'sleep'] as const;

function handlerErrors(holder: JsonObject, path: string): readonly FieldError[] {
  const found = handlers.filter((name) => isObject(holder[name]));
  if (found.length === 0) return [required(path, 'must specify a handler type')];
  return found.flatMap((name, index): readonly FieldError[] => {
    const at = `${path}.${name}`;
    if (index > 0) return [forbiddenValue(at, 'may not specify more than 1 handler type')];
    const handler = objectOf(holder[name]);
    if (name === 'exec') return listOf(handler['command']).length === 0 ? [required(`${at}.command`)] : [];
    if (name === 'httpGet')
      return [
        ...portErrors(handler['port'], `${at}.port`),
        ...choiceErrors(handler['scheme'], `${at}.scheme`, ['HTTP', 'HTTPS']),
      ];
    if (name === 'tcpSocket') return portErrors(handler['port'], `${at}.port`);
    return name === 'grpc' ? portNumberErrors(handler['port'] ?? 0, `${at}.port`) : [];
  });
}
