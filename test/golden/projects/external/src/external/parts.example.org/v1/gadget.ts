import { externalResource, type CustomResource } from 'opsdk';

export interface GadgetSpec {
  size: 'small' | 'large';
}

export interface Gadget extends CustomResource<'parts.example.org/v1', 'Gadget'> {
  /** What a Gadget is asked to be. */
  spec?: GadgetSpec;
}

export const Gadget = externalResource<Gadget>({
  group: 'parts.example.org',
  version: 'v1',
  kind: 'Gadget',
  plural: 'gadgets',
  scope: 'Cluster',
});
