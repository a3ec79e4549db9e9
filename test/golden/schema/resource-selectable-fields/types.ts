import { defineResource, type CustomResource, type DateTime, type Int32 } from 'opsdk';

export interface Sample extends CustomResource {
  spec: {
    mode?: 'a' | 'b';
    size?: Int32;
    paused?: boolean;
    labels?: Record<string, string>;
    since?: DateTime;
  };
  phase?: string;
}

export const Sample = defineResource<Sample>({
  group: 'example.com',
  kind: 'Sample',
  version: 'v1',
  selectableFields: ['.spec.mode', '.spec.size', '.spec.paused', '.spec.labels.zone', '.spec.since', '.phase'],
});
