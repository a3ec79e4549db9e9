import {
  isObject,
  listOf,
  objectOf,
  type Json,
  type JsonObject,
} from '../../../../kubernetes/objects/index.ts';
import { jsonTextOf } from '../../../../base/util/json-map.ts';
import { setDefaults } from '../served-kind.ts';
import { objectsOf } from './checks.ts';

/** Applies the API server's defaults to a pod template, in place. Source: kubernetes `pkg/apis/core/v1/defaults.go`. */
export function normalizeTemplate(template: Json | undefined): void {
  if (isObject(template)) normalizePodSpec(objectOf(template['spec']));
}

/** Applies the API server's defaults to the spec of a Pod or of a template, in place. */
export function normalizePodSpec(spec: JsonObject): void {
  setDefaults(spec, {
    dnsPolicy: 'ClusterFirst',
    restartPolicy: 'Always',
    securityContext: {},
    terminationGracePeriodSeconds: 30,
    schedulerName: 'default-scheduler',
  });
  // `serviceAccount` is the older name of `serviceAccountName`, so both fields get the same value.
  const account = spec['serviceAccountName'] ?? spec['serviceAccount'];
  if (account !== undefined) spec['serviceAccountName'] = spec['serviceAccount'] = account;
  for (const list of ['containers', 'initContainers', 'ephemeralContainers'])
    for (const container of objectsOf(spec[list])) normalizeContainer(container);
  for (const volume of objectsOf(spec['volumes'])) normalizeVolume(volume);
}

function normalizeContainer(container: JsonObject): void {
  setDefaults(container, {
    terminationMessagePath: '/dev/termination-log',
    terminationMessagePolicy: 'File',
    imagePullPolicy: pullPolicy(container['image']),
  });
  for (const port of objectsOf(container['ports'])) setDefaults(port, { protocol: 'TCP' });
  for (const variable of objectsOf(container['env'])) {
    const { fieldRef, fileKeyRef } = objectOf(variable['valueFrom']);
    if (isObject(fieldRef)) setDefaults(fieldRef, { apiVersion: 'v1' });
    if (isObject(fileKeyRef)) setDefaults(fileKeyRef, { optional: false });
  }
  const { postStart, preStop } = objectOf(container['lifecycle']);
  for (const handler of [postStart, preStop]) normalizeHandler(objectOf(handler));
  for (const name of ['livenessProbe', 'readinessProbe', 'startupProbe']) {
    const probe = container[name];
    if (!isObject(probe)) continue;
    setDefaults(probe, { timeoutSeconds: 1, periodSeconds: 10, successThreshold: 1, failureThreshold: 3 });
    normalizeHandler(probe);
  }
}

function normalizeHandler({ httpGet, grpc }: JsonObject): void {
  if (isObject(httpGet)) setDefaults(httpGet, { path: '/', scheme: 'HTTP' });
  if (isObject(grpc)) setDefaults(grpc, { service: '' });
}

const pullPolicy = (image: Json | undefined): string =>
  tagOf(jsonTextOf(image)) === 'latest' ? 'Always' : 'IfNotPresent';

const nameOfImage =
  /^(?:[a-zA-Z0-9](?:[a-zA-Z0-9.-]*[a-zA-Z0-9])?(?::\d+)?\/)?[a-z0-9]+(?:(?:\.|_|__|-+)[a-z0-9]+)*(?:\/[a-z0-9]+(?:(?:\.|_|__|-+)[a-z0-9]+)*)*(?::(\w[\w.-]{0,127}))?$/;

/** Returns the tag of an image: `latest` if the image has none, empty if it has a digest, or is not valid. */
function tagOf(image: string): string {
  const found = nameOfImage.exec(image);
  const isLong = !image.includes('/') && image.length > 255 - 'library/'.length;
  return found === null || isLong ? '' : (found[1] ?? 'latest');
}

function normalizeVolume(volume: JsonObject): void {
  for (const source of ['secret', 'configMap', 'projected', 'downwardAPI']) {
    const found = volume[source];
    if (isObject(found)) setDefaults(found, { defaultMode: 420 });
  }
  const { hostPath, ephemeral, image, projected, downwardAPI, rbd, iscsi, azureDisk, scaleIO } = volume;
  for (const source of objectsOf(objectOf(projected)['sources'])) {
    if (isObject(source['serviceAccountToken']))
      setDefaults(source['serviceAccountToken'], { expirationSeconds: 3600 });
    normalizeItems(objectOf(source['downwardAPI'])['items']);
  }
  normalizeItems(objectOf(downwardAPI)['items']);
  if (isObject(hostPath)) setDefaults(hostPath, { type: '' });
  if (isObject(rbd)) setDefaults(rbd, { pool: 'rbd', user: 'admin', keyring: '/etc/ceph/keyring' });
  if (isObject(iscsi)) setDefaults(iscsi, { iscsiInterface: 'default' });
  if (isObject(scaleIO)) setDefaults(scaleIO, { storageMode: 'ThinProvisioned', fsType: 'xfs' });
  if (isObject(azureDisk))
    setDefaults(azureDisk, { cachingMode: 'ReadWrite', fsType: 'ext4', readOnly: false, kind: 'Shared' });
  if (isObject(image)) setDefaults(image, { pullPolicy: pullPolicy(image['reference']) });
  const claim = objectOf(ephemeral)['volumeClaimTemplate'];
  if (isObject(claim)) setDefaults(objectOf(claim['spec']), { volumeMode: 'Filesystem' });
  if (Object.keys(volume).filter((name) => name !== 'name').length === 0) volume['emptyDir'] = {};
}

function normalizeItems(items: Json | undefined): void {
  for (const { fieldRef } of objectsOf(items))
    if (isObject(fieldRef)) setDefaults(fieldRef, { apiVersion: 'v1' });
}

/** Applies the defaults that only Pods have, not templates of Pods: requests from limits, ports of the host. */
export function normalizePodAlone(spec: JsonObject): void {
  const { terminationGracePeriodSeconds: grace, hostNetwork } = spec;
  if (typeof grace === 'number' && grace < 0) spec['terminationGracePeriodSeconds'] = 1;
  setDefaults(spec, { enableServiceLinks: true });
  for (const container of [...listOf(spec['containers']), ...listOf(spec['initContainers'])].map(objectOf)) {
    const resources = objectOf(container['resources']);
    if (isObject(resources['limits']))
      resources['requests'] = { ...resources['limits'], ...objectOf(resources['requests']) };
    if (hostNetwork === true)
      for (const port of objectsOf(container['ports']))
        setDefaults(port, { hostPort: port['containerPort'] ?? 0 });
  }
}

/** Removes the fields of features that the server does not have by default, in place. */
export function dropDisabled(spec: JsonObject): void {
  for (const name of ['evictionResponders', 'schedulingGroup']) delete spec[name];
  const sources = objectsOf(spec['volumes']).flatMap((volume) => {
    delete objectOf(volume['emptyDir'])['mode'];
    const own = ['secret', 'configMap', 'projected', 'downwardAPI'].map((name) => objectOf(volume[name]));
    for (const source of own) delete source['defaultUser'];
    return [
      ...own,
      ...objectsOf(objectOf(volume['projected'])['sources']).flatMap((source) =>
        Object.values(source).map(objectOf),
      ),
    ];
  });
  for (const source of sources)
    for (const holder of [source, ...objectsOf(source['items'])]) delete holder['user'];
  for (const container of [...objectsOf(spec['containers']), ...objectsOf(spec['initContainers'])]) {
    for (const mount of objectsOf(container['volumeMounts'])) delete mount['bindMountOptions'];
    const { lifecycle, livenessProbe, readinessProbe, startupProbe } = container;
    if (objectOf(lifecycle)['stopSignal'] !== undefined) {
      delete objectOf(lifecycle)['stopSignal'];
      if (Object.keys(objectOf(lifecycle)).length === 0) delete container['lifecycle'];
    }
    const { postStart, preStop } = objectOf(lifecycle);
    for (const handler of [livenessProbe, readinessProbe, startupProbe, postStart, preStop]) {
      delete objectOf(objectOf(handler)['grpc'])['mode'];
      delete objectOf(objectOf(handler)['httpGet'])['protocol'];
    }
  }
}

/** Removes the fields of disabled features from a template of Pods, in place. */
export const dropDisabledOfTemplate = (template: Json | undefined): void =>
  dropDisabled(objectOf(objectOf(template)['spec']));
