import { defineResource, type CustomResource } from 'opsdk';

export interface Sample extends CustomResource {
  spec: {
    f0?: string;
    f1?: string;
    f2?: string;
    f3?: string;
    f4?: string;
    f5?: string;
    f6?: string;
    f7?: string;
    f8?: string;
  };
}

export const Sample = defineResource<Sample>({
  group: 'example.com',
  kind: 'Sample',
  version: 'v1',
  selectableFields: [
    '.spec.f0',
    '.spec.f1',
    '.spec.f2',
    '.spec.f3',
    '.spec.f4',
    '.spec.f5',
    '.spec.f6',
    '.spec.f7',
    '.spec.f8',
  ],
});

export interface Tagged extends CustomResource {
  spec: {
    /** @selectable */
    f0?: string;
    /** @selectable */
    f1?: string;
    /** @selectable */
    f2?: string;
    /** @selectable */
    f3?: string;
    /** @selectable */
    f4?: string;
    /** @selectable */
    f5?: string;
    /** @selectable */
    f6?: string;
    /** @selectable */
    f7?: string;
    /** @selectable */
    f8?: string;
  };
}

export const Tagged = defineResource<Tagged>({
  group: 'example.com',
  version: 'v1',
  kind: 'Tagged',
});
