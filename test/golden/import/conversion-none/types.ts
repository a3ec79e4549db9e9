import { defineResource, type CustomResource } from 'opsdk';

export interface CartSpec {
  size?: string;
}

export interface Cart extends CustomResource<'example.com/v1', 'Cart'> {
  spec?: CartSpec;
}

export const Cart = defineResource<Cart>({
  group: 'example.com',
  version: 'v1',
  kind: 'Cart',
  scope: 'Namespaced',
  crd: { standardFields: { apiVersion: false, kind: false, metadata: false } },
});

import { defineResource, type CustomResource } from 'opsdk';

export interface CoachSpec {
  size?: string;
}

export interface Coach extends CustomResource<'example.com/v1', 'Coach'> {
  spec?: CoachSpec;
}

export const Coach = defineResource<Coach>({
  group: 'example.com',
  version: 'v1',
  kind: 'Coach',
  scope: 'Namespaced',
  storage: true,
  conversion: { strategy: 'None' },
  crd: { standardFields: { apiVersion: false, kind: false, metadata: false } },
});

import { defineResource, type CustomResource } from 'opsdk';

export interface CoachSpec {
  width?: string;
}

export interface Coach extends CustomResource<'example.com/v1alpha1', 'Coach'> {
  spec?: CoachSpec;
}

export const Coach = defineResource<Coach>({
  group: 'example.com',
  version: 'v1alpha1',
  kind: 'Coach',
  scope: 'Namespaced',
  crd: { standardFields: { apiVersion: false, kind: false, metadata: false } },
});
