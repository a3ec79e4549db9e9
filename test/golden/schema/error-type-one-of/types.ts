import type { AtMostOneOf, CustomResource, ExactlyOneOf, Int32, Json, JsonObject } from 'opsdk';

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
    typeless: ExactlyOneOf<{ object: JsonObject; any: Json }>;
    typelessItems: AtMostOneOf<{ name: string; list: Json[] }>;
    typelessValues: AtMostOneOf<{ name: string; map: Record<string, Json> }>;
    partial: Partial<ExactlyOneOf<Source, 'git'>>;
  };
}
