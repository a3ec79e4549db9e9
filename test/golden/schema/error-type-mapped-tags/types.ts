import type { CustomResource, Int32 } from 'opsdk';

/** @cel self.min <= self.max */
interface Range {
  min: Int32;
  max: Int32;
}

interface Wider extends Range {
  step: Int32;
}

/** @k8s {"minProperties": 1} */
interface Escaped {
  a?: string;
}

type Tagged = Range;

export interface Sample extends CustomResource {
  spec: {
    partial: Partial<Range>;
    pick: Pick<Range, 'min'>;
    omit: Omit<Range, 'min'>;
    omitInherited: Omit<Wider, 'step'>;
    requiredInherited: Required<Wider>;
    requiredEscape: Required<Escaped>;
    alias: Partial<Tagged>;
    intersection: Partial<Range & { more: string }>;
    mapped: { [K in keyof Range]: string };
  };
}
