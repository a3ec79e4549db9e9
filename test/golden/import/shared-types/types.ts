import { defineResource, type CustomResource, type Int32 } from 'opsdk';

export interface PairSpec {
  left?: PairSpecLeft;
  right?: PairSpecLeft;
  /** @items.description "Not to be shown where there is no description." */
  others?: PairSpecLeft[];
  differs?: PairSpecDiffers;
}

export interface PairSpecLeft {
  /** Where it is. */
  host: string;
  port?: Int32;
}

export interface PairSpecDiffers {
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
