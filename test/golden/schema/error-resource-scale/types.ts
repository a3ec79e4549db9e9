import { defineResource, type CustomResource, type Int32 } from 'opsdk';

export interface A extends CustomResource {
  /** What should be. */
  spec: {
    /** How many. */
    size?: Int32;
    mode?: 'a' | 'b';
    labels?: Record<string, string>;
    parts?: { name: string; weight?: Int32 }[];
  };
  /** What is. */
  status?: {
    replicas?: Int32;
    selector?: string;
  };
}

export const A = defineResource<A>({
  group: 'example.com',
  version: 'v1',
  kind: 'A',
  // @ts-expect-error not below spec and status
  scale: { spec: '.status.replicas', status: 'status.replicas', selector: '.metadata.name' },
});

export interface B extends CustomResource {
  /** What should be. */
  spec: {
    /** How many. */
    size?: Int32;
    mode?: 'a' | 'b';
    labels?: Record<string, string>;
    parts?: { name: string; weight?: Int32 }[];
  };
  /** What is. */
  status?: {
    replicas?: Int32;
    selector?: string;
  };
}

export const B = defineResource<B>({
  group: 'example.com',
  version: 'v1',
  kind: 'B',
  // @ts-expect-error no status
  scale: { spec: '.spec.size', statut: '.status.replicas' },
});
