import { once } from 'node:events';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { MutatingWebhookConfiguration } from '../../../../src/sdk/k8s/generated/admissionregistration/v1.ts';
import type { KubeClient } from '../../../../src/sdk/kube/index.ts';
import { createCertificateAuthority } from '../../../../src/sdk/x509/certificate-authority.ts';

interface Review {
  readonly request: { readonly uid: string; readonly object: { readonly data?: { readonly word?: string } } };
}

/** A mutating webhook that writes `data.word` of all ConfigMaps of a namespace in lower case. */
export async function lowerCaseWebhook(client: KubeClient, namespace: string): Promise<AsyncDisposable> {
  const authority = createCertificateAuthority('webhook');
  const { certificate, key } = authority.issue({
    commonName: 'webhook',
    usage: 'server',
    ipAddresses: ['127.0.0.1'],
  });
  const server = createServer({ cert: certificate, key }, (incoming, answer) => {
    let text = '';
    incoming.setEncoding('utf8').on('data', (part: string) => (text += part));
    incoming.on('end', () => {
      const { request } = JSON.parse(text) as Review;
      const word = request.object.data?.word;
      const patch =
        word === undefined ? [] : [{ op: 'replace', path: '/data/word', value: word.toLowerCase() }];
      const response = {
        uid: request.uid,
        allowed: true,
        patchType: 'JSONPatch',
        patch: Buffer.from(JSON.stringify(patch)).toString('base64'),
      };
      answer.setHeader('content-type', 'application/json');
      answer.end(JSON.stringify({ apiVersion: 'admission.k8s.io/v1', kind: 'AdmissionReview', response }));
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const name = `lower-case.${namespace}.example.com`;
  await client.apply(MutatingWebhookConfiguration, {
    metadata: { name },
    webhooks: [
      {
        name,
        admissionReviewVersions: ['v1'],
        sideEffects: 'None',
        clientConfig: {
          url: `https://127.0.0.1:${port}/`,
          caBundle: Buffer.from(authority.certificate).toString('base64'),
        },
        namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': namespace } },
        rules: [
          {
            apiGroups: [''],
            apiVersions: ['v1'],
            resources: ['configmaps'],
            operations: ['CREATE', 'UPDATE'],
          },
        ],
      },
    ],
  });
  return {
    [Symbol.asyncDispose]: async () => {
      await client.delete(MutatingWebhookConfiguration, { name });
      server.closeAllConnections();
      server.close();
    },
  };
}
