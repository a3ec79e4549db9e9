import { defineResource, type CustomResource, type Int32 } from 'opsdk';

export interface PairSpec {
  left?: Left;
  right?: Left;
  /** @items.description "Not to be shown where there is no description." */
  others?: Left[];
  differs?: Differs;
}

export interface Left {
  /** Where it is. */
  host: string;
  port?: Int32;
}

export interface Differs {
  host: string;
  port?: Int32;
}

export interface Pair extends CustomResource<'example.com/v1', 'Pair'> {
  /** What is wanted. */
  spec?: PairSpec;
}

export const Pair = defineResource<Pair>({
  group: 'example.com',
  version: 'v1',
  kind: 'Pair',
  scope: 'Namespaced',
  crd: { standardFields: { apiVersion: false, kind: false, metadata: false } },
});
