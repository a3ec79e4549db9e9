import {
  invalidValue,
  isObject,
  labelProblems,
  objectOf,
  qualifiedNameProblems,
  required,
  subdomainProblems,
  unsupportedValue,
  type FieldError,
  type Json,
  type JsonObject,
} from '../../../../kubernetes/objects/index.ts';
import { jsonTextOf } from '../../../../base/util/json-map.ts';
import { configKeyProblems, nameErrors, objectsOf, problemErrors } from './checks.ts';
import { backstepErrors } from './volume-sources.ts';

const variableProblem =
  "a valid environment variable name must consist only of printable ASCII characters other than '='";

const variableProblems = (name: string): readonly string[] =>
  /^[ -<>-~]*$/.test(name) ? [] : [variableProblem];

/** Returns the errors of the variables of a container. Source: kubernetes `ValidateEnv`. */
export function envErrors(env: Json | undefined, path: string): readonly FieldError[] {
  return objectsOf(env).flatMap((variable, index) => {
    const at = `${path}[${index}]`;
    const { name } = variable;
    return [
      ...(jsonTextOf(name) === ''
        ? [required(`${at}.name`)]
        : nameErrors(name, `${at}.name`, variableProblems)),
      ...sourceErrors(variable, `${at}.valueFrom`),
    ];
  });
}

const sources: Readonly<Record<string, (source: JsonObject, at: string) => readonly FieldError[]>> = {
  fieldRef: (source, at) => fieldReferenceErrors(source, at, fieldsOfVariables),
  resourceFieldRef: (source, at) => resourceReferenceErrors(source, at, false),
  configMapKeyRef: keyErrors,
  secretKeyRef: keyErrors,
  fileKeyRef: fileErrors,
};

function sourceErrors({ value, valueFrom }: JsonObject, at: string): readonly FieldError[] {
  if (!isObject(valueFrom)) return [];
  const present = Object.keys(sources).filter((name) => isObject(valueFrom[name]));
  const errors = present.flatMap((name) => sources[name]?.(objectOf(valueFrom[name]), `${at}.${name}`) ?? []);
  if (present.length === 0)
    errors.push(
      invalidValue(
        at,
        '',
        'must specify one of: `fieldRef`, `resourceFieldRef`, `configMapKeyRef`, `secretKeyRef` or `fileKeyRef`',
      ),
    );
  else if (jsonTextOf(value) !== '')
    errors.push(invalidValue(at, '', 'may not be specified when `value` is not empty'));
  else if (present.length > 1)
    errors.push(invalidValue(at, '', 'may not have more than one field specified at a time'));
  return errors;
}

function keyErrors({ name = '', key }: JsonObject, at: string): readonly FieldError[] {
  return [
    ...problemErrors(name, `${at}.name`, subdomainProblems),
    ...(jsonTextOf(key) === '' ? [required(`${at}.key`)] : nameErrors(key, `${at}.key`, configKeyProblems)),
  ];
}

function fileErrors({ key, volumeName, path }: JsonObject, at: string): readonly FieldError[] {
  return [
    ...(jsonTextOf(key) === '' ? [required(`${at}.key`)] : nameErrors(key, `${at}.key`, variableProblems)),
    ...(jsonTextOf(volumeName) === ''
      ? [required(`${at}.volumeName`)]
      : nameErrors(volumeName, `${at}.volumeName`, labelProblems)),
    ...(jsonTextOf(path) === '' ? [required(`${at}.path`)] : backstepErrors(path, `${at}.path`)),
  ];
}

/** Returns the errors of the sources of variables of a container. Source: kubernetes `ValidateEnvFrom`. */
export function envFromErrors(list: Json | undefined, path: string): readonly FieldError[] {
  return objectsOf(list).flatMap((source, index) => {
    const at = `${path}[${index}]`;
    const present = ['configMapRef', 'secretRef'].filter((name) => isObject(source[name]));
    const errors = [...nameErrors(source['prefix'], `${at}.prefix`, variableProblems)];
    for (const kind of present) {
      const { name } = objectOf(source[kind]);
      const field = `${at}.${kind}.name`;
      if (jsonTextOf(name) === '') errors.push(required(field));
      else
        errors.push(
          ...subdomainProblems(jsonTextOf(name).replace(/-$/, 'a')).map((problem) =>
            invalidValue(field, name ?? '', problem),
          ),
        );
    }
    if (present.length === 0)
      errors.push(invalidValue(path, '', 'must specify one of: `configMapRef` or `secretRef`'));
    if (present.length > 1)
      errors.push(invalidValue(path, '', 'may not have more than one field specified at a time'));
    return errors;
  });
}

const fieldsOfVariables = [
  ...['metadata.name', 'metadata.namespace', 'metadata.uid', 'spec.nodeName', 'spec.serviceAccountName'],
  ...['status.hostIP', 'status.hostIPs', 'status.podIP', 'status.podIPs'],
];

/** Fields of a Pod that files of a volume may hold. */
export const fieldsOfFiles = [
  ...['metadata.annotations', 'metadata.labels', 'metadata.name', 'metadata.namespace', 'metadata.uid'],
];

/** Fields of a Pod that the server knows, although not every reference may name them. */
const knownFields = new Set([
  ...fieldsOfVariables,
  ...fieldsOfFiles,
  ...['spec.host', 'spec.restartPolicy', 'spec.schedulerName', 'status.phase'],
]);

/** Returns the errors of a reference to a field of the Pod. Source: kubernetes `validateObjectFieldSelector`. */
export function fieldReferenceErrors(
  reference: JsonObject,
  at: string,
  allowed: readonly string[],
): readonly FieldError[] {
  const [version, field] = [jsonTextOf(reference['apiVersion']), jsonTextOf(reference['fieldPath'])];
  if (version === '') return [required(`${at}.apiVersion`)];
  if (field === '') return [required(`${at}.fieldPath`)];
  const [, path = '', subscript] = /^([\s\S]+?)\['([\s\S]*)'\]$/.exec(field) ?? [];
  const isMap = path === 'metadata.annotations' || path === 'metadata.labels';
  const problem =
    version !== 'v1'
      ? `unsupported pod version: ${version}`
      : subscript !== undefined
        ? isMap
          ? undefined
          : `field label does not support subscript: ${field}`
        : knownFields.has(field)
          ? undefined
          : `field label not supported: ${field}`;
  if (problem !== undefined)
    return [invalidValue(`${at}.fieldPath`, field, `error converting fieldPath: ${problem}`)];
  if (subscript !== undefined)
    return problemErrors(
      path === 'metadata.annotations' ? subscript.toLowerCase() : subscript,
      at,
      qualifiedNameProblems,
    );
  const converted = field === 'spec.host' ? 'spec.nodeName' : field;
  return allowed.includes(converted) ? [] : [unsupportedValue(`${at}.fieldPath`, converted, allowed)];
}

const resourceFields = [
  ...['limits.cpu', 'limits.ephemeral-storage', 'limits.memory', 'requests.cpu'],
  ...['requests.ephemeral-storage', 'requests.memory'],
];

const divisors = ['1', '1k', '1M', '1G', '1T', '1P', '1E', '1Ki', '1Mi', '1Gi', '1Ti', '1Pi', '1Ei'];

/** Returns the errors of a reference to an amount of a container. Source: kubernetes `validateContainerResourceFieldSelector`. */
export function resourceReferenceErrors(
  reference: JsonObject,
  at: string,
  needsContainer: boolean,
): readonly FieldError[] {
  const [container, resource, divisor] = ['containerName', 'resource', 'divisor'].map((name) =>
    jsonTextOf(reference[name]),
  ) as [string, string, string];
  const isHuge = /^(?:requests|limits)\.hugepages-/.test(resource);
  const errors: FieldError[] = [];
  if (needsContainer && container === '') errors.push(required(`${at}.containerName`));
  else if (resource === '') errors.push(required(`${at}.resource`));
  else if (!resourceFields.includes(resource) && !isHuge)
    errors.push(unsupportedValue(`${at}.resource`, resource, resourceFields));
  if (divisor === '' || divisor === '0') return errors;
  const name = resource.replace(/^(?:requests|limits)\./, '');
  const field = `${at}.divisor`;
  const all = `only divisor's values ${divisors.join(', ')} are supported with the`;
  if (resourceFields.includes(resource) && name === 'cpu') {
    if (divisor !== '1m' && divisor !== '1')
      errors.push(
        invalidValue(field, resource, "only divisor's values 1m and 1 are supported with the cpu resource"),
      );
  } else if ((resourceFields.includes(resource) || isHuge) && !divisors.includes(divisor)) {
    const shown = isHuge ? 'hugepages' : name === 'memory' ? 'memory' : 'local ephemeral storage';
    errors.push(invalidValue(field, resource, `${all} ${shown} resource`));
  }
  return errors;
}
