import {
  isObject,
  listOf as items,
  objectOf,
  type JsonObject,
} from '../../../src/kubernetes/objects/index.ts';
import type { Random } from '../random.ts';
import type { TypeRule } from './generate.ts';
import { hostNames, removedSources, volumeSources } from './rules-of-volumes.ts';
import { address, labelKey, listOf, objectName, one, port, quantity, text } from './values.ts';

const handlers = ['exec', 'httpGet', 'tcpSocket'];
const resources = (random: Random): JsonObject =>
  Object.fromEntries(
    ['cpu', 'memory', 'ephemeral-storage']
      .filter(() => random.chance(0.5))
      .map((name) => [name, quantity(random)]),
  );
const probe: TypeRule = { oneOf: [[...handlers, 'grpc']], fields: { successThreshold: one(1) } };

export const podRules: Readonly<Record<string, TypeRule>> = {
  PodSpec: {
    density: 0.15,
    // The test API does not check these fields.
    without: ['ephemeralContainers', 'resourceClaims', 'resources'],
    fields: {
      activeDeadlineSeconds: one(1, 600),
      hostname: text,
      subdomain: text,
      nodeName: objectName,
      serviceAccountName: objectName,
      serviceAccount: objectName,
      schedulerName: objectName,
      priorityClassName: objectName,
      runtimeClassName: objectName,
      terminationGracePeriodSeconds: one(0, 30, 100),
      overhead: one({ cpu: '100m' }),
    },
    tidy: tidyPod,
  },
  PodOS: { fields: { name: one('linux') } },
  Container: containerRule(),
  EnvVar: {
    fields: { name: one('A', 'B_C', 'x.y') },
    tidy: (variable) => {
      if (variable['valueFrom'] !== undefined) delete variable['value'];
    },
  },
  EnvVarSource: {
    oneOf: [['configMapKeyRef', 'secretKeyRef', 'fieldRef', 'resourceFieldRef', 'fileKeyRef']],
  },
  ConfigMapKeySelector: { always: ['name'], fields: { name: objectName } },
  SecretKeySelector: { always: ['name'], fields: { name: objectName } },
  ObjectFieldSelector: {
    fields: {
      apiVersion: one('v1'),
      fieldPath: one(
        'metadata.name',
        'metadata.namespace',
        'spec.nodeName',
        'status.podIP',
        "metadata.labels['app']",
      ),
    },
  },
  ResourceFieldSelector: {
    fields: {
      resource: one('limits.cpu', 'requests.memory', 'limits.ephemeral-storage'),
      divisor: one('1', '0'),
    },
  },
  EnvFromSource: { oneOf: [['configMapRef', 'secretRef']], fields: { prefix: one('P_', 'a') } },
  ConfigMapEnvSource: { always: ['name'], fields: { name: objectName } },
  SecretEnvSource: { always: ['name'], fields: { name: objectName } },
  Lifecycle: { density: 0.5 },
  LifecycleHandler: { oneOf: [[...handlers, 'sleep']] },
  ExecAction: { always: ['command'] },
  HTTPGetAction: {
    fields: { port: one(80, 'http'), path: one('/', '/healthz'), host: address },
  },
  HTTPHeader: { fields: { name: one('X-A', 'Accept') } },
  SleepAction: { fields: { seconds: one(1, 5) } },
  TCPSocketAction: { fields: { port: one(80, 'http'), host: address } },
  Probe: probe,
  GRPCAction: { fields: { port } },
  ContainerRestartRule: { fields: { action: one('Restart') }, always: ['exitCodes'] },
  ContainerRestartRuleOnExitCodes: {
    always: ['values'],
    fields: { operator: one('In', 'NotIn'), values: one([1, 42]) },
  },
  VolumeDevice: { fields: { devicePath: one('/dev/a', '/dev/b'), name: one('v0') } },
  ContainerPort: { fields: { containerPort: port, hostPort: one(80, 8080), hostIP: address } },
  ContainerResizePolicy: {
    fields: { resourceName: one('cpu', 'memory'), restartPolicy: one('NotRequired', 'RestartContainer') },
  },
  ResourceRequirements: {
    without: ['claims'],
    density: 0.6,
    fields: { limits: resources, requests: resources },
    tidy: ({ limits, requests }) => {
      if (isObject(limits) && isObject(requests))
        for (const name of Object.keys(requests))
          if (limits[name] !== undefined) requests[name] = limits[name];
    },
  },
  SecurityContext: {
    fields: { runAsUser: one(0, 1000), runAsGroup: one(0, 1000), procMount: one('Default') },
    without: ['windowsOptions'],
    tidy: (context) => {
      if (context['allowPrivilegeEscalation'] === false) delete context['privileged'];
    },
  },
  Capabilities: { density: 0.6, fields: { add: one(['NET_ADMIN']), drop: one(['ALL'], ['KILL', 'CHOWN']) } },
  AppArmorProfile: { tidy: localhost },
  SeccompProfile: { tidy: localhost },
  PodSecurityContext: {
    without: ['windowsOptions'],
    fields: {
      fsGroup: one(0, 1000),
      runAsUser: one(0, 1000),
      runAsGroup: one(0, 1000),
      supplementalGroups: one([1, 2]),
      seLinuxChangePolicy: one('MountOption', 'Recursive'),
    },
  },
  VolumeMount: {
    fields: { mountPath: one('/a', '/b', '/c/d'), subPath: one('a', 'b/c'), name: one('v0') },
    tidy: (mount) => {
      delete mount['subPathExpr'];
      delete mount['recursiveReadOnly'];
      if (mount['mountPropagation'] === 'Bidirectional') mount['mountPropagation'] = 'None';
    },
  },
  Volume: { oneOf: [volumeSources.pods], without: removedSources },
  PodDNSConfig: {
    fields: { nameservers: one(['10.1.2.3'], ['10.1.2.3', 'fd00::1']), searches: hostNames },
    always: ['nameservers'],
  },
  HostAlias: { always: ['hostnames'], fields: { ip: address, hostnames: hostNames } },
  PodDNSConfigOption: { always: ['name'] },
  PodReadinessGate: { fields: { conditionType: one('example.com/ready', 'Ready') } },
  PodSchedulingGate: { fields: { name: one('example.com/gate', 'a') } },
  Toleration: {
    always: ['key'],
    fields: { key: labelKey, operator: one('Equal', 'Exists'), effect: one('NoSchedule', 'NoExecute') },
    tidy: (toleration) => {
      if (toleration['operator'] === 'Exists') delete toleration['value'];
      if (toleration['effect'] !== 'NoExecute') delete toleration['tolerationSeconds'];
    },
  },
  TopologySpreadConstraint: {
    fields: { topologyKey: labelKey, maxSkew: one(1, 2), labelSelector: one({ matchLabels: { app: 'x' } }) },
    tidy: (constraint) => {
      if (constraint['whenUnsatisfiable'] !== 'DoNotSchedule') delete constraint['minDomains'];
      if (constraint['labelSelector'] === undefined) delete constraint['matchLabelKeys'];
    },
  },
  NodeSelector: { always: ['nodeSelectorTerms'] },
  NodeSelectorTerm: {
    always: ['matchExpressions'],
    fields: { matchFields: one([{ key: 'metadata.name', operator: 'In', values: ['a'] }]) },
  },
  NodeSelectorRequirement: {
    always: ['values'],
    fields: { key: labelKey },
    tidy: (requirement, random) => {
      const { operator } = requirement;
      if (operator === 'Gt' || operator === 'Lt') requirement['values'] = [random.pick(['1', '25'])];
      if (operator === 'Exists' || operator === 'DoesNotExist') delete requirement['values'];
    },
  },
  PreferredSchedulingTerm: { fields: { weight: one(1, 100) } },
  WeightedPodAffinityTerm: { fields: { weight: one(1, 100) } },
  PodAffinityTerm: {
    fields: {
      topologyKey: labelKey,
      labelSelector: one({ matchLabels: { app: 'x' } }),
      namespaces: listOf(text),
    },
    tidy: (term) => {
      if (term['labelSelector'] !== undefined) return;
      delete term['matchLabelKeys'];
      delete term['mismatchLabelKeys'];
    },
  },
};

function containerRule(): TypeRule {
  return {
    density: 0.15,
    always: ['image'],
    fields: {
      restartPolicy: one('Always', 'Never', 'OnFailure'),
      image: one('nginx', 'nginx:1', 'registry:5000/a@sha256:x', 'a:latest'),
      name: text,
    },
  };
}

function localhost(profile: JsonObject): void {
  if (profile['type'] === 'Localhost') profile['localhostProfile'] ??= 'a';
  else delete profile['localhostProfile'];
}

/** Gives containers and volumes names of their own, and brings fields into agreement that contradict each other. */
function tidyPod(spec: JsonObject, random: Random): void {
  const volumes = objectsOf(spec['volumes']);
  for (const [index, volume] of volumes.entries()) volume['name'] = `v${index}`;
  const initContainers = objectsOf(spec['initContainers']);
  const containers = [...objectsOf(spec['containers']), ...initContainers];
  for (const [index, container] of containers.entries()) tidyContainer(container, index, volumes);
  for (const container of initContainers) {
    for (const name of ['lifecycle', 'livenessProbe', 'readinessProbe', 'startupProbe'])
      delete container[name];
    for (const policy of objectsOf(container['resizePolicy'])) policy['restartPolicy'] = 'NotRequired';
  }
  if (spec['hostNetwork'] === true) for (const container of containers) delete container['ports'];
  if (spec['hostNetwork'] === true || spec['setHostnameAsFQDN'] === true) delete spec['hostnameOverride'];
  if (spec['hostPID'] === true) delete spec['shareProcessNamespace'];
  if (spec['dnsPolicy'] === 'None') spec['dnsConfig'] ??= { nameservers: ['10.1.2.3'] };
  if (spec['serviceAccount'] !== undefined) delete spec['serviceAccountName'];
  if (spec['topologySpreadConstraints'] !== undefined)
    spec['topologySpreadConstraints'] = items(spec['topologySpreadConstraints']).slice(0, 1);
  // Admission looks these up, or computes them.
  for (const name of [
    'runtimeClassName',
    'priorityClassName',
    'priority',
    'overhead',
    'hostUsers',
    'schedulingGates',
    'preemptionPolicy',
  ])
    if (random.chance(0.8)) delete spec[name];
}

function tidyContainer(container: JsonObject, index: number, volumes: readonly JsonObject[]): void {
  container['name'] = `c${index}`;
  for (const [number, each] of objectsOf(container['ports']).entries()) {
    if (each['name'] !== undefined) each['name'] = `p${index}${number}`;
    if (each['hostPort'] !== undefined) each['hostPort'] = 1000 + index * 10 + number;
  }
  if (container['restartPolicyRules'] !== undefined) container['restartPolicy'] ??= 'Never';
  if (container['resizePolicy'] !== undefined)
    container['resizePolicy'] = items(container['resizePolicy']).slice(0, 1);
  delete objectOf(container['readinessProbe'])['terminationGracePeriodSeconds'];
  if (volumes.length === 0) delete container['volumeMounts'];
  const [{ persistentVolumeClaim: isBlock = undefined } = {}] = volumes;
  if (container['volumeMounts'] !== undefined || isBlock === undefined) delete container['volumeDevices'];
  for (const [number, mount] of objectsOf(container['volumeMounts']).entries())
    mount['mountPath'] = `/m${number}`;
  const [{ emptyDir = undefined } = {}] = volumes;
  for (const variable of objectsOf(container['env']))
    if (emptyDir === undefined && objectOf(variable['valueFrom'])['fileKeyRef'] !== undefined)
      delete variable['valueFrom'];
}

const objectsOf = (list: JsonObject[string] | undefined): readonly JsonObject[] => items(list).map(objectOf);
