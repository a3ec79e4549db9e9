import { defineResource, type Condition, type CustomResource, type ListMap } from 'opsdk';

// After a change of this file, `op-sdk generate manifests` brings the CustomResourceDefinition up to date.

/** ClassSpec defines the desired state of Class. */
export interface ClassSpec {
  /** Foo is an example field of Class. Replace it by fields of yours. */
  foo?: string;
}

/** ClassStatus defines the observed state of Class. */
export interface ClassStatus {
  /** Conditions represent the latest observations of the object's state. */
  conditions?: ListMap<Condition, 'type'>;
}

/** Class is the Schema for the classes API. */
export interface Class extends CustomResource<'network.example.com/v1', 'Class'> {
  spec: ClassSpec;
  status?: ClassStatus;
}

export const Class = defineResource<Class>({
  group: 'network.example.com',
  version: 'v1',
  kind: 'Class',
  scope: 'Namespaced',
  storage: true,
});
