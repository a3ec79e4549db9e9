import { defineResource, type Condition, type CustomResource, type ListMap } from 'opsdk';

// After a change of this file, `op-sdk generate manifests` brings the CustomResourceDefinition up to date.

/** RegionSpec defines the desired state of Region. */
export interface RegionSpec {
  /** Foo is an example field of Region. Replace it by fields of yours. */
  foo?: string;
}

/** RegionStatus defines the observed state of Region. */
export interface RegionStatus {
  /** Conditions represent the latest observations of the object's state. */
  conditions?: ListMap<Condition, 'type'>;
}

/** Region is the Schema for the regions API. */
export interface Region extends CustomResource<'cache.example.com/v1', 'Region'> {
  spec: RegionSpec;
  status?: RegionStatus;
}

export const Region = defineResource<Region>({
  group: 'cache.example.com',
  version: 'v1',
  kind: 'Region',
  scope: 'Cluster',
  storage: true,
});
