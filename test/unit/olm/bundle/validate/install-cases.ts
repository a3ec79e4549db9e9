import { addObject, deploymentOf } from './bundle-folder.ts';
import { anyRule, push, webhook, conversion, webhooks, type Case } from './cases.ts';

/** Deployments, accounts and webhooks. */
export const installCases: readonly Case[] = [
  // Deployments and accounts
  [
    'two deployments of one name',
    'bundle/duplicate-deployment',
    'name: web',
    (b) => push(b.csv.spec.install.spec.deployments, deploymentOf(b)),
  ],
  [
    'the name of a deployment',
    'bundle/invalid-deployment',
    'name: Web',
    (b) => (deploymentOf(b).name = 'Web'),
  ],
  [
    'a selector of other pods',
    'bundle/invalid-deployment',
    'app: x',
    (b) => (deploymentOf(b).spec.selector = { matchLabels: { app: 'x' } }),
  ],
  ['no selector', 'bundle/invalid-deployment', 'spec:', (b) => delete deploymentOf(b).spec.selector],
  [
    'no containers',
    'bundle/invalid-deployment',
    'spec:',
    (b) => (deploymentOf(b).spec.template.spec.containers = []),
  ],
  [
    'no image',
    'bundle/invalid-deployment',
    'name: manager',
    (b) => delete deploymentOf(b).spec.template.spec.containers[0].image,
  ],
  [
    'the name of an image',
    'bundle/invalid-deployment',
    'image:',
    (b) => (deploymentOf(b).spec.template.spec.containers[0].image = 'Example/A'),
  ],
  [
    'an account that OLM makes',
    'bundle/service-account-clash',
    'name: web',
    (b) => addObject(b, 'v1', 'ServiceAccount', { name: 'web-operator' }),
  ],
  [
    'an account that nobody makes',
    'bundle/unbound-service-account',
    'serviceAccountName',
    (b) => (deploymentOf(b).spec.template.spec.serviceAccountName = 'other'),
  ],
  // Webhooks
  [
    'a webhook of no deployment',
    'bundle/unknown-deployment',
    'deploymentName',
    (b) => webhooks(b, webhook({ deploymentName: 'x' })),
  ],
  [
    'an API of no deployment',
    'bundle/unknown-deployment',
    'deploymentName',
    (b) => {
      b.csv.spec.apiservicedefinitions = {
        owned: [{ name: 'a', group: 'example.com', version: 'v1', kind: 'Site', deploymentName: 'x' }],
      };
    },
  ],
  [
    'two webhooks of one name',
    'bundle/duplicate-webhook',
    'generateName',
    (b) => webhooks(b, webhook(), webhook()),
  ],
  [
    'the name of a webhook',
    'bundle/invalid-webhook',
    'generateName',
    (b) => webhooks(b, webhook({ generateName: 'A' })),
  ],
  [
    'the type of a webhook',
    'bundle/invalid-webhook',
    'type:',
    (b) => webhooks(b, webhook({ type: 'Other' })),
  ],
  [
    'the port of a webhook',
    'bundle/invalid-webhook',
    'containerPort',
    (b) => webhooks(b, webhook({ containerPort: 70000 })),
  ],
  [
    'a webhook that waits too long',
    'bundle/invalid-webhook',
    'timeoutSeconds',
    (b) => webhooks(b, webhook({ timeoutSeconds: 60 })),
  ],
  [
    'a webhook with an unknown policy',
    'bundle/invalid-webhook',
    'failurePolicy',
    (b) => webhooks(b, webhook({ failurePolicy: 'Abort' })),
  ],
  [
    'a webhook at a path that is none',
    'bundle/invalid-webhook',
    'webhookPath',
    (b) => webhooks(b, webhook({ webhookPath: '/A b' })),
  ],
  [
    'a webhook for all groups',
    'bundle/forbidden-webhook-rule',
    'apiGroups',
    (b) => webhooks(b, webhook({ rules: [{ ...anyRule, apiGroups: ['*'], resources: ['*'] }] })),
  ],
  [
    'a webhook for webhooks',
    'bundle/forbidden-webhook-rule',
    'apiGroups',
    (b) =>
      webhooks(
        b,
        webhook({
          rules: [
            {
              ...anyRule,
              apiGroups: ['admissionregistration.k8s.io'],
              resources: ['MutatingWebhookConfigurations'],
            },
          ],
        }),
      ),
  ],
  [
    'conversion in one namespace',
    'bundle/conversion-webhook',
    'admission',
    (b) => {
      webhooks(b, conversion());
      b.csv.spec.installModes[0].type = 'OwnNamespace';
    },
  ],
  [
    'conversion of nothing',
    'bundle/conversion-webhook',
    'admission',
    (b) => webhooks(b, conversion({ conversionCRDs: [] })),
  ],
  [
    'conversion of other kinds',
    'bundle/conversion-webhook',
    'x.example.com',
    (b) => webhooks(b, conversion({ conversionCRDs: ['x.example.com'] })),
  ],
  [
    'two conversions of one kind',
    'bundle/conversion-webhook',
    'sites.example.com',
    (b) => webhooks(b, conversion(), conversion({ generateName: 'b' })),
  ],
];
