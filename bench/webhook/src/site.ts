import { defineResource, type Condition, type CustomResource, type Int32, type Int64 } from 'opsdk';

interface EnvVar {
  name: string;
  value?: string;
}

interface Route {
  host: string;
  path?: string;
  port: Int32;
  weight?: Int32;
  protocol?: string;
  headers?: Record<string, string>;
}

interface SiteSpec<Image> {
  image: Image;
  replicas?: Int32;
  logLevel?: string;
  env?: EnvVar[];
  routes: Route[];
}

interface SiteStatus {
  observedGeneration?: Int64;
  conditions?: Condition[];
}

/** The kind of the benchmark, also in ../controller-runtime/v1beta1. */
export interface Site extends CustomResource {
  spec: SiteSpec<{ repository: string; tag: string }>;
  status?: SiteStatus;
}

/** Its older version, whose image is one text. */
export interface SiteV1alpha1 extends CustomResource {
  spec: SiteSpec<string>;
  status?: SiteStatus;
}

const type = { group: 'web.example.com', kind: 'Site' } as const;

export const Site = defineResource<Site>({ ...type, version: 'v1beta1' });
export const SiteV1alpha1 = defineResource<SiteV1alpha1>({ ...type, version: 'v1alpha1' });
