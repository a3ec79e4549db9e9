import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import type { Loose } from '../objects.ts';
import { hubFolder } from '../publish/hub-bundle.ts';

const icon =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><circle cx="16" cy="16" r="14" fill="#1c5fb8"/>' +
  '<path d="M4 16h24M16 3v26M7 9h18M7 23h18" stroke="#fff" stroke-width="2"/></svg>';

/** A folder with the bundles of two versions, `v1` and `v2`, until the end of the test. Of the second everything that pages show is there. */
export function twoVersions(): string {
  const cwd = mkdtempSync(join(tmpdir(), 'op-sdk-preview-'));
  onTestFinished(() => rmSync(cwd, { recursive: true, force: true }));
  cpSync(join(hubFolder(), 'bundle'), join(cwd, 'v1'), { recursive: true });
  cpSync(join(hubFolder(secondVersion), 'bundle'), join(cwd, 'v2'), { recursive: true });
  return cwd;
}

function secondVersion(bundle: Loose): void {
  const { csv, annotations } = bundle;
  csv.metadata.name = 'web-operator.v0.2.0';
  Object.assign(csv.metadata.annotations, {
    capabilities: 'Full Lifecycle',
    categories: 'Networking',
    description: 'Runs sites.',
    containerImage: 'example.com/web-operator:0.2.0',
    repository: 'https://git.example.com/web-operator',
    'olm.skipRange': '>=0.1.0 <0.2.0',
  });
  Object.assign(csv.spec, {
    version: '0.2.0',
    replaces: 'web-operator.v0.1.0',
    skips: ['web-operator.v0.1.1'],
    description:
      '# Sites\n\nRuns **sites**, each with a certificate. ![Diagram](https://example.com/diagram.png)',
    icon: [{ base64data: Buffer.from(icon).toString('base64'), mediatype: 'image/svg+xml' }],
    keywords: ['web', 'site'],
    links: [
      { name: 'Documentation', url: 'https://example.com/docs' },
      { name: 'Community', url: 'https://example.com/community' },
    ],
    webhookdefinitions: [
      {
        type: 'ValidatingAdmissionWebhook',
        generateName: 'vsite.example.com',
        deploymentName: 'web-operator',
        admissionReviewVersions: ['v1'],
        sideEffects: 'None',
        webhookPath: '/validate',
        rules: [
          {
            apiGroups: ['example.com'],
            apiVersions: ['v1'],
            operations: ['CREATE', 'UPDATE'],
            resources: ['sites'],
          },
        ],
      },
    ],
  });
  const [owned] = csv.spec.customresourcedefinitions.owned;
  Object.assign(owned, {
    displayName: 'Site',
    description: 'A site and its pages: <https://example.com>.',
    resources: [{ kind: 'Deployment', version: 'v1' }],
    specDescriptors: [
      {
        path: 'host',
        displayName: 'Host',
        description: 'Its name.',
        'x-descriptors': ['urn:alm:descriptor:text'],
      },
    ],
    // There is no such field: a finding of the kind.
    statusDescriptors: [{ path: 'gone', displayName: 'Gone', description: 'It was here.' }],
  });
  csv.spec.customresourcedefinitions.required = [
    { name: 'certificates.cert-manager.io', version: 'v1', kind: 'Certificate' },
  ];
  const [granted] = csv.spec.install.spec.clusterPermissions;
  granted.rules = [
    ...granted.rules,
    { apiGroups: [''], resources: ['secrets'], verbs: ['get', 'list', 'watch', 'update', 'patch'] },
    { apiGroups: ['batch'], resources: ['*'], verbs: ['*'] },
    { nonResourceURLs: ['/metrics'], verbs: ['get'] },
  ];
  csv.spec.install.spec.permissions = [
    {
      serviceAccountName: 'web-operator',
      rules: [
        {
          apiGroups: ['apps'],
          resources: ['deployments'],
          resourceNames: ['web'],
          verbs: ['create', 'delete'],
        },
      ],
    },
  ];
  annotations['operators.operatorframework.io.bundle.channels.v1'] = 'stable,fast';
  annotations['operators.operatorframework.io.bundle.channel.default.v1'] = 'stable';
}
