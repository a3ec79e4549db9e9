// Stands for cert-manager, as far as the release of OLM v1 needs it.
import type { KubeObject } from '../../../src/sdk/api/index.ts';
import { MutatingWebhookConfiguration } from '../../../src/sdk/k8s/generated/admissionregistration/v1.ts';
import { Secret } from '../../../src/sdk/k8s/generated/core/v1.ts';
import type { KubeClient } from '../../../src/sdk/kube/index.ts';
import type { CertificateAuthority } from '../../../src/sdk/x509/certificate-authority.ts';
import { ensure, kindOf, listOf, StandIn } from './stand-in.ts';

export const Certificate = kindOf('cert-manager.io', 'v1', 'Certificate', 'certificates', 'Namespaced');

/** Its CustomResourceDefinitions, as far as the release uses them. */
export function certManagerCrds(): readonly (object & { readonly metadata: { readonly name: string } })[] {
  const schema = { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } };
  return [
    ['Certificate', 'certificates', 'Namespaced'],
    ['Issuer', 'issuers', 'Namespaced'],
    ['ClusterIssuer', 'clusterissuers', 'Cluster'],
  ].map(([kind, plural, scope]) => ({
    metadata: { name: `${plural ?? ''}.cert-manager.io` },
    spec: {
      group: 'cert-manager.io',
      scope,
      names: { kind, plural },
      versions: [{ name: 'v1', served: true, storage: true, schema }],
    },
  }));
}

interface CertificateObject extends KubeObject {
  readonly spec: {
    readonly secretName: string;
    readonly isCA?: boolean;
    readonly dnsNames?: readonly string[];
  };
}

/** Makes the Secrets of Certificates, and puts the authority into the configuration of the webhook. */
export function certManager(client: KubeClient, authority: CertificateAuthority): StandIn {
  return new StandIn(async () => {
    for (const certificate of await listOf(client, Certificate))
      await ensureSecret(client, authority, certificate as CertificateObject);
    const name = 'catalogd-mutating-webhook-configuration';
    const found = await client.find(MutatingWebhookConfiguration, { name });
    const [webhook] = found?.webhooks ?? [];
    if (webhook === undefined || webhook.clientConfig.caBundle !== undefined) return;
    const caBundle = Buffer.from(authority.certificate).toString('base64');
    const body = [{ op: 'add' as const, path: '/webhooks/0/clientConfig/caBundle', value: caBundle }];
    await client.patch(MutatingWebhookConfiguration, { name }, { type: 'json', body });
  });
}

async function ensureSecret(
  client: KubeClient,
  authority: CertificateAuthority,
  { metadata, spec: { secretName: name, isCA, dnsNames = [] } }: CertificateObject,
): Promise<void> {
  const { namespace = '' } = metadata;
  if ((await client.find(Secret, { name, namespace })) !== undefined) return;
  const pair =
    isCA === true ? authority : authority.issue({ commonName: metadata.name, usage: 'server', dnsNames });
  await ensure(client, Secret, {
    metadata: {
      name,
      namespace,
      annotations: { 'cert-manager.io/certificate-name': metadata.name },
    },
    type: 'kubernetes.io/tls',
    stringData: { 'ca.crt': authority.certificate, 'tls.crt': pair.certificate, 'tls.key': pair.key },
  });
}
