import { defineResource, type CustomResource, type Int32 } from 'opsdk';
import type { StatusCondition } from '../shared.ts';

export interface OxSpec {
  size?: Int32;
  mode?: string;
}

export interface OxStatus {
  size?: Int32;
  selector?: string;
  conditions?: StatusCondition[];
}

export interface Ox extends CustomResource<'example.com/v2', 'Ox'> {
  spec?: OxSpec;
  status?: OxStatus;
}

export const Ox = defineResource<Ox>({
  group: 'example.com',
  version: 'v2',
  kind: 'Ox',
  scope: 'Namespaced',
  plural: 'oxen',
  shortNames: ['o'],
  categories: ['all', 'animals'],
  storage: true,
  scale: { spec: '.spec.size', status: '.status.size', selector: '.status.selector' },
  printerColumns: [
    { name: 'Size', type: 'integer', jsonPath: '.spec.size', priority: 0, description: 'How many.' },
    { name: 'Ready', type: 'string', jsonPath: '.status.conditions[?(@.type=="Ready")].status' },
    { name: 'Nowhere', type: 'string', jsonPath: '.status.nothing.there' as never },
    { name: 'Age', type: 'date', jsonPath: '.metadata.creationTimestamp' },
  ],
  selectableFields: ['.spec.mode'],
  conversion: {
    strategy: 'Webhook',
    clientConfig: { service: { namespace: 'system', name: 'hook', path: '/convert', port: 443 } },
    conversionReviewVersions: ['v1'],
  },
  labels: { team: 'a' },
  annotations: { 'cert-manager.io/inject-ca-from': 'x/y' },
  crd: { standardFields: { apiVersion: {}, kind: {} }, versionOrder: ['v2', 'v1', 'v1alpha1'] },
});

import { defineResource, type CustomResource, type Int32 } from 'opsdk';
import type { StatusCondition } from '../shared.ts';

export interface OxSpec {
  size?: Int32;
  mode?: string;
}

export interface OxStatus {
  size?: Int32;
  selector?: string;
  conditions?: StatusCondition[];
}

export interface Ox extends CustomResource<'example.com/v1', 'Ox'> {
  spec?: OxSpec;
  status?: OxStatus;
}

export const Ox = defineResource<Ox>({
  group: 'example.com',
  version: 'v1',
  kind: 'Ox',
  scope: 'Namespaced',
  plural: 'oxen',
  shortNames: ['o'],
  categories: ['all', 'animals'],
  deprecated: 'use v2',
  crd: { standardFields: { apiVersion: {}, kind: {} } },
});

import { defineResource, type CustomResource, type Int32 } from 'opsdk';
import type { StatusCondition } from '../shared.ts';

export interface OxSpec {
  size?: Int32;
  mode?: string;
}

export interface OxStatus {
  size?: Int32;
  selector?: string;
  conditions?: StatusCondition[];
}

export interface Ox extends CustomResource<'example.com/v1alpha1', 'Ox'> {
  spec?: OxSpec;
  status?: OxStatus;
}

export const Ox = defineResource<Ox>({
  group: 'example.com',
  version: 'v1alpha1',
  kind: 'Ox',
  scope: 'Namespaced',
  plural: 'oxen',
  shortNames: ['o'],
  categories: ['all', 'animals'],
  served: false,
  deprecated: true,
  status: false,
  crd: { standardFields: { apiVersion: {}, kind: {} } },
});

// Types of example.com beside its kinds: a change here changes each kind and version that uses them.

export interface StatusCondition {
  type?: string;
  status?: string;
}
