import type { AtMostOneOf, CustomResource, ExactlyOneOf, Int32 } from 'opsdk';

interface Source {
  git?: string;
  /** @default "x" */
  http?: string;
  'not a name'?: string;
}

export interface Sample extends CustomResource {
  spec: {
    defaulted: ExactlyOneOf<Source, 'git' | 'http'>;
    nameless: AtMostOneOf<Source, 'git' | 'not a name'>;
    // @ts-expect-error not a field
    unknown: ExactlyOneOf<Source, 'gti'>;
    union: ExactlyOneOf<{ a: string } | { b: string }>;
    record: ExactlyOneOf<Record<string, Int32>>;
    // @ts-expect-error not an object
    scalar: ExactlyOneOf<string>;
    none: ExactlyOneOf<Source, never>;
    partial: Partial<ExactlyOneOf<Source, 'git'>>;
  };
}
