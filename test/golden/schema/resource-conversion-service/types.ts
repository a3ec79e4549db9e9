import { defineResource, type CustomResource, type Int32 } from 'opsdk';

export interface SampleV1Beta1 extends CustomResource {
  spec: { count?: Int32 };
}

export const SampleV1Beta1 = defineResource<SampleV1Beta1>({
  group: 'example.com',
  kind: 'Sample',
  version: 'v1beta1',
});

export interface Sample extends CustomResource {
  spec: { size?: Int32 };
}

export const Sample = defineResource<Sample>({
  group: 'example.com',
  kind: 'Sample',
  version: 'v1',
  storage: true,
  annotations: { 'cert-manager.io/inject-ca-from': 'sample-system/serving-cert' },
  conversion: {
    strategy: 'Webhook',
    clientConfig: {
      service: { namespace: 'sample-system', name: 'webhook-service', path: '/convert', port: 9443 },
    },
    conversionReviewVersions: ['v1', 'v1beta1'],
  },
});
