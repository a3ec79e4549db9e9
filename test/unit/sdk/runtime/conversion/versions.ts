import { defineResource, type CustomResource } from '../../../../../src/index.ts';

/** The kinds that the tests convert: pairs of versions that differ as versions of real APIs do. */
export interface Template {
  readonly labels?: Record<string, string>;
  image: string;
}

export interface NginxV1 extends CustomResource<'operator.example.com/v1alpha1', 'Nginx'> {
  spec: { port?: number; replicas?: number; template?: Template };
  status?: { ready: boolean };
}
export interface NginxPort {
  name?: string;
  containerPort: number;
  protocol?: 'TCP' | 'UDP';
}
export interface NginxV2 extends CustomResource<'operator.example.com/v1alpha2', 'Nginx'> {
  spec: { ports?: NginxPort[]; replicas?: number; template?: Template };
  status?: { ready: boolean };
}
export interface NginxV3 extends CustomResource<'operator.example.com/v1', 'Nginx'> {
  spec: {
    listen: string[];
    scale: { replicas?: number | undefined; min?: number | undefined };
    image?: string;
  };
  status?: { ready: boolean };
}

const define = { group: 'operator.example.com', kind: 'Nginx', plural: 'nginxes' } as const;
export const NginxV1 = defineResource<NginxV1>({ ...define, version: 'v1alpha1' });
export const NginxV2 = defineResource<NginxV2>({ ...define, version: 'v1alpha2' });
export const NginxV3 = defineResource<NginxV3>({ ...define, version: 'v1' });
