import type { RenderCase } from './case.ts';
import { account, custom, deployment, service, settings } from './objects.ts';

const files = {
  'web.yaml': deployment,
  'service.yaml': service,
  'settings.yaml': settings,
  'account.yaml': account,
  'custom.yaml': custom,
};
const resources = `resources: [${Object.keys(files).join(', ')}]\n`;

/** Everything above with these fields. */
const change = (name: string, fields: string): RenderCase => ({
  name,
  kustomization: resources + fields,
  files,
});

/** One resource with these fields. */
const one = (name: string, resource: string, fields: string): RenderCase => ({
  name,
  kustomization: `resources: [resource.yaml]\n${fields}`,
  files: { 'resource.yaml': resource },
});

const cluster = `apiVersion: v1
kind: Namespace
metadata: {name: system}
---
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRole
metadata: {name: manager}
rules: [{apiGroups: [""], resources: [pods], verbs: [get]}]
---
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRoleBinding
metadata: {name: manager}
roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: manager}
subjects:
- {kind: ServiceAccount, name: runner, namespace: system}
- {kind: ServiceAccount, name: default, namespace: other}
- {kind: User, name: runner}
---
apiVersion: v1
kind: ServiceAccount
metadata: {name: runner, namespace: system}
`;

const names: readonly RenderCase[] = [
  change('namePrefix and nameSuffix, with references', 'namePrefix: pre-\nnameSuffix: -post\n'),
  change('namespace', 'namespace: prod\n'),
  change(
    'namespace, prefix and labels together',
    'namespace: prod\nnamePrefix: a-\ncommonLabels: {team: x}\ncommonAnnotations: {note: z}\n',
  ),
  one('namespace and cluster-scoped kinds', cluster, 'namespace: prod\n'),
  one('prefix and cluster-scoped kinds', cluster, 'namePrefix: x-\n'),
  one('prefix and namespace for bindings', cluster, 'namePrefix: x-\nnamespace: ns\n'),
  one(
    'subjects whose namespace is null where it names no account of a RoleBinding',
    `apiVersion: rbac.authorization.k8s.io/v1
kind: RoleBinding
metadata: {name: people, namespace: system}
roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: manager}
subjects:
- {kind: User, name: runner, namespace: null}
- {kind: ServiceAccount, name: runner, namespace: ""}
---
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRoleBinding
metadata: {name: people}
roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: manager}
subjects:
- {kind: ServiceAccount, name: runner, namespace: null}
`,
    'namePrefix: x-\n',
  ),
  one(
    'kinds that get no prefix',
    'apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nmetadata: {name: foos.x.io}\nspec: {group: x.io, names: {kind: Foo, plural: foos}}\n---\napiVersion: v1\nkind: Namespace\nmetadata: {name: system}\n---\napiVersion: apiregistration.k8s.io/v1\nkind: APIService\nmetadata: {name: v1.x.io}\nspec: {service: {name: web, namespace: default}}\n---\n' +
      service,
    'namePrefix: x-\nnamespace: z\n',
  ),
  one(
    'webhook configurations',
    `apiVersion: admissionregistration.k8s.io/v1\nkind: MutatingWebhookConfiguration\nmetadata: {name: mutating}\nwebhooks:\n- name: a.x.io\n  clientConfig: {service: {name: web, namespace: system, path: /a}}\n- name: b.x.io\n  clientConfig: {service: {name: other, namespace: system}}\n---\n${service.replace('name: web', 'name: web\n  namespace: system')}`,
    'namePrefix: x-\nnamespace: z\n',
  ),
  one(
    'the webhook of a CustomResourceDefinition',
    `apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nmetadata: {name: foos.x.io}\nspec: {conversion: {strategy: Webhook, webhook: {clientConfig: {service: {name: web, namespace: system}}}}}\n---\n${service.replace('name: web', 'name: web\n  namespace: system')}`,
    'namePrefix: x-\nnamespace: z\n',
  ),
  one(
    'references of a Pod',
    'apiVersion: v1\nkind: Pod\nmetadata: {name: a}\nspec:\n  serviceAccountName: runner\n  imagePullSecrets: [{name: pull}]\n  containers:\n  - name: a\n    image: a\n    envFrom: [{configMapRef: {name: settings}}, {secretRef: {name: pull}}]\n    env: [{name: A, valueFrom: {secretKeyRef: {name: pull, key: a}}}]\n  volumes:\n  - {name: a, projected: {sources: [{configMap: {name: settings}}, {secret: {name: pull}}]}}\n  - {name: b, persistentVolumeClaim: {claimName: claim}}\n---\napiVersion: v1\nkind: Secret\nmetadata: {name: pull}\n---\napiVersion: v1\nkind: PersistentVolumeClaim\nmetadata: {name: claim}\n---\n' +
      settings +
      '---\n' +
      account,
    'namePrefix: x-\n',
  ),
  one(
    'references of Ingresses and autoscalers',
    'apiVersion: networking.k8s.io/v1\nkind: Ingress\nmetadata: {name: i}\nspec: {tls: [{secretName: s}], rules: [{http: {paths: [{backend: {service: {name: web, port: {number: 80}}}}]}}], defaultBackend: {service: {name: web}}}\n---\napiVersion: autoscaling/v2\nkind: HorizontalPodAutoscaler\nmetadata: {name: h}\nspec: {scaleTargetRef: {apiVersion: apps/v1, kind: Deployment, name: web}}\n---\napiVersion: v1\nkind: Secret\nmetadata: {name: s}\n---\n' +
      service +
      '---\n' +
      deployment,
    'nameSuffix: -x\n',
  ),
  one(
    'the service of a StatefulSet',
    'apiVersion: apps/v1\nkind: StatefulSet\nmetadata: {name: s}\nspec: {serviceName: web, selector: {matchLabels: {a: b}}, template: {metadata: {labels: {a: b}}, spec: {containers: [{name: a, image: a}]}}, volumeClaimTemplates: [{metadata: {name: data}}]}\n---\n' +
      service,
    'namePrefix: x-\ncommonLabels: {l: m}\n',
  ),
  one(
    'names of other namespaces are no references',
    settings.replace('name: settings', 'name: settings\n  namespace: other') + '---\n' + deployment,
    'namePrefix: x-\n',
  ),
  one(
    'List kinds',
    `apiVersion: v1\nkind: List\nitems:\n- ${JSON.stringify({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a' } })}\n- ${JSON.stringify({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'b' } })}\n`,
    'namePrefix: x-\n',
  ),
];

const labels: readonly RenderCase[] = [
  change('commonLabels', 'commonLabels: {team: x, app: changed}\n'),
  change('labels', 'labels:\n- pairs: {team: x}\n'),
  change(
    'labels with selectors',
    'labels:\n- includeSelectors: true\n  pairs: {team: x}\n- pairs: {other: z}\n',
  ),
  change('labels with templates', 'labels:\n- includeTemplates: true\n  pairs: {team: x}\n'),
  change(
    'labels with fields of their own',
    'labels:\n- pairs: {team: x}\n  fields:\n  - {path: spec/labels, kind: Memcached, create: true}\n  - {path: spec/none, kind: Memcached}\n',
  ),
  change('commonAnnotations', 'commonAnnotations: {a.b/c: "1", note: multi word}\n'),
  one(
    'labels of network policies, jobs and sets',
    'apiVersion: networking.k8s.io/v1\nkind: NetworkPolicy\nmetadata: {name: q}\nspec: {podSelector: {matchLabels: {a: b}}, ingress: [{from: [{podSelector: {matchLabels: {c: d}}}, {namespaceSelector: {matchLabels: {e: f}}}]}]}\n---\napiVersion: batch/v1\nkind: CronJob\nmetadata: {name: c}\nspec: {jobTemplate: {spec: {template: {spec: {containers: [{name: a, image: a}]}}}}}\n---\napiVersion: policy/v1\nkind: PodDisruptionBudget\nmetadata: {name: p}\nspec: {selector: {matchLabels: {a: b}}}\n',
    'commonLabels: {team: x}\n',
  ),
];

const images: readonly RenderCase[] = [
  change('images: a new tag', 'images:\n- {name: controller, newTag: v2}\n'),
  change(
    'images: a new name',
    'images:\n- {name: nginx, newName: localhost:5000/nginx}\n- {name: registry.example.com/tools/init, newName: init}\n',
  ),
  change('images: a digest', `images:\n- {name: controller, digest: "sha256:${'0'.repeat(64)}"}\n`),
  change(
    'images: everything',
    'images:\n- {name: controller, newName: ghcr.io/acme/operator, newTag: "1.0"}\n',
  ),
  change('images: a suffix for the tag', 'images:\n- {name: controller, tagSuffix: -debug}\n'),
  change(
    'images: the same twice',
    'images:\n- {name: controller, newName: nginx}\n- {name: nginx, newTag: "1"}\n',
  ),
  change('images: nothing matches', 'images:\n- {name: control, newTag: v2}\n'),
  change('replicas', 'replicas:\n- {name: web, count: 5}\n'),
  change('replicas by the former name', 'namePrefix: x-\nreplicas:\n- {name: web, count: 0}\n'),
  one(
    'replicas and images of custom kinds',
    'apiVersion: x.io/v1\nkind: Foo\nmetadata: {name: f}\nspec: {containers: [{image: controller:latest}], nested: {initContainers: [{image: controller}]}, image: controller}\n',
    'images:\n- {name: controller, newTag: v2}\n',
  ),
];

export const changeCases: readonly RenderCase[] = [...names, ...labels, ...images];
