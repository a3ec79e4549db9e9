import {
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
import { choiceErrors, nonNegativeFields, objectsOf, portErrors, problemErrors } from './checks.ts';

/** Names of the probes of a container. */
export const probes = ['livenessProbe', 'readinessProbe', 'startupProbe'] as const;

/** Returns the errors of the hooks of a container. Source: kubernetes `validateLifecycle`. */
export function lifecycleErrors(
  lifecycle: Json | undefined,
  path: string,
  grace: number,
): readonly FieldError[] {
  if (!isObject(lifecycle)) return [];
  return ['postStart', 'preStop'].flatMap((name) => {
    const handler = lifecycle[name];
    return isObject(handler) ? handlerErrors(handler, `${path}.${name}`, grace, 'sleep') : [];
  });
}

/** Returns the errors of a probe of a container. Source: kubernetes `validateProbe`. */
export function probeErrors(
  kind: (typeof probes)[number],
  probe: Json | undefined,
  path: string,
  grace: number,
): readonly FieldError[] {
  if (!isObject(probe)) return [];
  const { terminationGracePeriodSeconds: own, successThreshold } = probe;
  const errors = [
    ...handlerErrors(probe, path, grace, 'grpc'),
    ...nonNegativeFields(
      probe,
      path,
      ...['initialDelaySeconds', 'timeoutSeconds', 'periodSeconds', 'successThreshold', 'failureThreshold'],
    ),
  ];
  const graceField = `${path}.terminationGracePeriodSeconds`;
  if (typeof own === 'number' && own <= 0)
    errors.push(invalidValue(graceField, own, 'must be greater than 0'));
  if (kind !== 'readinessProbe' && successThreshold !== 1)
    errors.push(invalidValue(`${path}.successThreshold`, successThreshold ?? 0, 'must be 1'));
  if (kind === 'readinessProbe' && own !== undefined)
    errors.push(invalidValue(graceField, own, 'must not be set for readinessProbes'));
  return errors;
}

const headerProblem =
  "a valid HTTP header must consist of alphanumeric characters or '-' (e.g. 'X-Header-Name', regex used for validation is '[-A-Za-z0-9]+')";

function httpErrors(action: JsonObject, at: string): readonly FieldError[] {
  return [
    ...(jsonTextOf(action['path']) === '' ? [required(`${at}.path`)] : []),
    ...portErrors(action['port'], `${at}.port`),
    ...choiceErrors(action['scheme'], `${at}.scheme`, ['HTTP', 'HTTPS']),
    ...objectsOf(action['httpHeaders']).flatMap(({ name = '' }) =>
      problemErrors(name, `${at}.httpHeaders`, (text) =>
        /^[-A-Za-z0-9]+$/.test(text) ? [] : [headerProblem],
      ),
    ),
  ];
}

function handlerErrors(
  holder: JsonObject,
  path: string,
  grace: number,
  last: 'grpc' | 'sleep',
): readonly FieldError[] {
  const found = ['exec', 'httpGet', 'tcpSocket', last].filter((name) => isObject(holder[name]));
  if (found.length === 0) return [required(path, 'must specify a handler type')];
  return found.flatMap((name, index): readonly FieldError[] => {
    const at = `${path}.${name}`;
    if (index > 0) return [forbiddenValue(at, 'may not specify more than 1 handler type')];
    const handler = objectOf(holder[name]);
    if (name === 'exec') return listOf(handler['command']).length === 0 ? [required(`${at}.command`)] : [];
    if (name === 'httpGet') return httpErrors(handler, at);
    if (name === 'sleep') return sleepErrors(Number(handler['seconds'] ?? 0), at, grace);
    return portErrors(handler['port'], `${at}.port`);
  });
}

function sleepErrors(seconds: number, at: string, grace: number): readonly FieldError[] {
  return seconds < 0 || seconds > grace
    ? [
        invalidValue(
          at,
          seconds,
          `must be non-negative and less than terminationGracePeriodSeconds (${grace})`,
        ),
      ]
    : [];
}
