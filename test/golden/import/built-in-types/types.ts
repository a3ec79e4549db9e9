import { defineResource, type CustomResource } from 'opsdk';
import type { LabelSelector } from 'opsdk/k8s/meta/v1';

export interface HolderSpec {
  /** Which pods. */
  selector?: LabelSelector;
  almost?: SpecLabelSelector;
}

/** @mapType atomic */
export interface SpecLabelSelector {
  matchExpressions?: string[];
  matchLabels?: Record<string, string>;
}

export interface Holder extends CustomResource<'example.com/v1', 'Holder'> {
  spec?: HolderSpec;
}

export const Holder = defineResource<Holder>({
  group: 'example.com',
  version: 'v1',
  kind: 'Holder',
  scope: 'Namespaced',
  crd: { standardFields: { apiVersion: false, kind: false, metadata: false } },
});
