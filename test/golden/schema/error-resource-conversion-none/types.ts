import { defineResource, type CustomResource, type Int32 } from 'opsdk';

export interface Sample extends CustomResource {
  spec: { size?: Int32 };
}

export const Sample = defineResource<Sample>({
  group: 'example.com',
  kind: 'Sample',
  version: 'v1',
  conversion: {
    strategy: 'None',
    // @ts-expect-error None has no webhook
    clientConfig: { url: 'https://convert.example.com' },
    conversionReviewVersions: ['v1'],
  },
});
