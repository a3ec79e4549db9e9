import type { Loose } from '../objects.ts';
import { addObject, bundleKey, deploymentOf } from './bundle-folder.ts';
import {
  anyRule,
  push,
  owned,
  version,
  field,
  webhook,
  conversion,
  webhooks,
  review,
  service,
  dockerfile,
} from './cases.ts';

/** What is like a case above, but right. */
export const right: readonly (readonly [name: string, change: (bundle: Loose) => void])[] = [
  ['the bundle as it is', () => undefined],
  ['more annotations', (b) => (b.annotations['com.redhat.openshift.versions'] = 'v4.12')],
  ['several channels', (b) => (b.annotations[bundleKey('channels.v1')] = 'fast,stable')],
  ['folders without a slash', (b) => (b.annotations[bundleKey('manifests.v1')] = 'manifests')],
  ['labels that say the same', (b) => (b.files['bundle.Dockerfile'] = dockerfile(b))],
  [
    'properties',
    (b) => (b.files['metadata/properties.yaml'] = { properties: [{ type: 'a', value: { b: 1 } }] }),
  ],
  ['other files beside the metadata', (b) => (b.files['metadata/README.txt'] = 'hello')],
  [
    'objects of all sorts',
    (b) => {
      addObject(b, 'v1', 'ServiceAccount', { name: 'other' });
      addObject(b, 'v1', 'Service', {
        name: 'a',
        labels: { 'a.b/c': 'x_y.z' },
        annotations: { 'A.b/c': 'any thing' },
      });
      addObject(b, 'rbac.authorization.k8s.io/v1', 'ClusterRole', { name: 'system:a' });
      addObject(b, 'networking.k8s.io/v1', 'NetworkPolicy', { name: 'a' });
    },
  ],
  [
    'a deployment of the default account',
    (b) => delete deploymentOf(b).spec.template.spec.serviceAccountName,
  ],
  [
    'an account of a file',
    (b) => {
      deploymentOf(b).spec.template.spec.serviceAccountName = 'default';
    },
  ],
  [
    'webhooks of different types with one name',
    (b) => webhooks(b, webhook(), webhook({ type: 'MutatingAdmissionWebhook' })),
  ],
  ['a conversion webhook', (b) => webhooks(b, conversion())],
  [
    'a webhook for policies',
    (b) =>
      webhooks(
        b,
        webhook({
          rules: [
            {
              ...anyRule,
              apiGroups: ['admissionregistration.k8s.io'],
              resources: ['validatingadmissionpolicies'],
            },
          ],
        }),
      ),
  ],
  [
    'an older version that is not owned',
    (b) => push(b.crd.spec.versions, { ...version(b), name: 'v1beta1', storage: false }),
  ],
  [
    'conversion by a service',
    (b) => (b.crd.spec.conversion = review({ service: { ...service, path: '/convert', port: 443 } })),
  ],
  [
    'an approved group',
    (b) => {
      b.crd.spec.group = 'web.k8s.io';
      b.crd.metadata = {
        name: 'sites.web.k8s.io',
        annotations: { 'api-approved.kubernetes.io': 'unapproved, a test' },
      };
      owned(b)[0].name = 'sites.web.k8s.io';
      b.csv.metadata.annotations['alm-examples'] = '[{"apiVersion":"web.k8s.io/v1","kind":"Site"}]';
    },
  ],
  [
    'a name with its release',
    (b) => {
      b.csv.spec.release = '1';
      b.csv.metadata.name = 'web-operator-v0.1.0-1';
    },
  ],
  [
    'related images',
    (b) => (b.csv.spec.relatedImages = [{ name: 'a', image: `localhost:5000/a/b@sha256:${'0'.repeat(64)}` }]),
  ],
  [
    'selectable fields',
    (b) => (version(b).selectableFields = [{ jsonPath: '.spec.host' }, { jsonPath: '.spec.size' }]),
  ],
  [
    'int or string, a required field that nobody declares, items of an object',
    (b) => {
      field(b, 'a', { 'x-kubernetes-int-or-string': true, anyOf: [{ type: 'integer' }, { type: 'string' }] });
      field(b, 'b', { type: 'string', 'x-kubernetes-int-or-string': true });
      field(b, 'c', { type: 'object', required: ['x'], items: { type: 'string' } });
    },
  ],
  ['a boolean as annotation', (b) => (b.annotations['com.example.delivery'] = true)],
  ['a channel', (b) => (b.annotations[bundleKey('channels.v1')] = 'stable')],
  [
    'keys given twice, and quoted lines less indented',
    (b) =>
      (b.files['manifests/a.yaml'] =
        "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a, name: a}\ndata:\n  a: 'text of\nlines'\n"),
  ],
  [
    'a description that shows markup as code, and ends lines as Windows does',
    (b) => (b.csv.spec.description = 'a `<script>` b\r\n```\n<a onclick="b()">\n```\n'),
  ],
  [
    'an icon',
    (b) =>
      (b.csv.spec.icon = [
        { base64data: Buffer.from('<svg/>').toString('base64'), mediatype: 'image/svg+xml' },
      ]),
  ],
];
