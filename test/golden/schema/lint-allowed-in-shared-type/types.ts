import { defineResource, type CustomResource, type Int32, type Int64 } from 'opsdk';

interface Shared<T> {
  /** @allow schema/int64-maximum Small in practice. */
  value?: T;
  /** @allow schema/float Nothing here is a float, in no kind. */
  other?: T;
}

export interface Large extends CustomResource {
  spec: Shared<Int64>;
}

export interface Small extends CustomResource {
  spec: Shared<Int32>;
}

const group = 'shared-allow.example.com';
export const Small = defineResource<Small>({ group, version: 'v1', kind: 'Small' });
export const Large = defineResource<Large>({ group, version: 'v1', kind: 'Large' });
