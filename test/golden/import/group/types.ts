import { defineResource, type CustomResource } from 'opsdk';
import type { Place, Till } from '../shared.ts';

export interface ShopSpec {
  /** Where it is. */
  place?: Place;
  till?: Till;
}

export interface Shop extends CustomResource<'example.com/v1', 'Shop'> {
  spec?: ShopSpec;
}

export const Shop = defineResource<Shop>({
  group: 'example.com',
  version: 'v1',
  kind: 'Shop',
  scope: 'Namespaced',
  storage: true,
  crd: { standardFields: { apiVersion: false, kind: false, metadata: false } },
});

import { defineResource, type CustomResource } from 'opsdk';
import type { Place, Till } from '../shared.ts';

export interface ShopSpec {
  /** Where it is. */
  place?: Place;
  till?: Till;
}

export interface Shop extends CustomResource<'example.com/v1alpha1', 'Shop'> {
  spec?: ShopSpec;
}

export const Shop = defineResource<Shop>({
  group: 'example.com',
  version: 'v1alpha1',
  kind: 'Shop',
  scope: 'Namespaced',
  crd: { standardFields: { apiVersion: false, kind: false, metadata: false } },
});

// Types of example.com beside its kinds: a change here changes each kind and version that uses them.
import type { Int64 } from 'opsdk';

export interface Place {
  /** Any of them. */
  nodeSelectorTerms: NodeSelectorTerm[];
}

/** All of them. */
export interface NodeSelectorTerm {
  matchExpressions?: NodeSelectorRequirement[];
  matchFields?: NodeSelectorRequirement[];
}

/** One of them. */
export interface NodeSelectorRequirement {
  /** A label. */
  key: string;
  operator: string;
  values?: string[];
}

export interface Till {
  config?: TillConfig;
}

export interface TillConfig {
  currency?: string;
  limits?: Limits;
}

export interface Limits {
  most?: Int64;
}

import { defineResource, type CustomResource, type Int64 } from 'opsdk';
import type { Limits, Place } from '../shared.ts';

export interface StallSpec {
  /** Where it is. */
  where?: Place;
  limits?: SpecLimits;
  till?: Till;
}

export interface SpecLimits {
  least?: Int64;
}

export interface Till {
  limits?: Limits;
}

export interface Stall extends CustomResource<'example.com/v1', 'Stall'> {
  spec?: StallSpec;
}

export const Stall = defineResource<Stall>({
  group: 'example.com',
  version: 'v1',
  kind: 'Stall',
  scope: 'Namespaced',
  crd: { standardFields: { apiVersion: false, kind: false, metadata: false } },
});
