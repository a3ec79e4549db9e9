import {
  invalidValue,
  required,
  type FieldError,
  isObject,
  listOf,
  objectOf,
  type Json,
  type JsonObject,
  labelErrors,
  labelProblems,
} from '../../../../kubernetes/objects/index.ts';
import { jsonTextOf } from '../../../../base/util/json-map.ts';
import { dropEmpty, ensureObject, setDefaults } from '../served-kind.ts';

/** Applies the API server's defaults to a pod template, in place. Source: kubernetes `pkg/apis/core/v1/defaults.go`. */
export function normalizeTemplate(template: JsonObject): void {
  ensureObject(template, 'metadata');
  dropEmpty(template, 'metadata.labels', 'metadata.annotations');
  const spec = ensureObject(template, 'spec');
  normalizePodSpec(spec);
}

function normalizePodSpec(spec: JsonObject): void {
  dropEmpty(
    spec,
    'volumes',
    'initContainers',
    'nodeSelector',
    'serviceAccountName',
    'imagePullSecrets',
    'tolerations',
    'hostAliases',
  );
  setDefaults(spec, {
    dnsPolicy: 'ClusterFirst',
    restartPolicy: 'Always',
    securityContext: {},
    terminationGracePeriodSeconds: 30,
    schedulerName: 'default-scheduler',
  });
  // `serviceAccount` is the older name of `serviceAccountName`, so both fields get the same value.
  if (spec['serviceAccountName'] !== undefined) spec['serviceAccount'] = spec['serviceAccountName'];
  for (const list of ['containers', 'initContainers'])
    for (const container of listOf(spec[list]).filter(isObject)) normalizeContainer(container);
  for (const volume of listOf(spec['volumes']).filter(isObject)) normalizeVolume(volume);
}

function normalizeContainer(container: JsonObject): void {
  dropEmpty(
    container,
    'args',
    'command',
    'ports',
    'env',
    'envFrom',
    'volumeMounts',
    'resources.limits',
    'resources.requests',
    'env.[].value',
  );
  const image = jsonTextOf(container['image']);
  setDefaults(container, {
    resources: {},
    terminationMessagePath: '/dev/termination-log',
    terminationMessagePolicy: 'File',
    imagePullPolicy: tagOf(image) === 'latest' ? 'Always' : 'IfNotPresent',
  });
  for (const port of listOf(container['ports']).filter(isObject)) setDefaults(port, { protocol: 'TCP' });
  for (const variable of listOf(container['env']).filter(isObject)) {
    const reference = objectOf(variable['valueFrom'])['fieldRef'];
    if (isObject(reference)) setDefaults(reference, { apiVersion: 'v1' });
  }
  for (const probe of ['livenessProbe', 'readinessProbe', 'startupProbe']) {
    const found = container[probe];
    if (!isObject(found)) continue;
    setDefaults(found, { timeoutSeconds: 1, periodSeconds: 10, successThreshold: 1, failureThreshold: 3 });
    if (isObject(found['httpGet'])) setDefaults(found['httpGet'], { path: '/', scheme: 'HTTP' });
  }
  const quantities = objectOf(container['resources']);
  for (const part of ['limits', 'requests'])
    for (const [name, value] of Object.entries(objectOf(quantities[part])))
      if (typeof value === 'number') objectOf(quantities[part])[name] = String(value);
}

/** Returns the tag of an image: empty if the image has a digest, `latest` if it has neither tag nor digest. */
function tagOf(image: string): string {
  if (image.includes('@')) return '';
  return /:([^/:]+)$/.exec(image)?.[1] ?? 'latest';
}

function normalizeVolume(volume: JsonObject): void {
  for (const source of ['secret', 'configMap', 'projected', 'downwardAPI']) {
    const found = volume[source];
    if (isObject(found)) setDefaults(found, { defaultMode: 420 });
  }
  const host = volume['hostPath'];
  if (isObject(host)) setDefaults(host, { type: '' });
  if (Object.keys(volume).length === 1) volume['emptyDir'] = {};
}

/** Reports mistakes that are common in pod templates of tests. Only a real API server finds other mistakes. */
export function templateErrors(template: JsonObject, path: string): readonly FieldError[] {
  const spec = objectOf(template['spec']);
  const containers = listOf(spec['containers']).filter(isObject);
  const errors: FieldError[] = [...labelErrors(objectOf(template['metadata'])['labels'], `${path}.labels`)];
  if (containers.length === 0) errors.push(required(`${path}.spec.containers`));
  const seen = new Set<Json>();
  for (const [index, container] of containers.entries()) {
    const at = `${path}.spec.containers[${index}]`;
    const { name = '' } = container;
    if (name === '') errors.push(required(`${at}.name`));
    else {
      for (const problem of labelProblems(jsonTextOf(name)))
        errors.push(invalidValue(`${at}.name`, name, problem));
      if (seen.has(name))
        errors.push({
          type: 'FieldValueDuplicate',
          field: `${at}.name`,
          body: `Duplicate value: ${JSON.stringify(name)}`,
        });
      seen.add(name);
    }
    if (jsonTextOf(container['image']) === '') errors.push(required(`${at}.image`));
  }
  return errors;
}
