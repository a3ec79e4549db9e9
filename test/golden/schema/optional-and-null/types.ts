import type { CustomResource, Int32 } from 'opsdk';

type Maybe<T> = T | null | undefined;

export interface Sample extends CustomResource {
  spec?: {
    a: string;
    b?: string;
    c: string | undefined;
    d: string | null;
    e?: Int32 | null;
    f: Maybe<boolean>;
    /** @nullable */
    h: string;
    i: string[] | null;
    j: (string | null)[];
    k: Record<string, Int32 | null> | null;
    readonly l: readonly string[];
    'm.example.com/n'?: string;
  };
}
