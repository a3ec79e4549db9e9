import type { RenderCase } from './case.ts';
import { custom, deployment, service } from './objects.ts';

const ids = {
  'web.yaml': 'apiVersion: apps/v1\nkind: Deployment\nmetadata:\n  name: web\n',
  'service.yaml': 'apiVersion: v1\nkind: Service\nmetadata:\n  name: web\n',
  'custom.yaml': 'apiVersion: cache.example.com/v1\nkind: Memcached\nmetadata:\n  name: sample\n',
} as const;
const texts = { 'web.yaml': deployment, 'service.yaml': service, 'custom.yaml': custom };

/** One patch of one resource; `body` is the patch behind apiVersion, kind and name. */
function patch(name: string, file: keyof typeof ids, body: string): RenderCase {
  return {
    name: `merge: ${name}`,
    kustomization: `resources: [${file}]\npatches:\n- path: patch.yaml\n`,
    files: { [file]: texts[file], 'patch.yaml': ids[file] + body },
  };
}

/** A patch of the Deployment's Pods. */
const pods = (name: string, body: string): RenderCase =>
  patch(name, 'web.yaml', `spec:\n  template:\n    spec:\n${body.replace(/^(?=.)/gm, '      ')}`);

/** A patch of the container `manager`. */
const manager = (name: string, body: string): RenderCase =>
  pods(name, `containers:\n- name: manager\n${body.replace(/^(?=.)/gm, '  ')}`);

/** A resource of its own and a patch, or what the kustomization says of it. */
function pair(name: string, resource: string, patchText: string, entry = '- path: patch.yaml\n'): RenderCase {
  return {
    name: `merge: ${name}`,
    kustomization: `resources: [resource.yaml]\npatches:\n${entry}`,
    files: { 'resource.yaml': resource, 'patch.yaml': patchText },
  };
}

const pod = (body: string): string => `apiVersion: v1\nkind: Pod\nmetadata:\n  name: a\n${body}`;

/** Kinds that later versions of Kubernetes do not serve: kustomize merges them by the schema of their time. */
const dropped = [
  pair(
    'a CronJob of batch/v1beta1',
    'apiVersion: batch/v1beta1\nkind: CronJob\nmetadata: {name: a, finalizers: [q]}\nspec: {schedule: x, jobTemplate: {spec: {template: {spec: {containers: [{name: c, image: i, env: [{name: x, value: y}], ports: [{containerPort: 80}]}, {name: d}], volumes: [{name: v}], tolerations: [{key: a}], imagePullSecrets: [{name: a}]}}}}}\n',
    'apiVersion: batch/v1beta1\nkind: CronJob\nmetadata: {name: a, finalizers: [r]}\nspec: {jobTemplate: {spec: {template: {spec: {containers: [{name: c, image: j, env: [{name: z, value: y}], ports: [{containerPort: 80, protocol: UDP}]}], volumes: [{name: w}], tolerations: [{key: b}], imagePullSecrets: [{name: b}], initContainers: [{name: i}]}}}}}\n',
  ),
  pair(
    'an Ingress of extensions/v1beta1',
    'apiVersion: extensions/v1beta1\nkind: Ingress\nmetadata: {name: a}\nspec: {rules: [{host: a}], tls: [{hosts: [a]}]}\n',
    'apiVersion: extensions/v1beta1\nkind: Ingress\nmetadata: {name: a}\nspec: {rules: [{host: b}], backend: {serviceName: s}}\n',
  ),
  pair(
    'a MutatingWebhookConfiguration of admissionregistration.k8s.io/v1beta1',
    'apiVersion: admissionregistration.k8s.io/v1beta1\nkind: MutatingWebhookConfiguration\nmetadata: {name: a}\nwebhooks: [{name: a, rules: [{operations: [x]}]}, {name: b}]\n',
    'apiVersion: admissionregistration.k8s.io/v1beta1\nkind: MutatingWebhookConfiguration\nmetadata: {name: a}\nwebhooks: [{name: b, matchPolicy: q}, {name: a, rules: [{operations: [y]}]}]\n',
  ),
  pair(
    'a PodDisruptionBudget of policy/v1beta1',
    'apiVersion: policy/v1beta1\nkind: PodDisruptionBudget\nmetadata: {name: a}\nspec: {selector: {matchExpressions: [{key: a}], matchLabels: {a: b}}}\n',
    'apiVersion: policy/v1beta1\nkind: PodDisruptionBudget\nmetadata: {name: a}\nspec: {selector: {matchExpressions: [{key: b}], matchLabels: {c: d}}}\n',
  ),
];

const values = [
  patch('a scalar', 'web.yaml', 'spec: {replicas: 3}\n'),
  patch('new fields', 'web.yaml', 'spec: {paused: true, minReadySeconds: 5}\n'),
  patch(
    'labels and annotations',
    'web.yaml',
    'spec: {template: {metadata: {annotations: {a/b: "1"}, labels: {tier: x}}}}\n',
  ),
  pods('null removes', 'tolerations: null\nvolumes: null\n'),
  pods('null for what is not there', 'nodeSelector: null\naffinity: {nodeAffinity: null}\n'),
  manager('quantities and numbers', 'resources:\n  limits: {cpu: 1, memory: null}\n  requests: {cpu: 10m}\n'),
  patch('a union', 'web.yaml', 'spec: {strategy: {type: Recreate, rollingUpdate: null}}\n'),
  pair(
    'null in the resource stays',
    pod('status: null\nspec: {nodeName: null}\n'),
    pod('spec: {hostIPC: true}\n'),
  ),
  pair(
    'a mapping where null is',
    pod('spec: {affinity: null, nodeSelector: null}\n'),
    pod('spec: {affinity: {podAffinity: {}}, nodeSelector: {a: b}}\n'),
  ),
  pair(
    'empty mappings',
    pod('spec: {securityContext: {}}\n'),
    pod('spec: {affinity: {}, securityContext: {}}\n'),
  ),
] as const;

const quotes = [
  pair(
    'a number in the place of a quoted text',
    pod('spec: {priority: "1", nodeName: plain}\n'),
    pod('spec: {priority: 2}\n'),
  ),
  pair(
    'a number in the place of a name that may be either',
    service.replace('targetPort: 8080', 'targetPort: http'),
    `${ids['service.yaml']}spec: {ports: [{port: 80, targetPort: 8080}]}\n`,
  ),
] as const;

const keyedLists = [
  pods(
    'containers by name, new ones first',
    'containers:\n- name: extra\n  image: extra:v1\n- name: sidecar\n  image: nginx:1.27\n',
  ),
  pods(
    'containers in the order of the patch',
    'containers:\n- name: sidecar\n  tty: true\n- name: manager\n  tty: true\n',
  ),
  pods(
    'init containers',
    'initContainers:\n- name: init\n  command: [sh]\n- name: second\n  image: second\n',
  ),
  pods(
    'volumes with another source',
    'volumes:\n- name: data\n  emptyDir: null\n  persistentVolumeClaim: {claimName: data}\n',
  ),
  pods('pull secrets', 'imagePullSecrets:\n- name: regcred\n'),
  pods('host aliases by address', 'hostAliases:\n- ip: 127.0.0.1\n  hostnames: [a]\n'),
  pods(
    'spread constraints',
    'topologySpreadConstraints:\n- maxSkew: 1\n  topologyKey: zone\n  whenUnsatisfiable: DoNotSchedule\n',
  ),
  manager('env by name', 'env:\n- name: C\n  value: c\n- name: A\n  value: changed\n'),
  manager('value instead of valueFrom', 'env:\n- name: B\n  value: b\n  valueFrom: null\n'),
  manager(
    'mounts by path',
    'volumeMounts:\n- mountPath: /data\n  readOnly: true\n- mountPath: /tmp\n  name: tmp\n',
  ),
  manager(
    'ports by number and protocol',
    'ports:\n- containerPort: 9090\n  protocol: UDP\n  name: renamed\n- containerPort: 8443\n  protocol: TCP\n  name: https\n',
  ),
  manager('ports without a protocol', 'ports:\n- containerPort: 8080\n  name: renamed\n'),
  manager(
    'ports with a protocol that was left out',
    'ports:\n- containerPort: 8080\n  protocol: TCP\n  name: renamed\n',
  ),
  patch(
    'ports of a Service',
    'service.yaml',
    'spec: {ports: [{port: 443, name: https}, {port: 80, nodePort: 30080}]}\n',
  ),
  patch(
    'ports of a Service as text',
    'service.yaml',
    'spec: {ports: [{port: 53, protocol: UDP, targetPort: dns}]}\n',
  ),
  pair(
    'duplicate items',
    pod('spec: {containers: [{name: a, image: one}, {name: a, image: two}, {name: b, image: b}]}\n'),
    pod('spec: {hostIPC: true}\n'),
  ),
  pair(
    'duplicate items in the patch',
    pod('spec: {containers: [{name: b, image: b}]}\n'),
    pod('spec: {containers: [{name: a, image: one}, {name: a, tty: true}]}\n'),
  ),
  pair(
    'owner references by uid',
    pod('').replace('name: a', 'name: a\n  ownerReferences: [{apiVersion: v1, kind: A, name: a, uid: x}]'),
    pod('').replace(
      'name: a',
      'name: a\n  ownerReferences: [{apiVersion: v1, kind: B, name: b, uid: z}, {uid: x, controller: true}]',
    ),
  ),
] as const;

const otherLists = [
  manager('args are replaced', 'args: [--only]\n'),
  pods('tolerations are replaced', 'tolerations:\n- key: b\n  operator: Exists\n'),
  pods(
    'lists that kustomize has no schema of yet are replaced',
    'resourceClaims:\n- name: gpu\n  resourceClaimName: gpu\n',
  ),
  patch(
    'lists of custom resources are replaced',
    'custom.yaml',
    'spec: {items: [{name: two, value: 3}], template: {containers: [{name: b}]}}\n',
  ),
  patch(
    'fields of custom resources are merged',
    'custom.yaml',
    'spec: {size: 5, ratio: null, nested: {a: {b: c}}}\n',
  ),
  pair(
    'finalizers are a set',
    pod('').replace('name: a', 'name: a\n  finalizers: [x.io/one, x.io/two]'),
    pod('').replace('name: a', 'name: a\n  finalizers: [x.io/three, x.io/two]'),
  ),
  pair(
    'finalizers of a custom resource are replaced',
    'apiVersion: x.io/v1\nkind: Foo\nmetadata: {name: a, finalizers: [x.io/one]}\n',
    'apiVersion: x.io/v1\nkind: Foo\nmetadata: {name: a, finalizers: [x.io/two]}\n',
  ),
  pair(
    'kinds newer than the schemas of kustomize',
    'apiVersion: autoscaling/v2\nkind: HorizontalPodAutoscaler\nmetadata: {name: a, finalizers: [x.io/one]}\nspec: {metrics: [{type: Resource}]}\n',
    'apiVersion: autoscaling/v2\nkind: HorizontalPodAutoscaler\nmetadata: {name: a, finalizers: [x.io/two]}\nspec: {maxReplicas: 3}\n',
  ),
  pair(
    'an object of a built-in kind inside a custom resource',
    `apiVersion: x.io/v1\nkind: Foo\nmetadata: {name: a}\nspec: {pod: {apiVersion: v1, kind: Pod, spec: {containers: [{name: a, image: a}]}}}\n`,
    `apiVersion: x.io/v1\nkind: Foo\nmetadata: {name: a}\nspec: {pod: {spec: {containers: [{name: b, image: b}]}}}\n`,
  ),
  pair(
    'webhooks by name',
    'apiVersion: admissionregistration.k8s.io/v1\nkind: ValidatingWebhookConfiguration\nmetadata: {name: v}\nwebhooks: [{name: a.x.io, rules: [{operations: [CREATE]}], matchConditions: [{name: m, expression: "true"}]}, {name: b.x.io}]\n',
    'apiVersion: admissionregistration.k8s.io/v1\nkind: ValidatingWebhookConfiguration\nmetadata: {name: v}\nwebhooks: [{name: a.x.io, timeoutSeconds: 5, matchConditions: [{name: k, expression: "false"}]}]\n',
  ),
  pair(
    'versions of a CustomResourceDefinition are replaced',
    'apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nmetadata: {name: foos.x.io}\nspec: {group: x.io, versions: [{name: v1, served: true}]}\n',
    'apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nmetadata: {name: foos.x.io}\nspec: {conversion: {strategy: Webhook}, versions: [{name: v2}]}\n',
  ),
] as const;

const directives = [
  patch('$patch: delete takes the resource out', 'web.yaml', '$patch: delete\n'),
  patch('$patch: merge is the default', 'web.yaml', '$patch: merge\nspec: {$patch: merge, replicas: 4}\n'),
  pods('$patch: delete takes an item out', 'containers:\n- name: sidecar\n  $patch: delete\n'),
  pods('$patch: delete takes all items out', 'initContainers:\n- name: init\n  $patch: delete\n'),
  pods('$patch: delete of an item that is not there', 'containers:\n- name: nobody\n  $patch: delete\n'),
  pods('$patch: replace in an item', 'containers:\n- name: manager\n  $patch: replace\n  image: other\n'),
  pods('$patch: replace in a list', 'containers:\n- $patch: replace\n- name: only\n  image: only\n'),
  pods('$patch: delete in a list', 'volumes:\n- $patch: delete\n'),
  patch(
    '$patch: delete in a mapping',
    'web.yaml',
    'spec: {template: {metadata: {labels: {$patch: delete}}}}\n',
  ),
  patch(
    '$patch: replace in a mapping',
    'web.yaml',
    'spec: {selector: {$patch: replace, matchLabels: {new: label}}}\n',
  ),
  pods(
    'directives and nulls in new mappings',
    'affinity:\n  podAffinity: {$patch: delete}\n  nodeAffinity:\n    $patch: replace\n    x: null\n    z: 1\n',
  ),
  pods(
    'directives in lists of new mappings',
    'containers:\n- name: new\n  env:\n  - name: gone\n    $patch: delete\n  - name: x\n    value: null\n',
  ),
] as const;

const many = (target: string, patchText: string, options = ''): RenderCase['kustomization'] =>
  `resources: [web.yaml, service.yaml, custom.yaml]
patches:
- target: ${target}
  patch: |-
${patchText.replace(/^(?=.)/gm, '    ')}
${options}`;
const annotate = 'apiVersion: any/v1\nkind: Any\nmetadata: {name: any, annotations: {touched: "yes"}}';
const all = { 'web.yaml': deployment, 'service.yaml': service, 'custom.yaml': custom };
const target = (name: string, selector: string, patchText = annotate, options = ''): RenderCase => ({
  name: `target: ${name}`,
  kustomization: many(selector, patchText, options),
  files: all,
});

const targets = [
  target('by kind', '{kind: Service}'),
  target('by a pattern for kinds', '{kind: Serv.*|Memcached}'),
  target('patterns match the whole name', '{name: we}'),
  target('by name', '{name: web}'),
  target('by group and version', '{group: cache.example.com, version: v1}'),
  target('of the core group is every group', '{group: ""}'),
  target('nothing is no error', '{kind: Nothing}'),
  target('everything', '{name: ".*"}'),
  target('by label', '{labelSelector: app=web}'),
  target('by several labels', '{labelSelector: "app in (web, back),!legacy,tier notin (x)"}'),
  target('by a label that is not equal', '{labelSelector: app!=web}'),
  target('by annotation', '{annotationSelector: app}'),
  target('in the default namespace', '{namespace: default}'),
  target('another kind without leave stays', '{kind: Service}', annotate.replace('Any', 'Other')),
  target(
    'by a new kind',
    '{kind: Memcached}',
    'apiVersion: any/v1\nkind: Renamed\nmetadata: {name: any}',
    '  options: {allowKindChange: true}\n',
  ),
  target(
    'by a new name',
    '{kind: Memcached}',
    'apiVersion: any/v1\nkind: Memcached\nmetadata: {name: renamed}',
    '  options: {allowNameChange: true}\n',
  ),
  target(
    'by a new name and kind',
    '{kind: Memcached}',
    'apiVersion: any/v1\nkind: New\nmetadata: {name: new}',
    '  options: {allowNameChange: true, allowKindChange: true}\n',
  ),
  target('an empty patch does nothing', '{kind: Service}', '# to be written'),
  {
    name: 'target: by the former name and namespace',
    kustomization:
      'resources: [../base]\nnamePrefix: outer-\npatches:\n- target: {kind: Deployment, name: web, namespace: old}\n  patch: "- {op: replace, path: /spec/replicas, value: 7}"\n- path: patch.yaml\n- target: {name: inner-web, namespace: new}\n  patch: "- {op: add, path: /metadata/annotations, value: {b: b}}"\n',
    files: {
      '../base/kustomization.yaml': 'resources: [web.yaml]\nnamePrefix: inner-\nnamespace: new\n',
      '../base/web.yaml': deployment.replace('name: web', 'name: web\n  namespace: old'),
      'patch.yaml':
        'apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: web, namespace: old, labels: {by: old}}\n',
    },
  },
  {
    name: 'target: names after a change by a patch',
    kustomization:
      'resources: [custom.yaml]\npatches:\n- target: {kind: Memcached}\n  options: {allowNameChange: true}\n  patch: "{apiVersion: any/v1, kind: Memcached, metadata: {name: new}}"\n- target: {name: sample}\n  patch: "- {op: replace, path: /spec/size, value: 9}"\n- target: {name: new}\n  patch: "- {op: replace, path: /spec/verbose, value: false}"\nnamePrefix: x-\n',
    files: all,
  },
] as const;

const files = [
  {
    name: 'merge: aliases mean copies',
    kustomization:
      'resources: [web.yaml]\nlabels:\n- pairs: {only: metadata}\npatches:\n- path: patch.yaml\n',
    files: {
      ...all,
      'patch.yaml':
        'apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: web, labels: &labels {shared: text}, annotations: *labels}\nspec: {selector: {matchLabels: *labels}}\n',
    },
  },
  {
    name: 'merge: several objects in one file',
    kustomization: 'resources: [web.yaml, service.yaml, custom.yaml]\npatches:\n- path: patch.yaml\n',
    files: {
      ...all,
      'patch.yaml': `${ids['web.yaml']}spec: {replicas: 2}\n---\n${ids['service.yaml']}spec: {type: NodePort}\n---\n${ids['custom.yaml']}$patch: delete\n`,
    },
  },
  {
    name: 'merge: a List of patches',
    kustomization: 'resources: [web.yaml, service.yaml]\npatches:\n- path: patch.yaml\n',
    files: {
      ...all,
      'patch.yaml':
        'apiVersion: v1\nkind: List\nitems:\n- {apiVersion: apps/v1, kind: Deployment, metadata: {name: web}, spec: {replicas: 2}}\n- {apiVersion: v1, kind: Service, metadata: {name: web}, spec: {type: NodePort}}\n',
    },
  },
  {
    name: 'merge: patchesStrategicMerge, files and text',
    kustomization: `resources: [web.yaml, custom.yaml]\npatchesStrategicMerge:\n- patch.yaml\n- |-\n  apiVersion: apps/v1\n  kind: Deployment\n  metadata: {name: web}\n  spec: {paused: true}\n`,
    files: {
      ...all,
      'patch.yaml': `${ids['web.yaml']}spec: {replicas: 2}\n---\n${ids['custom.yaml']}$patch: delete\n`,
    },
  },
  {
    name: 'merge: patches come after patchesStrategicMerge, before names and labels',
    kustomization: `resources: [web.yaml]\nnamePrefix: p-\ncommonLabels: {app: new}\npatches:\n- patch: "{apiVersion: apps/v1, kind: Deployment, metadata: {name: web}, spec: {replicas: 5}}"\npatchesStrategicMerge: [patch.yaml]\n`,
    files: { ...all, 'patch.yaml': `${ids['web.yaml']}spec: {replicas: 2, paused: true}\n` },
  },
  {
    name: 'merge: the namespace and name of a patch stay out',
    kustomization: `resources: [web.yaml]\npatches:\n- target: {kind: Deployment}\n  patch: "{apiVersion: x/v9, kind: Other, metadata: {name: other, namespace: elsewhere}, spec: {replicas: 5}}"\n`,
    files: all,
  },
] as const;

export const mergePatchCases: readonly RenderCase[] = [
  ...values,
  ...quotes,
  ...keyedLists,
  ...otherLists,
  ...directives,
  ...dropped,
  ...targets,
  ...files,
];
