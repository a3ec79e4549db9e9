import { defineResource, type Condition, type CustomResource, type ListMap } from 'opsdk';

// After a change of this file, `op-sdk generate manifests` brings the CustomResourceDefinition up to date.

/** WidgetSpec defines the desired state of Widget. */
export interface WidgetSpec {
  /** Foo is an example field of Widget. Replace it by fields of yours. */
  foo?: string;
}

/** WidgetStatus defines the observed state of Widget. */
export interface WidgetStatus {
  /** Conditions represent the latest observations of the object's state. */
  conditions?: ListMap<Condition, 'type'>;
}

/** Widget is the Schema for the widgets API. */
export interface Widget extends CustomResource<'shop.example.com/v1', 'Widget'> {
  spec: WidgetSpec;
  status?: WidgetStatus;
}

export const Widget = defineResource<Widget>({
  group: 'shop.example.com',
  version: 'v1',
  kind: 'Widget',
  scope: 'Namespaced',
  storage: true,
});
