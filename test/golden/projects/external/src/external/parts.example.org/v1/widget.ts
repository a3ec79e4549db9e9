import { externalResource, type CustomResource } from 'opsdk';

export interface WidgetSpec {
  size: 'small' | 'large';
}

export interface Widget extends CustomResource<'parts.example.org/v1', 'Widget'> {
  /** What a Widget is asked to be. */
  spec?: WidgetSpec;
}

export const Widget = externalResource<Widget>({
  group: 'parts.example.org',
  version: 'v1',
  kind: 'Widget',
  plural: 'widgets',
  scope: 'Namespaced',
});
